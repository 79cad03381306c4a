#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes the bytes of a response into a model: the protocol for decoders.
///
/// ```swift
/// nonisolated struct EnvelopeDecoder: ResponseDecoder {
///     private struct Envelope<Value: Decodable>: Decodable { let data: Value }
///
///     func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
///         try HikyakuJSONDecoder().decode(Envelope<Value>.self, from: bytes).data
///     }
/// }
/// let client = APIClient(options: ClientOptions(decoder: EnvelopeDecoder()))
/// ```
/// `decode` is called concurrently. Foundation's decoders conform. Don't change the configuration of a decoder after
/// you have passed it to Hikyaku.
public protocol ResponseDecoder: Sendable {
    /// The media type to request with `Accept`. Default: `application/json`.
    var mediaType: String { get }

    /// Decodes a whole document.
    ///
    /// - Throws: `DecodingError` or ``DecodingDiagnosis``, from which the failure's diagnosis is created; anything else
    ///   is reported without a path.
    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value
}

extension ResponseDecoder {
    /// JSON.
    public var mediaType: String { "application/json" }

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

extension HikyakuJSONDecoder: ResponseDecoder {}

extension JSONDecoder: ResponseDecoder {}

extension PropertyListDecoder: ResponseDecoder {
    /// Property lists, in any format.
    public var mediaType: String { "application/x-plist" }
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

/// The coders of a client without its own: JSON with dates in ISO 8601.
enum WebJSON {
    static let decoder = HikyakuJSONDecoder()

    /// Keys are sorted, so that equal values have equal bodies.
    static let encoder: HikyakuJSONEncoder = {
        var encoder = HikyakuJSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()

    /// For the values of queries and forms.
    static let parameterEncoder: HikyakuJSONEncoder = {
        var encoder = HikyakuJSONEncoder()
        encoder.leavesOutReadOnlyMembers = true
        return encoder
    }()
}

/// Details of a response that can't be decoded, in addition to its first difference without values.
///
/// ```swift
/// nonisolated struct Menu: Shop.Request {
///     typealias Response = [Dish]
///     var path: RequestPath { "/dishes" }
///     var diagnosisDetail: DiagnosisDetail { .everyFailure }
/// }
/// ```
/// A request sets it by ``APIRequest/diagnosisDetail``, or a client for all requests by ``APIClient/diagnosing(_:)``;
/// both are combined. The effective decoder provides the details and keeps all its strategies. For a decoder that isn't
/// from this package, only ``values`` is possible, for the `DecodingError` that it throws.
public struct DiagnosisDetail: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Creates a set of options from bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// All array elements that can't be decoded, as ``DecodingDiagnosis/further``: see
    /// ``HikyakuJSONDecoder/collectsFailures``.
    public static let everyFailure = DiagnosisDetail(rawValue: 1)
    /// Strings and numbers unmasked, and the text of the decoder's error.
    ///
    /// For tests and debugging: errors are written to logs, and values may be secrets.
    public static let values = DiagnosisDetail(rawValue: 2)
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

extension APIClient {
    /// A client whose errors have more details of a response that can't be decoded.
    ///
    /// ```swift
    /// let items = try await client.diagnosing([.everyFailure, .values]).send(Qiita.Items())
    /// ```
    /// - Parameter detail: The details, in addition to those of requests and of earlier calls of this function.
    /// - Returns: The client.
    public func diagnosing(_ detail: DiagnosisDetail) -> APIClient {
        with { $0.diagnosisDetail.formUnion(detail) }
    }

    /// A client whose errors contain no values unless a request needs them: for one whose responses are secrets.
    package func hidingValues() -> APIClient {
        with { $0.diagnosisDetail.subtract(.values) }
    }
}
