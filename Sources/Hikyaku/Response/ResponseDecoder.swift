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

    /// Whether the bytes can be looked at as JSON when decoding has failed.
    var readsJSON: Bool { mediaType.lowercased().contains("json") }

    /// What becomes of the keys of its documents, as far as it can be asked.
    var convertingKeys: ((String) -> String)? { (self as? HikyakuJSONDecoder)?.convertingKeys }
}

extension HikyakuJSONDecoder: ResponseDecoder {}

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

/// Takes the place of a `decoder` of a wrong type, until the request is built and rejected.
struct UnfitDecoder: ResponseDecoder {
    /// The name of the type that was written.
    let type: String

    var refusal: TransportError {
        TransportError(.decoder, "the request's decoder is a \(type), which is no ResponseDecoder")
    }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        throw refusal
    }
}

/// Takes the place of an `encoder` of a wrong type, likewise.
struct UnfitEncoder: RequestEncoder {
    /// The name of the type that was written.
    let type: String

    var refusal: TransportError {
        TransportError(.encoder, "the request's encoder is a \(type), which is no RequestEncoder")
    }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        throw refusal
    }
}

/// The coders of a client that was given none: JSON with dates in ISO 8601.
enum WebJSON {
    static let decoder = HikyakuJSONDecoder()

    /// Keys are sorted, so that equal values have equal bodies.
    static let encoder: HikyakuJSONEncoder = {
        var encoder = HikyakuJSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()
}
