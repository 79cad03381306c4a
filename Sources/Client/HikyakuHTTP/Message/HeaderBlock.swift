#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The header lines of a message as received; names and values become texts only when they are read.
///
/// Most fields of a response are never read, and making two texts of each would take longer than everything else that
/// is done with them.
package final class HeaderBlock: Sendable {
    /// The position of a field.
    package struct Line: Sendable {
        let name: Range<UInt32>
        let value: Range<UInt32>

        /// Makes a line of the ranges of the name, a token, and of the value, without white space around it.
        package init(name: Range<UInt32>, value: Range<UInt32>) {
            self.name = name
            self.value = value
        }
    }

    private let bytes: [UInt8]
    private let lines: [Line]
    private let isASCII: Bool

    /// - Parameters:
    ///   - bytes: The block.
    ///   - lines: The positions of its fields; all ranges lie within `bytes`.
    ///   - isASCII: Whether none of the bytes is above 0x7F.
    package init(_ bytes: [UInt8], lines: [Line], isASCII: Bool) {
        self.bytes = bytes
        self.lines = lines
        self.isASCII = isASCII
    }

    var count: Int { lines.count }

    func name(at position: Int) -> HTTPHeaderName {
        HTTPHeaderName(text(lines[position].name, isASCII: true))
    }

    func value(at position: Int) -> String {
        text(lines[position].value, isASCII: isASCII)
    }

    /// Whether the field has that name; makes no text.
    func isNamed(_ name: HTTPHeaderName, at position: Int) -> Bool {
        let range = lines[position].name
        guard name.rawName.utf8.count == range.count else { return false }
        var name = name.rawName
        return name.withUTF8 { isEqual($0, to: range) }
    }

    func contains(_ name: HTTPHeaderName) -> Bool {
        var name = name.rawName
        return name.withUTF8 { name in
            lines.contains { $0.name.count == name.count && isEqual(name, to: $0.name) }
        }
    }

    private func isEqual(_ name: UnsafeBufferPointer<UInt8>, to range: Range<UInt32>) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            let other = UnsafeBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            return name.isEqualIgnoringCase(to: other)
        }
    }

    /// The bytes as UTF-8, or, if they are not valid UTF-8, as Latin-1.
    private func text(_ range: Range<UInt32>, isASCII: Bool) -> String {
        bytes.withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            guard !isASCII, bytes.contains(where: { $0 >= 0x80 }) else {
                // With this initializer, the standard library copies a short text at once instead of byte by byte.
                return String(unsafeUninitializedCapacity: bytes.count) { room in
                    UnsafeMutableRawBufferPointer(room).copyMemory(from: bytes)
                    return bytes.count
                }
            }
            return String(bytes: bytes, encoding: .utf8)
                ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
        }
    }
}
