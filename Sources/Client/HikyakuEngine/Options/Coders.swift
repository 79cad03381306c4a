#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes the bytes of a response into a model: the protocol for decoders.
///
/// ```swift
/// struct EnvelopeDecoder: ResponseDecoder {
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
}

extension HikyakuJSONDecoder: ResponseDecoder {}

extension JSONDecoder: ResponseDecoder {}

extension PropertyListDecoder: ResponseDecoder {
    /// Property lists, in any format.
    public var mediaType: String { "application/x-plist" }
}

/// Encodes the value of a `.json` body: the protocol for encoders.
///
/// ```swift
/// struct CSVEncoder: RequestEncoder {
///     var mediaType: String { "text/csv" }
///
///     func encode<Value: Encodable>(_ value: Value) throws -> Data {
///         guard let rows = value as? [[String]] else {
///             throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "not rows of texts"))
///         }
///         return Data(rows.map { $0.joined(separator: ",") + "\r\n" }.joined().utf8)
///     }
/// }
/// struct Import: Shop.Request {
///     typealias Definition = EmptyResponse
///     var rows: [[String]]
///     var method: HTTPMethod { .post }
///     var path: RequestPath { "/dishes/import" }
///     var encoder: any RequestEncoder { CSVEncoder() }
///     var body: RequestBody? { .json(rows) }
/// }
/// ```
/// `encode` is called concurrently. Foundation's encoders conform. Don't change the configuration of an encoder after
/// you have passed it to Hikyaku.
public protocol RequestEncoder: Sendable {
    /// The `Content-Type` of its output. Default: `application/json`.
    var mediaType: String { get }

    /// Encodes a value as a whole document.
    ///
    /// - Throws: Anything; it is reported as `.invalidRequest` with ``FailureReason/body``. The report has the location
    ///   of an `EncodingError`, which is its coding path, and no other part of its text.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension RequestEncoder {
    /// JSON.
    public var mediaType: String { "application/json" }
}

extension HikyakuJSONEncoder: RequestEncoder {}

extension JSONEncoder: RequestEncoder {}

extension PropertyListEncoder: RequestEncoder {
    /// Property lists, in any format.
    public var mediaType: String { "application/x-plist" }
}

/// Details of a response that can't be decoded, in addition to its first difference without values.
///
/// ```swift
/// struct Menu: Shop.Request {
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

/// The coders of a client without its own: JSON with dates in ISO 8601.
package enum WebJSON {
    package static let decoder = HikyakuJSONDecoder()

    /// Keys are sorted, so that equal values have equal bodies.
    package static let encoder: HikyakuJSONEncoder = {
        var encoder = HikyakuJSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()

    /// For the values of queries and forms.
    package static let parameterEncoder: HikyakuJSONEncoder = {
        var encoder = HikyakuJSONEncoder()
        encoder.leavesOutReadOnlyMembers = true
        return encoder
    }()
}
