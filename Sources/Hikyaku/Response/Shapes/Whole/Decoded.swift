/// The body decoded as a whole: what a request uses that says nothing else.
///
/// A `Result` of `Void` reads nothing, as ``EmptyResponse`` does.
public enum Decoded<Result>: ResponseDefinition {
    /// What the decoder reads; anything where nothing is decoded, since `Result` is `Void`.
    public static var acceptedMediaTypes: String? { Result.self == Void.self ? EmptyResponse.acceptedMediaTypes : nil }

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

/// A shape that may read nothing, and is then no more than a default in whose place a request has a function of its
/// own.
protocol PerhapsUnreadable {
    static var isReadable: Bool { get }
}

extension Decoded: PerhapsUnreadable {
    static var isReadable: Bool { Result.self == Void.self || Result.self is any Decodable.Type }
}

extension ResponseDefinition {
    /// Why nothing can be read so inside of another shape.
    static var problemInside: String? {
        let isReadable = (Self.self as? any PerhapsUnreadable.Type)?.isReadable ?? true
        return isReadable ? definitionProblem : "nothing can read \(Result.self)"
    }
}
