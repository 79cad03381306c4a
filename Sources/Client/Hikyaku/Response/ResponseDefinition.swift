import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A way to read a response: decoded as a whole, as text, or not at all.
///
/// Your own definition is a type without values:
/// ```swift
/// enum LineCount: ResponseDefinition {
///     static func read(_ response: BufferedResponse) throws -> Int {
///         response.body.count { $0 == UInt8(ascii: "\n") }
///     }
/// }
/// ```
/// A request sets it: `typealias Definition = LineCount`. A definition that is read from a single value of a document
/// is a ``DecodedPart``, which can be nested in others.
public protocol ResponseDefinition<Result>: Sendable {
    /// The type of the result; inferred from ``read(_:)``.
    associatedtype Result
    /// The media types to request with `Accept`; `nil`, the default, requests what the decoder reads.
    static var acceptedMediaTypes: String? { get }
    /// Whether the body is passed on as a stream instead of being buffered first. Default: `false`.
    ///
    /// If it is, the request's `failure(in:)` is called only for responses whose status isn't accepted; those are
    /// buffered.
    static var streamsBody: Bool { get }
    /// Whether a status means success, unless the request decides itself. Default: 200 to 299.
    static func accepts(_ status: HTTPStatus) -> Bool
    /// Why the definition is invalid; read before anything is sent. Default: `nil`, it is valid.
    ///
    /// A request with such a problem fails as ``APIError/invalidRequest(_:)`` with ``FailureReason/definition``.
    static var _definitionProblem: String? { get }
    /// Passes each part of a result to a closure, for observers that look for models in it. Default: the result itself.
    ///
    /// A definition whose result is a tuple, which can't be inspected, passes on the parts that it was made of.
    static func _forEachPart(of result: Result, _ visit: (Any) -> Void)

    /// Reads a response from memory. Its status was accepted, and it is not a failure.
    ///
    /// - Parameter response: The response, with its decoder.
    /// - Returns: What the caller gets.
    /// - Throws: Anything; `DecodingError` and ``DecodingDiagnosis`` include the path.
    static func read(_ response: BufferedResponse) throws -> Result

    /// Reads a response from the stream of its body: called if ``streamsBody`` is `true`. The status was accepted.
    ///
    /// The result is the same as that of ``read(_:)`` with the body in memory. Default: buffers the body, and reads
    /// that.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - context: The settings of the client and the request for reading.
    /// - Returns: What the caller gets.
    /// - Throws: As ``read(_:)``, and the error of the body.
    static func read(streaming response: HTTPResponse, context: ResponseContext) async throws -> Result
}

extension ResponseDefinition {
    /// What the decoder reads.
    public static var acceptedMediaTypes: String? { nil }
    /// The body is buffered first.
    public static var streamsBody: Bool { false }
    /// 200 to 299.
    public static func accepts(_ status: HTTPStatus) -> Bool { status.isSuccess }
    /// `nil`: always valid.
    public static var _definitionProblem: String? { nil }
    /// The result itself.
    public static func _forEachPart(of result: Result, _ visit: (Any) -> Void) {
        visit(result)
    }
    /// Buffers the body, and reads that.
    public static func read(streaming response: HTTPResponse, context: ResponseContext) async throws -> Result {
        try read(await BufferedResponse(collecting: response, context: context))
    }
}

extension ResponseDefinition {
    /// The fields that a client adds to its requests.
    static func clientHeaders(_ options: ClientOptions) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            .accept: acceptedMediaTypes ?? options.decoder.mediaType, .userAgent: options.userAgent,
        ]
        if self is any UncachedDefinition.Type { headers["Cache-Control"] = "no-cache" }
        return headers
    }
}

/// A definition whose requests forbid caches to respond with what they have stored.
protocol UncachedDefinition {}

/// The body decoded as a whole: the default of a request.
///
/// ```swift
/// struct Menu: Shop.Request {
///     typealias Response = [Dish]         // Definition is Decoded<[Dish]>
///     var path: RequestPath { "/dishes" }
/// }
/// ```
/// If `Result` is `Void`, it reads nothing, like ``EmptyResponse``.
public enum Decoded<Result>: ResponseDefinition {
    /// What the decoder reads; any type if nothing is decoded, since `Result` is `Void`.
    public static var acceptedMediaTypes: String? { Result.self == Void.self ? EmptyResponse.acceptedMediaTypes : nil }

    /// Decodes the body.
    public static func read(_ response: BufferedResponse) throws -> Result {
        let value: Any =
            if let type = Result.self as? any Decodable.Type { try response.decode(type) } else { () }
        guard let result = value as? Result else {
            throw ResponseCause.definition.error("no Definition can read \(Result.self)")
        }
        return result
    }
}

