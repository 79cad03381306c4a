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

/// The body as a stream: `Response` is ``HTTPBody``, which is read piece by piece, once.
///
/// ```swift
/// for try await piece in try await client.send(Export()) { try file.write(contentsOf: piece) }
/// ```
/// The call is over when the header block is there, but its deadline holds until the stream's end. What breaks off
/// meanwhile is thrown by the stream, as a ``TransportError``.
public enum StreamedResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }
    /// The body is handed on as it comes.
    public static var streamsBody: Bool { true }

    /// Hands the body on.
    public static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> HTTPBody {
        response.body
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
