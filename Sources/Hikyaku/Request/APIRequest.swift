import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One call of a web API as a value: what to send, and what its answer means.
///
/// ```swift
/// struct Items: APIRequest {
///     typealias Response = [Item]
///     var page = 1
///     var environment: APIEnvironment { "https://qiita.com/api/v2" }
///     var path: RequestPath { "/items" }
///     var query: RequestQuery { ["page": page] }
/// }
/// ```
/// `Response` is what `send` returns. A `Decodable` one is all that has to be said, and `Void` for an empty one; for
/// anything else, say by a ``Definition`` how it is read, or write ``response(from:)``.
///
/// The names of the requirements are taken. A property of another type under one of those in ``RequestSpelling`` is
/// converted where its meaning is clear, as `let timeout = Duration.seconds(2)` is, and refused where not: a coder
/// before anything is sent, all others, as `var query: String?`, by the compiler. Under one of the rest, as
/// ``requiredScopes``, it isn't seen: write the type of the requirement there. Call a search term `search`, not
/// `query`.
///
/// In a generic request, give the parameter another name than `Response`, and alias it: `typealias Response = Model`.
///
/// The calls of one service share what they have in common through a protocol that refines this one and an extension of
/// it: environment, failure, common headers. A request sends nothing by itself: a client does.
public protocol APIRequest<Response>: RequestSpelling, Sendable
where
    WrittenMethod: RequestMethod,
    WrittenQuery: RequestQueryItems,
    WrittenParameters: RequestQueryItems,
    WrittenHeaders: RequestHeaders,
    WrittenBody: RequestBodyContent,
    WrittenTimeout: RequestTimeout,
    WrittenRedirectPolicy: RequestRedirectPolicy,
    WrittenAccepts: AcceptsWithoutLabel
{
    /// What the caller gets.
    associatedtype Response: Sendable
    /// How the response is read; by default decoded as a whole.
    associatedtype Definition: ResponseDefinition = Decoded<Response> where Definition.Result == Response
    /// The level of authorization that a client needs to send it; by default none.
    associatedtype Access: AccessLevel = Public
    /// The error that the service answers with; by default ``ProblemDetails``.
    associatedtype Failure: ServiceFailure = ProblemDetails

    /// Where the service is. A client may put another environment in its place.
    var environment: APIEnvironment { get }
    /// What is asked of the resource. Default: `.get`.
    var method: HTTPMethod { get }
    /// The path below the environment's base URL.
    var path: RequestPath { get }
    /// The items behind the `?`. Default: none.
    var query: RequestQuery { get }
    /// Items that go where the method wants them: into the query of GET, HEAD and DELETE, else into a JSON body.
    ///
    /// Default: none. A request that has both these and a `body`, where they would become one, is refused.
    var parameters: RequestQuery { get }
    /// Fields beside those that the client and the environment add, and above them. Default: none.
    var headers: HTTPHeaders { get }
    /// The content. Default: `nil`, no body.
    var body: RequestBody? { get }
    /// What decodes the response. Default: the client's.
    ///
    /// Coding keys rather than a key strategy keep a diagnosis true: Foundation's decoder names the converted keys.
    var decoder: any ResponseDecoder { get }
    /// Details that a decoding failure includes, in addition to the client's. Default: `[]`, none.
    var diagnosisDetail: DiagnosisDetail { get }
    /// What encodes a `.json` body. Default: the client's.
    var encoder: any RequestEncoder { get }
    /// How long the whole call may take, reading included. Default: `nil`, the client's timeout.
    ///
    /// A hundred years or more stand for ever. Nothing that waits holds up its end; code that runs, a model's own
    /// `init(from:)` say, is let run to its end first.
    var timeout: Duration? { get }

    /// Whether a credential has to go with it. Default: whatever ``Access`` says.
    ///
    /// Written where that is known only at run time: a request that is ``Public`` and says `true` ends as
    /// `.unauthorized` on a client without a credential; one that needs authorization and says `false` goes without.
    var requiresAuthorization: Bool { get }
    /// What an OAuth token has to be good for; looked at where the token's own scopes are known. Default: nothing.
    var requiredScopes: Set<String> { get }

    /// What is done when the service answers with a redirect. Default: `nil`, the client's policy.
    var redirectPolicy: RedirectPolicy? { get }

    /// Whether equal requests in flight share one exchange. Default: `false`.
    ///
    /// For what several screens ask for at once. Requests are equal when they are of one type and sent by the same
    /// client value with the same method, URL, fields, credential, cookies and environment, and no call to the same
    /// origin with a method that isn't safe (RFC 9110, section 9.2.1) has begun or ended in between. Such methods,
    /// requests with a body, streamed responses and tokens of ``AuthorizedRequestProxy`` share nothing.
    ///
    /// Each caller has its own deadline, reads the response by itself and cancels on its own; the exchange ends early
    /// when nobody waits for it any more. Middleware sees each call, and what happens on the wire is told to whoever
    /// asked first.
    var sharesExchange: Bool { get }

    /// Has the last word on what is sent. Default: changes nothing.
    ///
    /// Called once for each call, before middleware and authorization.
    ///
    /// - Throws: Anything; it is reported as `.invalidRequest`, and nothing is sent.
    func prepare(_ request: inout HTTPRequest) throws

    /// Whether a status means success. Default: as ``Definition`` says, 200 to 299 mostly.
    func accepts(_ status: HTTPStatus) -> Bool

    /// The service's failure, if the response is one; asked before anything is decoded, whatever the status.
    ///
    /// Default: read from the body when the status isn't accepted. Write it for a service that answers 200 with an
    /// error inside. With `nil` and a status that isn't accepted the call ends as `.unacceptableStatus`.
    func failure(in response: BufferedResponse) -> Failure?

    /// Reads the response of a call that succeeded. Default: as ``Definition`` says.
    ///
    /// - Parameter response: The response with its body, and the decoder to read it by.
    /// - Returns: What the caller gets.
    /// - Throws: Anything; it is reported as `.decoding`, a thrown ``Failure`` as `.service`.
    func response(from response: BufferedResponse) async throws -> Response

    /// Reads the response of a call that succeeded where ``Definition`` streams the body, as ``FileResponse`` does;
    /// takes the place of ``response(from:)`` there. Default: as ``Definition`` says.
    ///
    /// - Parameters:
    ///   - response: The response; its body is a stream.
    ///   - context: What the client and the request have to say about reading.
    /// - Returns: What the caller gets.
    /// - Throws: Anything; it is reported as `.decoding`, a thrown ``Failure`` as `.service`.
    func response(streaming response: HTTPResponse, context: ResponseContext) async throws -> Response
}

