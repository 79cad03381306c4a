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
