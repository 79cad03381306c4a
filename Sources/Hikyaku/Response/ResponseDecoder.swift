#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
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
        TransportError(.decoder, "the request's decoder is a \(type), which is not a ResponseDecoder")
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
        TransportError(.encoder, "the request's encoder is a \(type), which is not a RequestEncoder")
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

/// What is told of a response that can't be decoded, beyond its first difference and without its values.
///
/// Asked for by a request, ``APIRequest/diagnosisDetail``, or for all of a client's, ``APIClient/diagnosing(_:)``; what
/// either asks for holds. The decoder in force is asked to tell it and keeps all of its strategies; where that is none
/// of this package, ``values`` alone can be told, of what it throws as a `DecodingError`.
public struct DiagnosisDetail: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Makes a set of options from bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// All elements of arrays that can't be read, as ``DecodingDiagnosis/further``: see
    /// ``HikyakuJSONDecoder/collectsFailures``.
    public static let everyFailure = DiagnosisDetail(rawValue: 1)
    /// Texts and numbers as they are, and what the decoder's error says itself.
    ///
    /// For tests and debugging: errors end up in logs, and values may be secrets.
    public static let values = DiagnosisDetail(rawValue: 2)
}

extension DiagnosisDetail {
    /// The same decoder, which tells this too, if it is one that can be asked.
    func asked(of decoder: any ResponseDecoder) -> any ResponseDecoder {
        guard !isEmpty, var decoder = decoder as? HikyakuJSONDecoder else { return decoder }
        if contains(.everyFailure) { decoder.collectsFailures = true }
        if contains(.values) { decoder.revealsValues = true }
        return decoder
    }
}

extension APIClient {
    /// A client whose errors tell more of a response that can't be decoded.
    ///
    /// ```swift
    /// let items = try await client.diagnosing([.everyFailure, .values]).send(Items())
    /// ```
    /// - Parameter detail: What is told beside what requests, and earlier calls of this, ask for.
    /// - Returns: The client that tells it.
    public func diagnosing(_ detail: DiagnosisDetail) -> APIClient {
        with { $0.diagnosisDetail.formUnion(detail) }
    }

    /// A client whose errors tell no values but where a request asks for them: for one whose responses are secrets.
    package func hidingValues() -> APIClient {
        with { $0.diagnosisDetail.subtract(.values) }
    }
}
