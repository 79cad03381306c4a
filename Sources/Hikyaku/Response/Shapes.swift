#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body decoded as a whole: what a request uses that says nothing else.
public enum Decoded<Result>: ResponseShape {}

extension Decoded: ResponseDefinition where Result: Decodable {
    /// Decodes the body.
    public static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> Result {
        try context.decoder.decode(Result.self, from: try await response.body.collect(upTo: context.bodyBytesMax))
    }
}

/// Nothing: `Response` is `Void`.
///
/// Whatever the body holds is passed over.
public enum EmptyResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }

    /// Reads nothing.
    public static func read(_ response: HTTPResponse, context: ResponseContext) async throws {}
}

/// The body's bytes as they came.
public enum RawResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }

    /// Collects the body.
    public static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> Data {
        try await response.body.collect(upTo: context.bodyBytesMax)
    }
}

/// The body as a text in the charset that `Content-Type` names, UTF-8 where it names none.
///
/// UTF-8, US-ASCII, ISO-8859-1, UTF-16 and UTF-32 are read. A body that isn't in its charset is a decoding failure,
/// never a text with replacement characters.
public enum TextResponse: ResponseDefinition {
    /// Text before anything else.
    public static var acceptedMediaTypes: String? { "text/*, */*;q=0.5" }

    /// Decodes the body as text.
    public static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> String {
        let name = MediaType.parameter("charset", in: response.headers[.contentType])?.lowercased() ?? "utf-8"
        guard let encoding = encodings[name] else {
            throw DecodingDiagnosis(
                kind: .malformed,
                expected: "a text in a charset that is known here",
                found: "another charset",
            )
        }
        let bytes = try await response.body.collect(upTo: context.bodyBytesMax)
        guard let text = String(bytes: bytes, encoding: encoding) else {
            throw DecodingDiagnosis(kind: .malformed, expected: "a text in \(name)", found: "bytes that are none")
        }
        return text
    }

    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii, "iso-8859-1": .isoLatin1,
        "latin1": .isoLatin1, "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
        "utf-32": .utf32, "utf-32le": .utf32LittleEndian, "utf-32be": .utf32BigEndian,
    ]
}

/// Reading of `Content-Type` values (RFC 9110, section 8.3.1).
enum MediaType {
    /// A parameter's value without its quotes: `utf-8` of `text/html; charset="utf-8"`.
    static func parameter(_ name: String, in value: String?) -> String? {
        guard let value else { return nil }
        for part in value.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingSpaces.lowercased() == name else { continue }
            let parameter = pair[1].trimmingSpaces
            let isQuoted = parameter.count >= 2 && parameter.hasPrefix("\"") && parameter.hasSuffix("\"")
            return String(isQuoted ? parameter.dropFirst().dropLast() : parameter)
        }
        return nil
    }
}