// These defaults hold where nothing was written, and where something of another type was, which is then converted.
extension APIRequest {
    /// `.get`.
    public var method: HTTPMethod { WrittenMethod.self == HTTPMethod.self ? .get : writtenMethod }
    /// No items.
    public var query: RequestQuery { WrittenQuery.self == RequestQuery.self ? RequestQuery() : writtenQuery }
    /// No items.
    public var parameters: RequestQuery {
        WrittenParameters.self == RequestQuery.self ? RequestQuery() : writtenParameters
    }
    /// No fields.
    public var headers: HTTPHeaders { WrittenHeaders.self == HTTPHeaders.self ? HTTPHeaders() : writtenHeaders }
    /// No body.
    public var body: RequestBody? { WrittenBody.self == RequestBody?.self ? nil : writtenBody }
    /// The client's.
    public var decoder: any ResponseDecoder {
        WrittenDecoder.self == (any ResponseDecoder).self ? InheritedDecoder() : writtenDecoder
    }
    /// The client's.
    public var encoder: any RequestEncoder {
        WrittenEncoder.self == (any RequestEncoder).self ? InheritedEncoder() : writtenEncoder
    }
    /// The client's.
    public var timeout: Duration? { WrittenTimeout.self == Duration?.self ? nil : writtenTimeout }
    /// The client's.
    public var redirectPolicy: RedirectPolicy? {
        WrittenRedirectPolicy.self == RedirectPolicy?.self ? nil : writtenRedirectPolicy
    }
}

