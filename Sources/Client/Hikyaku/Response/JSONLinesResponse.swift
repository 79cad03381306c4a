#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Values in JSON one after another, a line each, decoded as they arrive: JSON Lines, or NDJSON.
///
/// ```swift
/// struct AllDishes: Shop.Request {
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
