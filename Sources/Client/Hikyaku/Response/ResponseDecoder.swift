#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ResponseDecoder {
    /// Whether the bytes can be examined as JSON when decoding has failed.
    var readsJSON: Bool { mediaType.lowercased().contains("json") }

    /// How the decoder converts the keys of its documents, as far as that is known.
    var convertingKeys: ((String) -> String)? { (self as? HikyakuJSONDecoder)?.convertingKeys }

    /// How it converts the keys of a document, as far as that is known, also of Foundation's decoder.
    var knownKeyConversion: ((String) -> String)? {
        if case .convertFromSnakeCase? = (self as? HikyakuJSONDecoder)?.keyDecodingStrategy {
            return SnakeCase.camelCase
        }
        if case .convertFromSnakeCase? = (self as? JSONDecoder)?.keyDecodingStrategy { return SnakeCase.camelCase }
        return convertingKeys
    }
}

/// A placeholder for the client's coders; by itself it reads and writes like the default client.
struct InheritedCoder: ResponseDecoder, RequestEncoder {
    var mediaType: String { "application/json" }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        try WebJSON.decoder.decode(type, from: bytes)
    }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try WebJSON.encoder.encode(value)
    }
}

/// Replaces a coder of a wrong type until the request is built and rejected.
struct InvalidCoder: ResponseDecoder, RequestEncoder {
    let error: TransportError
    var mediaType: String { "application/json" }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value { throw error }

    func encode<Value: Encodable>(_ value: Value) throws -> Data { throw error }
}

extension DiagnosisDetail {
    /// The same decoder, which also provides these details, if it is able to.
    func applied(to decoder: any ResponseDecoder) -> any ResponseDecoder {
        guard !isEmpty, var decoder = decoder as? HikyakuJSONDecoder else { return decoder }
        if contains(.everyFailure) { decoder.collectsFailures = true }
        if contains(.values) { decoder.revealsValues = true }
        return decoder
    }
}

extension BufferedResponse {
    /// The decoder for a hint: what it tolerates is not drift of the call.
    var silentDecoder: any ResponseDecoder {
        guard var own = decoder as? HikyakuJSONDecoder else { return decoder }
        own.onDrift = nil
        own.collectsFailures = false
        return own
    }
}