// What is sent. The package reads these and never the requirements of the same names, which don't see a property of
// another type where an extension of the service's protocol has one of the right type. What was written by the
// requirement's own type, mostly nothing, is read as it is, which takes half the time.
extension APIRequest {
    var writtenMethod: HTTPMethod { WrittenMethod.self == HTTPMethod.self ? method : spelledMethod.requestMethod }
    var writtenQuery: RequestQuery { WrittenQuery.self == RequestQuery.self ? query : spelledQuery.requestQuery }
    var writtenParameters: RequestQuery {
        WrittenParameters.self == RequestQuery.self ? parameters : spelledParameters.requestQuery
    }
    var writtenHeaders: HTTPHeaders {
        WrittenHeaders.self == HTTPHeaders.self ? headers : spelledHeaders.requestHeaders
    }
    var writtenBody: RequestBody? { WrittenBody.self == RequestBody?.self ? body : spelledBody.requestBody }
    var writtenTimeout: Duration? { WrittenTimeout.self == Duration?.self ? timeout : spelledTimeout.requestTimeout }
    var writtenRedirectPolicy: RedirectPolicy? {
        WrittenRedirectPolicy.self == RedirectPolicy?.self
            ? redirectPolicy : spelledRedirectPolicy.requestRedirectPolicy
    }

    /// The decoder; one that decodes nothing where something else was written, since no constraint on the type could
    /// allow `any ResponseDecoder`.
    var writtenDecoder: any ResponseDecoder {
        if WrittenDecoder.self == (any ResponseDecoder).self { return decoder }
        let decoder = spelledDecoder
        return decoder as? any ResponseDecoder ?? UnfitDecoder(type: String(describing: WrittenDecoder.self))
    }

    /// The encoder; one that encodes nothing where something else was written, as with the decoder.
    var writtenEncoder: any RequestEncoder {
        if WrittenEncoder.self == (any RequestEncoder).self { return encoder }
        let encoder = spelledEncoder
        return encoder as? any RequestEncoder ?? UnfitEncoder(type: String(describing: WrittenEncoder.self))
    }
}

// In an extension of APIRequest the same names mean APIRequest's own requirements.
extension RequestSpelling {
    fileprivate var spelledMethod: WrittenMethod { method }
    fileprivate var spelledQuery: WrittenQuery { query }
    fileprivate var spelledParameters: WrittenParameters { parameters }
    fileprivate var spelledHeaders: WrittenHeaders { headers }
    fileprivate var spelledBody: WrittenBody { body }
    fileprivate var spelledDecoder: WrittenDecoder { decoder }
    fileprivate var spelledEncoder: WrittenEncoder { encoder }
    fileprivate var spelledTimeout: WrittenTimeout { timeout }
    fileprivate var spelledRedirectPolicy: WrittenRedirectPolicy { redirectPolicy }
}

extension APIRequest {
    /// Nothing beside what the client asks for.
    public var diagnosisDetail: DiagnosisDetail { [] }
    /// Whatever the level of access says.
    public var requiresAuthorization: Bool { Access.self != Public.self && Access.self != AuthorizedIfPossible.self }
    /// Nothing.
    public var requiredScopes: Set<String> { [] }
    /// `false`.
    public var sharesExchange: Bool { false }

    /// Changes nothing.
    public func prepare(_ request: inout HTTPRequest) throws {}

    /// As the definition says: 200 to 299 mostly.
    public func accepts(_ status: HTTPStatus) -> Bool { Definition.accepts(status) }

    /// Read from the body when the status isn't accepted.
    public func failure(in response: BufferedResponse) -> Failure? {
        accepts(response.status) ? nil : Failure(response: response)
    }
}

extension APIRequest {
    /// Reads the response as ``Definition`` says.
    @_disfavoredOverload
    public func response(from response: BufferedResponse) async throws -> Response {
        try read(response) { try Definition.read($0) }
    }

    /// Reads the response as ``Definition`` says.
    public func response(streaming response: HTTPResponse, context: ResponseContext) async throws -> Response {
        try await Definition.read(streaming: response, context: ownContext(of: context))
    }
}

extension APIRequest where Response: Decodable, Definition == Decoded<Response> {
    /// Decodes the body as a whole.
    public func response(from response: BufferedResponse) async throws -> Response {
        try read(response) { try $0.decode(Response.self) }
    }
}

extension APIRequest where Response == Void, Definition == Decoded<Void> {
    /// Reads nothing: a `Response` of `Void` is an empty one, as ``EmptyResponse`` is.
    public func response(from response: BufferedResponse) async throws { read(response) { _ in } }
}

