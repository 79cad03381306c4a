public import HikyakuBase

/// A step around all steps inside it: the protocol for code that an app runs for every call.
///
/// ```swift
/// struct DeviceHeader: HTTPMiddleware {
///     let name: String
///
///     func intercept(
///         _ request: HTTPRequest, context: RequestContext, next: MiddlewareNext
///     ) async throws -> HTTPResponse {
///         var request = request
///         request.headers["Device"] = name
///         return try await next(request)
///     }
/// }
/// let client = APIClient(middleware: [DeviceHeader(name: "kiosk 7")])
/// ```
/// ## Writing one
/// `intercept` is called once for each call, concurrently, on no particular thread. It may change the request, call
/// `next` once, several times or never, and change or replace the response. It sees responses of every status with
/// their whole body, or, if the status isn't accepted, the beginning (``ClientOptions/errorBodyBytesMax``). An error
/// that it throws ends the call: a ``TransportError`` with the phase of its reason, `CancellationError` as
/// `.cancelled`, anything else as `.other`. The deadline applies to it too: a call runs in its own task, unless the
/// middleware, like all other parts, promises by `endsOnCancellation` that it never delays a cancelled call
/// (``CallCancellation``).
///
/// It runs outside authorization, so it never sees the credential that the client adds. To test a middleware, call
/// `intercept` with a ``MiddlewareNext`` made from a closure.
public protocol HTTPMiddleware: Sendable, CancellationPromise {
    /// Handles one request.
    ///
    /// - Parameters:
    ///   - request: The request from the steps outside.
    ///   - context: The context of the call; steps can share values in it.
    ///   - next: All steps inside, and the transport.
    /// - Returns: The response for the steps outside.
    /// - Throws: The error that ends the call.
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse

    /// Deletes what the step stores for a signed-in user, such as responses. Default: does nothing.
    ///
    /// - Parameter environment: The environment whose credential is deleted: ``APIClient/signOut(of:)``.
    /// - Throws: An error if it can't be deleted.
    func signedOut(of environment: APIEnvironment) async throws
}

extension HTTPMiddleware {
    /// Does nothing.
    public func signedOut(of environment: APIEnvironment) async throws {}
}

/// The rest of the chain: the steps inside and the transport.
///
/// ```swift
/// // A test of a middleware, with a closure for the rest of the chain:
/// let next = MiddlewareNext { request in
///     #expect(request.headers["Device"] == "kiosk 7")
///     return HTTPResponse(status: .ok)
/// }
/// _ = try await DeviceHeader().intercept(HTTPRequest(url: menuURL), context: RequestContext(), next: next)
/// ```
public struct MiddlewareNext: Sendable {
    private let rest: CallNext
    private let context: RequestContext
    /// The secrets that are hidden in the path wherever it is shown, also for a request that a middleware creates.
    private let pathSecrets: PathSecrets

    init(_ rest: CallNext, _ context: RequestContext, hiding pathSecrets: PathSecrets) {
        (self.rest, self.context, self.pathSecrets) = (rest, context, pathSecrets)
    }

    /// Creates the end of a chain from a closure, to test a middleware.
    public init(_ respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.init(CallNext([], .closure(respond)), RequestContext(), hiding: PathSecrets())
    }

    /// Sends the request through the rest of the chain.
    public func callAsFunction(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        if !pathSecrets.isEmpty { request.pathSecrets.formUnion(pathSecrets) }
        do { return try await rest(request, context) } catch {
            // What no other part has thrown, and not the middleware that passes it on.
            context.noteThrower("the transport", type(of: context.call.transport), of: error)
            throw error
        }
    }
}

extension MiddlewareNext: Redacted {
    /// The number of remaining steps, and nothing of their content, which includes credentials.
    public var description: String { "MiddlewareNext(\(rest.count == 1 ? "1 step" : "\(rest.count) steps") to go)" }
}
