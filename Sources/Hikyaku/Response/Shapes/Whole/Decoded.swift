/// The body decoded as a whole: what a request uses that says nothing else.
public enum Decoded<Result>: ResponseShape {
    /// What the decoder reads; anything where nothing is decoded, since `Result` is `Void`.
    public static var acceptedMediaTypes: String? { Result.self == Void.self ? EmptyResponse.acceptedMediaTypes : nil }
}

extension Decoded: ResponseDefinition, ValueResponseDefinition where Result: Decodable {
    /// Decodes the body.
    public static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> Result {
        if let bytes = response.body.bytes, bytes.count <= context.bodyBytesMax {
            return try context.decoder.decode(Result.self, from: bytes)
        }
        return try context.decoder.decode(Result.self, from: await response.body.collect(upTo: context.bodyBytesMax))
    }
}
