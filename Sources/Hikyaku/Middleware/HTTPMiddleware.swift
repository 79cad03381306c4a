/// A step that stands around all that lies below it: the seam for whatever an app wants to happen to every call.
///
/// ```swift
/// struct DeviceHeader: HTTPMiddleware {
///     let name: String
///     func intercept(
///         _ request: HTTPRequest, context: RequestContext, next: MiddlewareNext
///     ) async throws -> HTTPResponse {
///         var request = request
///         request.headers["Device"] = name
///         return try await next(request)
///     }
/// }
/// ```
/// ## Writing one
/// `intercept` is called once for each call, concurrently, on no particular thread. It may change the request, call
/// `next` once, several times or never, and change or replace the response. It sees responses of every status with
/// their whole body; of one that isn't accepted, the beginning (``ClientOptions/errorBodyBytesMax``). What it throws
/// ends the call: a ``TransportError`` as the phase of its reason, `CancellationError` as `.cancelled`, anything else
/// as `.other`. The deadline holds for it too: a call runs in a task of its own, unless the middleware promises by
/// `endsOnCancellation` that it keeps no cancelled call waiting (``CallCancellation``), as has all else to do.
///
/// It stands outside authorization, so it never sees the credential that the client adds. Test one by calling
/// `intercept` with a ``MiddlewareNext`` made of a closure.
public protocol HTTPMiddleware: Sendable, CancellationPromise {
    /// Handles one request.
    ///
    /// - Parameters:
    ///   - request: The request as the steps outside have left it.
    ///   - context: What is known of the call; steps leave notes for each other in it.
    ///   - next: All steps inside, and the transport.
    /// - Returns: The response that the steps outside see.
    /// - Throws: What ends the call.
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse

    /// Forgets what the step keeps for those who were signed in, responses say. Default: does nothing.
    ///
    /// - Parameter environment: The environment whose credential is forgotten: ``APIClient/signOut(of:)``.
    /// - Throws: What keeps it from being forgotten.
    func signedOut(of environment: APIEnvironment) async throws
}

extension HTTPMiddleware {
    /// Does nothing.
    public func signedOut(of environment: APIEnvironment) async throws {}
}

/// The rest of the way: the steps inside and the transport.
public struct MiddlewareNext: Sendable {
    typealias Terminal = @Sendable (HTTPRequest, RequestContext) async throws -> HTTPResponse

    private let steps: ArraySlice<any HTTPMiddleware>
    private let context: RequestContext
    private let terminal: Terminal
    /// What is left out of the path wherever it is shown, also of a request that a middleware makes anew.
    private let pathSecrets: PathSecrets

    init(
        _ steps: ArraySlice<any HTTPMiddleware>,
        context: RequestContext,
        pathSecrets: PathSecrets = PathSecrets(),
        terminal: @escaping Terminal,
    ) {
        self.steps = steps
        self.context = context
        self.terminal = terminal
        self.pathSecrets = pathSecrets
    }

    /// Makes an end of the way of a closure, to test a middleware with.
    public init(_ respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.init([], context: RequestContext()) { request, _ in try await respond(request) }
    }

    /// Sends the request the rest of the way.
    public func callAsFunction(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard !pathSecrets.isEmpty else { return try await send(request, context) }
        var request = request
        request.pathSecrets.formUnion(pathSecrets)
        return try await send(request, context)
    }

    /// Sends the request the rest of the way as a part of one attempt.
    private func send(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPResponse {
        guard let step = steps.first else { return try await terminal(request, context) }
        let (rest, secrets) = (steps.dropFirst(), request.pathSecrets)
        let next = MiddlewareNext(rest, context: context, pathSecrets: secrets, terminal: terminal)
        return try await step.intercept(request, context: context, next: next)
    }
}

extension MiddlewareNext: CustomStringConvertible, CustomReflectable {
    /// How many steps are left, and nothing of what they hold: the credentials are among it.
    public var description: String { "MiddlewareNext(\(steps.count == 1 ? "1 step" : "\(steps.count) steps") to go)" }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["next": description]) }
}
