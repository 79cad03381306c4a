#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Values in JSON one after another, a line each, decoded as they arrive: JSON Lines, or NDJSON.
///
/// ```swift
/// nonisolated struct AllDishes: Shop.Request {
///     typealias Definition = JSONLinesResponse<Dish>
///     var path: RequestPath { "/dishes.jsonl" }
/// }
///
/// for try await dish in try await client.send(AllDishes()) { show(dish) }
/// ```
/// The result is a `JSONLines`, which can be read once. A slow reader slows the service down. It throws the
/// ``APIError`` of the call, as an ``EventStream`` does: a line that can't be decoded ends it as
/// ``APIError/decoding(_:)``, whose `underlyingError` is a `JSONLineError`, or as ``APIError/service(_:_:)`` if it is
/// the service's failure.
public enum JSONLinesResponse<Value: Decodable & Sendable>: ResponseDefinition {
    /// JSON Lines by all of its names.
    public static var acceptedMediaTypes: String? { "application/jsonl, application/x-ndjson, application/ndjson" }
    /// The values are read while they are received.
    public static var streamsBody: Bool { true }

    /// Returns the values as a stream.
    public static func read(
        streaming response: HTTPResponse,
        context: ResponseContext,
    ) async throws -> JSONLines<HTTPBody, Value> {
        values(of: response.body, by: context.decoder).throwing(context.converting)
    }

    /// Returns the values of a body in memory.
    public static func read(_ response: BufferedResponse) throws -> JSONLines<HTTPBody, Value> {
        values(of: HTTPBody(response.body), by: response.decoder)
    }

    private static func values(of body: HTTPBody, by decoder: any ResponseDecoder) -> JSONLines<HTTPBody, Value> {
        // This decoder reports drift with its place in the stream.
        if let decoder = decoder as? HikyakuJSONDecoder { return body.jsonLines(of: Value.self, decoder: decoder) }
        return JSONLines(body) { try decoder.decode(Value.self, from: $0) }
    }
}

/// Values in JSON one after another, decoded as they arrive: a JSON text sequence ([RFC
/// 7464](https://www.rfc-editor.org/rfc/rfc7464)).
///
/// ```swift
/// nonisolated struct Readings: Shop.Request {
///     typealias Definition = JSONSequenceResponse<Double>
///     var path: RequestPath { "/readings" }
/// }
/// for try await reading in try await client.send(Readings()) { show(reading) }
/// ```
/// The values are read by the request's decoder if it is a `HikyakuJSONDecoder`, and by such a one otherwise. See
/// ``JSONLinesResponse``.
public enum JSONSequenceResponse<Value: Decodable & Sendable>: ResponseDefinition {
    /// JSON text sequences.
    public static var acceptedMediaTypes: String? { "application/json-seq" }
    /// The values are read while they are received.
    public static var streamsBody: Bool { true }

    /// Returns the values as a stream.
    public static func read(
        streaming response: HTTPResponse,
        context: ResponseContext,
    ) async throws -> JSONLines<HTTPBody, Value> {
        values(of: response.body, by: context.decoder).throwing(context.converting)
    }

    /// Returns the values of a body in memory.
    public static func read(_ response: BufferedResponse) throws -> JSONLines<HTTPBody, Value> {
        values(of: HTTPBody(response.body), by: response.decoder)
    }

    private static func values(of body: HTTPBody, by decoder: any ResponseDecoder) -> JSONLines<HTTPBody, Value> {
        body.jsonSequence(of: Value.self, decoder: decoder as? HikyakuJSONDecoder ?? HikyakuJSONDecoder())
    }
}

extension RequestBody {
    /// Values in JSON, a line each: JSON Lines, or NDJSON.
    ///
    /// The values are encoded when the call begins. For a stream, or very many of them, use ``stream(_:type:)``.
    ///
    /// - Parameters:
    ///   - values: The values; an encoder that writes line breaks inside of a value makes the body invalid.
    ///   - type: The media type.
    /// - Returns: The body.
    public static func jsonLines(
        _ values: [some Encodable & Sendable],
        type: String = "application/jsonl",
    ) -> RequestBody {
        RequestBody { encoder in
            var bytes = Data()
            for value in values { bytes += try encoder.encode(value) + "\n".utf8 }
            return (HTTPBody(bytes), type)
        }
    }

    /// Values in JSON as a JSON text sequence ([RFC 7464](https://www.rfc-editor.org/rfc/rfc7464)).
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - type: The media type.
    /// - Returns: The body.
    public static func jsonSequence(
        _ values: [some Encodable & Sendable],
        type: String = "application/json-seq",
    ) -> RequestBody {
        RequestBody { encoder in
            var bytes = Data()
            for value in values { bytes += "\u{1E}".utf8 + (try encoder.encode(value)) + "\n".utf8 }
            return (HTTPBody(bytes), type)
        }
    }
}