// The compiler takes these two where no other default fits as well, and then shows their words. Not for a Definition
// that the request names: what is wrong with that one is an error of its own.
extension APIRequest where Definition == Decoded<Response> {
    /// Refuses a `Response` that nothing can read.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: """
            no Definition can read this Response: make it Decodable, and nonisolated in a module that is isolated to the \
            main actor; or set a Definition, or write response(from:)
            """
    )
    public func response(from response: BufferedResponse) async throws -> Response {
        throw TransportError(.definition, "no Definition can read \(Response.self)")
    }
}

extension APIRequest where Response: ResponseDefinition, Definition == Decoded<Response> {
    /// Refuses a `Response` that is a way to read one.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this type is a ResponseDefinition: write typealias Definition = … instead of typealias Response = …"
    )
    public func response(from response: BufferedResponse) async throws -> Response {
        throw TransportError(.definition, "\(Response.self) is a ResponseDefinition, not a response")
    }
}

extension APIRequest {
    /// Reads a response as the default of ``response(from:)`` does, by the decoder that is in force for the request.
    @inline(__always)
    fileprivate func read<Value>(
        _ response: BufferedResponse,
        _ read: (BufferedResponse) throws -> Value,
    ) rethrows -> Value {
        guard response.reading.isOf(Self.self) else {
            return try read(response.with(response.reading.reading(by: self)))
        }
        response.reading.traits?.noteDefaultReading()
        return try read(response)
    }

    /// The context of a call, which knows the decoder, unless another request's response is being read.
    func ownContext(of context: ResponseContext) -> ResponseContext {
        context.isOf(Self.self) ? context : context.reading(by: self)
    }
}

/// How a request wants to be sent and read, beside what it consists of; asked for once in a call.
///
/// A client reads these requirements of ``APIRequest`` here and nowhere else. A proxy that says nothing itself has the
/// choices of the request inside as a whole, which a test compares member by member: a choice that is added and that
/// proxies don't hand on fails it.
struct RequestChoices: Sendable {
    /// Whether the request names a decoder or an encoder of its own, which few do.
    fileprivate let hasOwnCoders: Bool
    /// What decodes the response; `nil` for the client's.
    let decoder: (any ResponseDecoder)?
    /// What encodes the body; `nil` for the client's.
    let encoder: (any RequestEncoder)?
    /// What a diagnosis shows of a response that can't be decoded, beside what the client asks for.
    let diagnosisDetail: DiagnosisDetail
    /// How long the call may take; `nil` for the client's.
    let timeout: Duration?
    /// What becomes of redirects; `nil` for the client's.
    let redirectPolicy: RedirectPolicy?
    /// Whether a credential goes with the request.
    let authorizationNeed: AuthorizationNeed
    /// What a token has to be good for.
    let requiredScopes: Set<String>
    /// Whether equal requests in flight share one exchange.
    let sharesExchange: Bool

    init<R: APIRequest>(of request: borrowing R) {
        let (decoder, encoder) = (request.writtenDecoder, request.writtenEncoder)
        let hasDecoder = type(of: decoder) != InheritedDecoder.self
        let hasEncoder = type(of: encoder) != InheritedEncoder.self
        hasOwnCoders = hasDecoder || hasEncoder
        self.decoder = hasDecoder ? decoder : nil
        self.encoder = hasEncoder ? encoder : nil
        diagnosisDetail = request.diagnosisDetail
        timeout = request.writtenTimeout
        redirectPolicy = request.writtenRedirectPolicy
        authorizationNeed = AuthorizationNeed(request)
        requiredScopes = authorizationNeed == .none ? [] : request.requiredScopes
        sharesExchange = request.sharesExchange
    }

    /// Refuses a decoder and an encoder that are none.
    fileprivate func checkCoders() throws(TransportError) {
        if let unfit = decoder as? UnfitDecoder { throw unfit.refusal }
        if let unfit = encoder as? UnfitEncoder { throw unfit.refusal }
    }

    private init() {
        (hasOwnCoders, decoder, encoder, diagnosisDetail, timeout, redirectPolicy) = (false, nil, nil, [], nil, nil)
        (authorizationNeed, requiredScopes, sharesExchange) = (.none, [], false)
    }

    /// Those of a request that leaves all to the client.
    static let none = RequestChoices()
}

// MARK: - Build

extension APIRequest {
    /// Puts the request together for a call, and checks it: it can be sent.
    ///
    /// - Throws: ``Settled`` with the error.
    func built(for context: RequestContext, by core: ClientCore) throws -> HTTPRequest {
        do throws(TransportError) {
            return try prepared(parts(for: context, by: core))
        } catch {
            throw refusal(in: context, error)
        }
    }

    /// Puts the parts together that the request, its environment and the client give.
    private func parts(for context: RequestContext, by core: ClientCore) throws(TransportError) -> HTTPRequest {
        let (call, traits) = (context.call, context.call.traits)
        if call.choices.hasOwnCoders { try call.choices.checkCoders() }
        if let problem = traits.definitionProblem { throw TransportError(.definition, problem) }
        let method = writtenMethod
        let parameters = writtenParameters
        let parametersAreBody = !parameters.isEmpty && !(method == .get || method == .head || method == .delete)
        let query = writtenQuery
        let path = path
        let items = parameters.isEmpty || parametersAreBody ? query : query + parameters
        let url = try call.environment.base.urlText(path, items)

        var headers = traits.headers
        if call.choices.hasOwnCoders, let decoder = call.choices.decoder {
            headers[.accept] = Definition.acceptedMediaTypes ?? decoder.mediaType
        }
        let (common, own) = (call.environment.headers, writtenHeaders)
        headers.replace(with: common)
        headers.replace(with: own)

        let built = HTTPRequest(
            method: method,
            urlText: url,
            headers: headers,
            pathSecrets: path.secrets,
            // What changes the request from here on has it checked.
            isChecked: traits.headersAreChecked && method == .get && own.isEmpty && common.isEmpty
                && !call.choices.hasOwnCoders,
        )
        let body = writtenBody
        guard body != nil || parametersAreBody else { return built }
        return try call.filled(built, body, parametersAreBody ? parameters : nil, by: core)
    }

    /// Lets the request have the last word, and checks what it leaves.
    private func prepared(_ built: consuming HTTPRequest) throws(TransportError) -> HTTPRequest {
        let pathSecrets = built.pathSecrets
        do {
            try prepare(&built)
        } catch {
            if let error = error as? TokenError {
                throw TransportError(error.reason, error.message, underlyingError: error)
            }
            if let error = error as? TransportError, [.invalidRequest, .unauthorized].contains(error.reason.phase) {
                throw error
            }
            throw TransportError(.prepare, "prepare(_:) threw a \(type(of: error))", underlyingError: error)
        }
        // The request may have put another in its place.
        if !pathSecrets.isEmpty { built.pathSecrets.formUnion(pathSecrets) }
        return try built.checkedForWire()
    }

    @inline(never)
    private func refusal(in context: RequestContext, _ error: TransportError) -> any Error {
        let callContext = CallContext(
            requestType: String(reflecting: context.requestType).withoutModule,
            method: writtenMethod,
            url: context.environment.base.problem == nil ? context.environment.baseURL : nil,
            elapsed: context.start.duration(to: context.clock.now),
            underlyingError: error.underlyingError,
        )
        return Settled(APIError<Failure>(error.reason, error.message, callContext))
    }
}

// These are needed for every request, and aren't generic, which costs less.
extension APIEnvironment.Base {
    /// The URL's text: a base URL that was parsed, and behind it nothing that no path and no query may hold.
    fileprivate func urlText(_ path: RequestPath, _ query: RequestQuery) throws(TransportError) -> String {
        if let problem { throw TransportError(.baseURL, problem) }
        if let problem = path.problem { throw TransportError(.path, problem) }
        let items = try QueryWriter.text(of: query, encoding: .unreserved)
        let text = prefix + path.encoded
        return items.isEmpty ? text : "\(text)?\(items)"
    }
}

extension CallInformation {
    /// Adds the content: a body, or parameters where the method has a body.
    // A request that is consumed isn't copied when it is returned, as a variable is.
    fileprivate func filled(
        _ built: consuming HTTPRequest,
        _ body: RequestBody?,
        _ parameters: RequestQuery?,
        by core: ClientCore,
    ) throws(TransportError) -> HTTPRequest {
        var body = body
        if let parameters {
            guard body == nil else {
                throw TransportError(.body, "the request has both a body and parameters that would become its body")
            }
            // Refuses what neither a query nor JSON can hold, by its name.
            _ = try QueryWriter.text(of: parameters, encoding: .unreserved)
            body = .json(RequestParameters(query: parameters))
        }
        guard let body else { return consume built }
        let content = try body.encoded(by: choices.encoder ?? core.parts.options.encoder)
        built.body = content.body
        if !built.headers.contains(.contentType) { built.headers[.contentType] = content.type }
        return consume built
    }
}