extension Decoded: DecodedPart where Result: Decodable {}

/// A definition that may be unable to read anything; then it is only a default that the request replaces by its own
/// function.
private protocol PossiblyUnreadable {
    static var isReadable: Bool { get }
}

extension Decoded: PossiblyUnreadable {
    static var isReadable: Bool { Result.self == Void.self || Result.self is any Decodable.Type }
}

extension ResponseDefinition {
    /// Why the definition is invalid inside another one.
    static var problemInside: String? {
        let isReadable = (Self.self as? any PossiblyUnreadable.Type)?.isReadable ?? true
        return isReadable ? _definitionProblem : "no Definition can read \(Result.self)"
    }
}

/// No result: `Response` is `Void`.
///
/// ```swift
/// struct RemoveDish: Shop.Request {
///     typealias Definition = EmptyResponse
///     var id: Int
///     var method: HTTPMethod { .delete }
///     var path: RequestPath { "/dishes/\(id)" }
/// }
/// try await client.send(RemoveDish(id: 1))
/// ```
/// The body is ignored.
public enum EmptyResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }

    /// Reads nothing.
    public static func read(_ response: BufferedResponse) {}
}

/// The body's bytes, unchanged.
///
/// ```swift
/// struct Receipt: Shop.Request {
///     typealias Definition = RawResponse      // Response is Data
///     var id: Int
///     var path: RequestPath { "/orders/\(id)/receipt.pdf" }
/// }
/// let document = try await client.send(Receipt(id: 1))
/// ```
public enum RawResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }

    /// Returns the body.
    public static func read(_ response: BufferedResponse) -> Data { response.body }
}

/// The body as a stream: `Response` is ``HTTPBody``, which is read piece by piece, once.
///
/// ```swift
/// struct Export: Shop.Request {
///     typealias Definition = StreamedResponse
///     var path: RequestPath { "/export.csv" }
/// }
/// for try await piece in try await client.send(Export()) { try file.write(contentsOf: piece) }
/// ```
/// The call has ended when the header block was received, but its deadline applies until the end of the stream. If the
/// stream fails before that, it throws the ``APIError`` of the call.
public enum StreamedResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }
    /// The body is passed on while it is received.
    public static var streamsBody: Bool { true }

    /// Returns the body.
    public static func read(streaming response: HTTPResponse, context: ResponseContext) -> HTTPBody {
        guard let convert = context.converting, response.body.bytes == nil else { return response.body }
        let source = ConvertedSource(response.body, convert)
        return HTTPBody(pulling: source, count: response.body.count) { source.converted($0) }
    }

    /// Returns the body in memory.
    public static func read(_ response: BufferedResponse) -> HTTPBody { HTTPBody(response.body) }
}

/// Reads another body, whose errors become those of its call.
private final class ConvertedSource: BodySource {
    private struct State: Sendable {
        let body: ReadBody
        let convert: ErrorConversion
    }

    /// `nil` at the end, so that the call is released.
    private let state: Lock<State?>
    private let isAtEnd = Lock(false)
    /// What reading it again throws, made before the call is released.
    private let consumed = Lock<(any Error)?>(nil)
    private let original: HTTPBody

    init(_ body: HTTPBody, _ convert: @escaping ErrorConversion) {
        (state, original) = (Lock(State(body: ReadBody(body), convert: convert)), body)
    }

    func next() async throws -> Data? {
        guard let state = state.withLock(\.self) else {
            if isAtEnd.withLock(\.self) { return nil }
            throw CancellationError()
        }
        do {
            let piece = try await state.body.next()
            if piece == nil {
                isAtEnd.withLock { $0 = true }
                cancel()
            }
            return piece
        } catch {
            throw state.convert(error)
        }
    }

    var trailers: HTTPHeaders { original.trailers }

    func cancel() {
        // Released outside of the lock: that closes its source.
        guard let ended = state.withLock({ $0.take() }) else { return }
        let error = ended.convert(HTTPCause.bodyConsumed.error("a one-shot body stream was read a second time"))
        consumed.withLock { $0 = error }
    }

    /// An error of reading the body that isn't its source's, as that of the call.
    func converted(_ error: any Error) -> any Error {
        if let convert = state.withLock({ $0?.convert }) { return convert(error) }
        return (error as? TransportError)?.reason == .bodyConsumed ? consumed.withLock(\.self) ?? error : error
    }
}

/// A definition that writes the body to a file.
protocol FileDefinition: ResponseDefinition {}
