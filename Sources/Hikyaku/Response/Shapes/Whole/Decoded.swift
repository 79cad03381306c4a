/// The body decoded as a whole: what a request uses that says nothing else.
///
/// A `Result` of `Void` reads nothing, as ``EmptyResponse`` does.
public enum Decoded<Result>: ResponseDefinition {
    /// What the decoder reads; anything where nothing is decoded, since `Result` is `Void`.
    public static var acceptedMediaTypes: String? { Result.self == Void.self ? EmptyResponse.acceptedMediaTypes : nil }

    /// That nothing can read the result; the compiler says so of a request whose `Response` it is.
    public static var definitionProblem: String? {
        Result.self == Void.self || Result.self is any Decodable.Type ? nil : "nothing can read \(Result.self)"
    }

    /// Decodes the body.
    public static func read(_ response: BufferedResponse) throws -> Result {
        let value: Any =
            if let type = Result.self as? any Decodable.Type { try response.decode(type) } else { () }
        guard let result = value as? Result else {
            throw TransportError(.definition, "nothing can read \(Result.self)")
        }
        return result
    }
}

extension Decoded: DecodedPart where Result: Decodable {}
