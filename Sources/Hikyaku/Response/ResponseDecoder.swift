#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What reads the bytes of a response into a model: the seam for decoders.
///
/// `decode` is called concurrently. Foundation's decoders conform; one that is configured must not be changed after it
/// was handed over.
public protocol ResponseDecoder: Sendable {
    /// What is asked of the server by `Accept`. Default: `application/json`.
    var mediaType: String { get }

    /// Reads a whole document.
    ///
    /// - Throws: `DecodingError` or ``DecodingDiagnosis``, from which the failure's diagnosis is made; anything else is
    ///   reported without a place.
    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value
}

extension ResponseDecoder {
    /// JSON.
    public var mediaType: String { "application/json" }
}

extension JSONDecoder: ResponseDecoder {}

extension PropertyListDecoder: ResponseDecoder {
    /// Property lists, in whichever form.
    public var mediaType: String { "application/x-plist" }
}

/// Stands for "the client's", and decodes as a client without settings would.
struct InheritedDecoder: ResponseDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        try WebJSON.decoder.decode(type, from: bytes)
    }
}

/// Stands for "the client's", and encodes as a client without settings would.
struct InheritedEncoder: RequestEncoder {
    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try WebJSON.encoder.encode(value)
    }
}

/// The coders of a client that was given none: JSON with dates in ISO 8601.
enum WebJSON {
    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            try date(decoder.singleValueContainer().decode(String.self), at: decoder.codingPath)
        }
        return decoder
    }()

    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }()

    private static func date(_ text: String, at codingPath: [any CodingKey]) throws -> Date {
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        if let date = try? Date(text, strategy: .iso8601) { return date }
        if let date = try? Date(text, strategy: fractional) { return date }
        throw DecodingDiagnosis(
            invalidValueAt: codingPath,
            expected: "a date in ISO 8601",
            found: "a string that is none",
        )
    }
}
