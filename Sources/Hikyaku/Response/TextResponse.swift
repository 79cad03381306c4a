#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body as a text in the charset that `Content-Type` names, UTF-8 where it names none.
///
/// UTF-8, US-ASCII, ISO-8859-1, UTF-16 and UTF-32 are read. A body that isn't in its charset is a decoding failure,
/// never a text with replacement characters.
public enum TextResponse: ResponseDefinition {
    /// Text before anything else.
    public static var acceptedMediaTypes: String? { "text/*, */*;q=0.5" }

    /// Decodes the body as text.
    public static func read(_ response: BufferedResponse) throws -> String {
        let name = MediaType.parameter("charset", in: response.headers[.contentType])?.asciiLowercased ?? "utf-8"
        guard let encoding = encodings[name] else {
            throw DecodingDiagnosis(
                kind: .malformed,
                expected: "a text in a charset that is known here",
                found: "another charset",
            )
        }
        let bytes = response.body
        guard bytes.count % encoding.unitBytes == 0, let text = String(bytes: bytes, encoding: encoding) else {
            throw DecodingDiagnosis(kind: .malformed, expected: "a text in \(name)", found: "bytes that are none")
        }
        // A mark of the order of bytes is no part of the text.
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii, "iso-8859-1": .isoLatin1,
        "latin1": .isoLatin1, "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
        "utf-32": .utf32, "utf-32le": .utf32LittleEndian, "utf-32be": .utf32BigEndian,
    ]
}

extension String.Encoding {
    /// The size of what every text in the encoding is a multiple of, in bytes.
    fileprivate var unitBytes: Int {
        switch self {
        case .utf16, .utf16LittleEndian, .utf16BigEndian: 2
        case .utf32, .utf32LittleEndian, .utf32BigEndian: 4
        default: 1
        }
    }
}

/// Reading of `Content-Type` values (RFC 9110, section 8.3.1).
enum MediaType {
    /// A parameter's value without its quotes: `utf-8` of `text/html; charset="utf-8"`.
    ///
    /// - Returns: The first value of that name that isn't empty.
    static func parameter(_ name: String, in value: String?) -> String? {
        guard let value else { return nil }
        for part in parts(of: value).dropFirst() {
            let pair = part.byteSplit(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingSpaces.asciiLowercased == name else { continue }
            let parameter = unquoted(pair[1].trimmingSpaces)
            if !parameter.isEmpty { return parameter }
        }
        return nil
    }

    /// What stands between semicolons, but for those inside quotes.
    private static func parts(of value: String) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        let parts = value.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
            if scalar == ";", !isQuoted { return true }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = scalar == "\\" && isQuoted && !isEscaped
            return false
        }
        return parts.map { Substring($0) }
    }

    private static func unquoted(_ text: Substring) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return String(text) }
        var isEscaped = false
        return scalars.dropFirst().dropLast().reduce(into: "") { result, scalar in
            if scalar == "\\", !isEscaped {
                isEscaped = true
            } else {
                isEscaped = false
                result.unicodeScalars.append(scalar)
            }
        }
    }
}
