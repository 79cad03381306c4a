import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A charset by the name that browsers give it.
///
/// [Encoding standard, section 4.2](https://encoding.spec.whatwg.org/#names-and-labels)
struct Charset: Hashable, Sendable {
    /// The standard's name in lower case: `windows-1252` for `latin1`.
    let name: String

    /// The charset that a label of `Content-Type` means; `nil` for an unknown one.
    init?(label: some StringProtocol) {
        let label = String(Substring(label).trimmingSpaces).asciiLowercased
        guard let name = Self.names[label] else { return nil }
        self.name = name
    }

    private init(_ name: String) { self.name = name }

    /// Reads text; a byte order mark decides, whatever the charset, and is not a part of the text.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The text; `nil` if the bytes are not valid in the charset, or the system doesn't know it.
    func text(of bytes: Data) -> String? {
        for (mark, name) in Self.marks where bytes.starts(with: mark) {
            return Charset(name).unmarkedText(of: bytes.dropFirst(mark.count))
        }
        return unmarkedText(of: bytes)
    }

    private func unmarkedText(of bytes: Data) -> String? {
        switch name {
        case "utf-8": String(bytes: bytes, encoding: .utf8)
        case "windows-1252": Self.western(bytes)
        case "utf-16le": Self.whole(bytes, units: 2, .utf16LittleEndian)
        case "utf-16be": Self.whole(bytes, units: 2, .utf16BigEndian)
        case "utf-32le": Self.whole(bytes, units: 4, .utf32LittleEndian)
        case "utf-32be": Self.whole(bytes, units: 4, .utf32BigEndian)
        default: converted(bytes)
        }
    }

    private static func whole(_ bytes: Data, units: Int, _ encoding: String.Encoding) -> String? {
        bytes.count % units == 0 ? String(bytes: bytes, encoding: encoding) : nil
    }

    /// Each byte is a character here, so it needs no library.
    private static func western(_ bytes: Data) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let value = 0x80..<0xA0 ~= byte ? upperControls[Int(byte) - 0x80] : UInt16(byte)
            text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
        return String(text)
    }

    /// What the bytes 0x80 to 0x9F mean.
    private static let upperControls: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    private static let marks: [([UInt8], String)] = [
        ([0xEF, 0xBB, 0xBF], "utf-8"), ([0xFF, 0xFE, 0, 0], "utf-32le"), ([0, 0, 0xFE, 0xFF], "utf-32be"),
        ([0xFE, 0xFF], "utf-16be"), ([0xFF, 0xFE], "utf-16le"),
    ]

    /// The name of each label.
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for (name, labels) in CharsetLabels.byName {
            for label in labels.byteSplit(separator: " ") { names[String(label)] = name }
        }
        return names
    }()
}

#if canImport(Darwin)
import CoreFoundation

extension Charset {
    /// Reads text by the system's converter.
    private func converted(_ bytes: Data) -> String? {
        guard let name = Self.registered[name] else { return nil }
        let encoding = CFStringConvertIANACharSetNameToEncoding(name as CFString)
        guard encoding != kCFStringEncodingInvalidId else { return nil }
        return String(
            data: bytes,
            encoding: String.Encoding(rawValue: CFStringConvertEncodingToNSStringEncoding(encoding)),
        )
    }

    /// The names by which IANA's registry knows them.
    private static let registered = CharsetLabels.converters.mapValues(\.apple)
}
#else
import Glibc

extension Charset {
    /// Reads text by the C library's converter.
    private func converted(_ bytes: Data) -> String? {
        guard let name = CharsetLabels.converters[name]?.linux else { return nil }
        let converter = unsafe iconv_open("UTF-8", name)
        // What the function returns for an error.
        guard unsafe converter != iconv_t(bitPattern: -1) else { return nil }
        defer { unsafe iconv_close(converter) }
        var text = Data()
        var source = Array(bytes).map { CChar(bitPattern: $0) }
        var piece = [CChar](repeating: 0, count: 4096)
        let isValid = unsafe source.withUnsafeMutableBufferPointer { source in
            var input = source.baseAddress
            var inputLeft = source.count
            var isFlushing = inputLeft == 0
            while true {
                let outcome = unsafe piece.withUnsafeMutableBufferPointer { room -> (result: Int, code: Int32) in
                    var output = room.baseAddress
                    var outputLeft = room.count
                    // At the end, a charset with states completes its last character.
                    let result =
                        isFlushing
                        ? unsafe iconv(converter, nil, nil, &output, &outputLeft)
                        : unsafe iconv(converter, &input, &inputLeft, &output, &outputLeft)
                    let code = errno
                    let written = room.count - outputLeft
                    unsafe text.append(
                        contentsOf: UnsafeRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[..<written]))
                    )
                    return (result, code)
                }
                guard outcome.result == -1 else {
                    if isFlushing { return true }
                    isFlushing = true
                    continue
                }
                guard outcome.code == E2BIG else { return false }
            }
        }
        return isValid ? String(bytes: text, encoding: .utf8) : nil
    }
}
#endif
