#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A way to read a response: decoded as a whole, as text, not at all.
///
/// A shape of one's own is a type without values:
/// ```swift
/// enum LineCount: ResponseDefinition {
///     static func read(_ response: BufferedResponse) throws -> Int {
///         response.body.count { $0 == UInt8(ascii: "\n") }
///     }
/// }
/// ```
/// A request names it: `typealias Definition = LineCount`. One that is read from a single value of a document is a
/// ``DecodedPart``, which can stand inside of others.
public protocol ResponseDefinition<Result>: Sendable {
    /// What reading gives; follows from ``read(_:)``.
    associatedtype Result
    /// The media types to ask for by `Accept`; `nil`, the default, asks for what the decoder reads.
    static var acceptedMediaTypes: String? { get }
    /// Whether the body is handed on as a stream instead of being collected first. Default: `false`.
    ///
    /// The request's `failure(in:)` is then asked only about responses whose status isn't accepted, which are
    /// collected.
    static var streamsBody: Bool { get }
    /// Whether a status means success, where the request doesn't say otherwise. Default: 200 to 299.
    static func accepts(_ status: HTTPStatus) -> Bool
    /// Why nothing can be read so, in words; asked for before anything is sent. Default: `nil`, nothing is wrong.
    ///
    /// A request with a problem ends as ``APIError/invalidRequest(_:)`` with ``FailureReason/definition``.
    static var definitionProblem: String? { get }
    /// Hands over each part of a result, for observers that look for models in it. Default: the result itself.
    ///
    /// A shape whose result is a tuple, of which nobody can say more, hands over the parts that it was made of.
    static func forEachPart(of result: Result, _ visit: (Any) -> Void)

    /// Reads a response whose status was accepted and that holds no failure, from memory.
    ///
    /// - Parameter response: The response, with the decoder to read it by.
    /// - Returns: What the caller gets.
    /// - Throws: Anything; `DecodingError` and ``DecodingDiagnosis`` say where.
    static func read(_ response: BufferedResponse) throws -> Result

    /// Reads a response whose status was accepted from its body's stream: called where ``streamsBody`` says so.
    ///
    /// Gives the same as ``read(_:)`` with the body in memory. Default: collects the body, and reads that.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - context: What the client and the request have to say about reading.
    /// - Returns: What the caller gets.
    /// - Throws: As ``read(_:)``, and what the body throws.
    static func read(streaming response: HTTPResponse, context: ResponseContext) async throws -> Result
}

extension ResponseDefinition {
    /// What the decoder reads.
    public static var acceptedMediaTypes: String? { nil }
    /// The body is collected first.
    public static var streamsBody: Bool { false }
    /// 200 to 299.
    public static func accepts(_ status: HTTPStatus) -> Bool { status.isSuccess }
    /// Nothing is wrong.
    public static var definitionProblem: String? { nil }
    /// The result itself.
    public static func forEachPart(of result: Result, _ visit: (Any) -> Void) {
        visit(result)
    }
    /// Collects the body, and reads that.
    public static func read(streaming response: HTTPResponse, context: ResponseContext) async throws -> Result {
        try read(await BufferedResponse(collecting: response, context: context))
    }
}

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
            throw TransportError(.definition, "no Definition can read \(Result.self)")
        }
        return result
    }
}

extension Decoded: DecodedPart where Result: Decodable {}

/// A shape that may read nothing, and is then no more than a default in whose place a request has a function of its
/// own.
private protocol PerhapsUnreadable {
    static var isReadable: Bool { get }
}

extension Decoded: PerhapsUnreadable {
    static var isReadable: Bool { Result.self == Void.self || Result.self is any Decodable.Type }
}

extension ResponseDefinition {
    /// Why nothing can be read so inside of another shape.
    static var problemInside: String? {
        let isReadable = (Self.self as? any PerhapsUnreadable.Type)?.isReadable ?? true
        return isReadable ? definitionProblem : "no Definition can read \(Result.self)"
    }
}

/// Nothing: `Response` is `Void`.
///
/// Whatever the body holds is passed over.
public enum EmptyResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }

    /// Reads nothing.
    public static func read(_ response: BufferedResponse) {}
}

/// The body's bytes as they came.
public enum RawResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }

    /// Gives the body.
    public static func read(_ response: BufferedResponse) -> Data { response.body }
}

/// The body as a stream: `Response` is ``HTTPBody``, which is read piece by piece, once.
///
/// ```swift
/// for try await piece in try await client.send(Export()) { try file.write(contentsOf: piece) }
/// ```
/// The call is over when the header block is there, but its deadline holds until the stream's end. What breaks off
/// meanwhile is thrown by the stream, as a ``TransportError``.
public enum StreamedResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }
    /// The body is handed on as it comes.
    public static var streamsBody: Bool { true }

    /// Hands the body on.
    public static func read(streaming response: HTTPResponse, context: ResponseContext) -> HTTPBody { response.body }

    /// Hands on what is in memory.
    public static func read(_ response: BufferedResponse) -> HTTPBody { HTTPBody(response.body) }
}
