#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The header lines of a message as they came; what a field says is made a text only when it is asked for.
///
/// Of the fields of a response, most are never looked at, and to make two texts of each would take longer than all else
/// that is done with them.
package final class HeaderBlock: Sendable {
    /// Where a field stands.
    package struct Line: Sendable {
        let name: Range<UInt32>
        let value: Range<UInt32>

        /// Takes the places of the name, a token, and of the value, without white space around it.
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
    ///   - lines: Where its fields stand; all places lie within `bytes`.
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

    /// Whether the field has that name, which isn't made for it.
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

    /// The bytes as UTF-8, or, where they aren't, as Latin-1, which any bytes are.
    private func text(_ range: Range<UInt32>, isASCII: Bool) -> String {
        bytes.withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            guard !isASCII, bytes.contains(where: { $0 >= 0x80 }) else {
                // This way the standard library copies a short text as a whole instead of byte by byte.
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
