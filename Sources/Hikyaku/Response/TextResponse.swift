#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body as text in the charset of its `Content-Type`, or UTF-8 without one.
///
/// ```swift
/// nonisolated struct Terms: Shop.Request {
///     typealias Definition = TextResponse         // Response is String
///     var path: RequestPath { "/terms.txt" }
/// }
/// let terms = try await client.send(Terms())
/// ```
/// UTF-8, US-ASCII, ISO-8859-1, UTF-16 and UTF-32 are supported. A body that is not valid in its charset is a decoding
/// failure, never text with replacement characters.
public enum TextResponse: ResponseDefinition {
    /// Text is preferred.
    public static var acceptedMediaTypes: String? { "text/*, */*;q=0.5" }

    /// Decodes the body as text.
    public static func read(_ response: BufferedResponse) throws -> String {
        let name = response.headers.mediaType?.parameter("charset")?.asciiLowercased ?? "utf-8"
        guard let encoding = encodings[name] else {
            throw DecodingDiagnosis(
                kind: .malformed,
                expected: "text in a supported charset",
                found: "an unsupported charset",
            )
        }
        let bytes = response.body
        guard bytes.count % encoding.unitBytes == 0, let text = String(bytes: bytes, encoding: encoding) else {
            throw DecodingDiagnosis(
                kind: .malformed,
                expected: "text in \(name)",
                found: "bytes that are not valid in it",
            )
        }
        // A byte order mark is not a part of the text.
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii, "iso-8859-1": .isoLatin1,
        "latin1": .isoLatin1, "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
        "utf-32": .utf32, "utf-32le": .utf32LittleEndian, "utf-32be": .utf32BigEndian,
    ]
}

extension String.Encoding {
    /// The size of a code unit of the encoding, in bytes.
    fileprivate var unitBytes: Int {
        switch self {
        case .utf16, .utf16LittleEndian, .utf16BigEndian: 2
        case .utf32, .utf32LittleEndian, .utf32BigEndian: 4
        default: 1
        }
    }
}
