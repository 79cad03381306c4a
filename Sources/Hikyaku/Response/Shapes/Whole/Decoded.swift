/// The body decoded as a whole: what a request uses that says nothing else.
public enum Decoded<Result>: ResponseShape {
    /// What the decoder reads; anything where nothing is decoded, since `Result` is `Void`.
    public static var acceptedMediaTypes: String? { Result.self == Void.self ? EmptyResponse.acceptedMediaTypes : nil }
}

extension Decoded: ResponseDefinition, ValueResponseDefinition where Result: Decodable {
    /// Decodes the body.
    public static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> Result {
        try context.decoder.decode(Result.self, from: try await response.body.collect(upTo: context.bodyBytesMax))
    }
}
