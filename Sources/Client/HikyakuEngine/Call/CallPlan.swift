package import HikyakuBase

/// What a call has chosen, and where it goes: all that the engine knows of its request.
package struct CallPlan: Sendable {
    /// The properties of the request's type.
    package let traits: CallTraits
    /// How the request is sent and read.
    package let choices: CallChoices
    /// What steps can learn from the request itself.
    package let questions: any CallQuestions
    /// The environment, after a substitution by the client.
    package let environment: APIEnvironment
    /// The request's own environment, if its substitute shares the credential.
    package let credentialOwner: APIEnvironment?
    /// The only origin that the request may be sent to, since it has its own token.
    package let ownTokenOrigin: HTTPOrigin?

    package init(
        traits: CallTraits,
        choices: CallChoices,
        questions: any CallQuestions,
        environment: APIEnvironment,
        credentialOwner: APIEnvironment? = nil,
        ownTokenOrigin: HTTPOrigin? = nil,
    ) {
        self.traits = traits
        self.choices = choices
        self.questions = questions
        self.environment = environment
        self.credentialOwner = credentialOwner
        self.ownTokenOrigin = ownTokenOrigin
    }
}

/// What steps can learn from the request of a call; it is computed only when a step needs it.
package protocol CallQuestions: AnyObject, Sendable {
    /// The request's method, before anything has changed it.
    var method: HTTPMethod { get }
    /// Whether the service does the same when it gets the request twice.
    var isIdempotent: Bool { get }
    /// The requests with which it shares its limits.
    var limitGroup: LimitGroup { get }

    /// Whether a status means success.
    func accepts(_ status: HTTPStatus) -> Bool

    /// What may be shown of an error of a part of the app, and what a developer can do about it.
    func words(of error: any Error, by thrower: String) -> (text: String, hint: String?)
}

/// The properties of a type of request, found out once for a client.
package final class CallTraits: Sendable {
    /// The type; of a request inside proxies, that of the innermost one.
    package let requestType: any Any.Type
    /// The level that the request needs.
    package let access: any AccessLevel.Type
    /// Why its definition is invalid.
    package let definitionProblem: String?
    /// The fields that a client adds to each of its requests, if the client's decoder reads the response.
    package let headers: HTTPHeaders
    /// Whether its response is a stream of events, which has no end.
    package let isEventStream: Bool
    /// Whether its body is a stream that the caller reads.
    package let streamsBody: Bool
    /// Whether its response becomes a file.
    package let writesFile: Bool
    /// Whether the caller gets nothing of the response.
    package let returnsNothing: Bool
    /// Whether the request contains another one.
    package let isProxy: Bool
    /// Whether a GET request with only these fields is valid on the wire.
    package let headersAreChecked: Bool
    /// Shared by all clients that use the type.
    private let reads: Lock<Bool>

    /// Creates the traits of a type; `reads` says whether responses are read without suspending, one for all clients.
    package init(
        requestType: any Any.Type,
        access: any AccessLevel.Type = Public.self,
        definitionProblem: String? = nil,
        headers: HTTPHeaders = [:],
        isEventStream: Bool = false,
        streamsBody: Bool = false,
        writesFile: Bool = false,
        returnsNothing: Bool = false,
        isProxy: Bool = false,
        reads: Lock<Bool> = Lock(false),
    ) {
        self.requestType = requestType
        self.access = access
        self.definitionProblem = definitionProblem
        self.headers = headers
        self.isEventStream = isEventStream
        self.streamsBody = streamsBody
        self.writesFile = writesFile
        self.returnsNothing = returnsNothing
        self.isProxy = isProxy
        let request = HTTPRequest(method: .get, urlText: "", headers: headers)
        headersAreChecked = (try? request.checkForWire()) != nil
        self.reads = reads
    }

    /// Whether its responses are read from memory without suspending.
    ///
    /// A request may read its response by a function of its own, which is visible only when it is called. So the first
    /// call finds it out.
    package var readsSynchronously: Bool { reads.withLock(\.self) }

    /// Records that a response of the type was read without suspending.
    package func noteDefaultReading() {
        reads.withLock { $0 = true }
    }
}

/// How a request is sent and read, apart from its content.
///
/// It is read once per call.
///
/// A client reads these requirements of a request here and nowhere else. A proxy without its own values has all
/// the choices of the request inside. A test compares them member by member, so it fails if a new choice is not
/// forwarded by proxies.
package struct CallChoices: Sendable {
    /// Whether the request has its own decoder or encoder, which few have.
    package let hasOwnCoders: Bool
    /// The decoder for the response; `nil` for the client's.
    package let decoder: (any ResponseDecoder)?
    /// The encoder for the body; `nil` for the client's.
    package let encoder: (any RequestEncoder)?
    /// Details of a decoding failure, in addition to the client's.
    package let diagnosisDetail: DiagnosisDetail
    /// How long the call may take; `nil` for the client's.
    package let timeout: Duration?
    /// The timeouts of the stages of an exchange; `nil` for the client's.
    package let timeouts: TransportTimeouts?
    /// The redirect policy; `nil` for the client's.
    package let redirectPolicy: RedirectPolicy?
    /// Whether the request is sent with a credential.
    package let authorizationNeed: AuthorizationNeed
    /// The scopes that a token needs.
    package let requiredScopes: Set<String>
    /// Whether equal requests in flight share one exchange.
    package let sharesExchange: Bool
    /// The key by which the service recognizes a repeated request.
    package let idempotencyKey: IdempotencyKey

    package init(
        decoder: (any ResponseDecoder)? = nil,
        encoder: (any RequestEncoder)? = nil,
        diagnosisDetail: DiagnosisDetail = [],
        timeout: Duration? = nil,
        timeouts: TransportTimeouts? = nil,
        redirectPolicy: RedirectPolicy? = nil,
        authorizationNeed: AuthorizationNeed = .none,
        requiredScopes: Set<String> = [],
        sharesExchange: Bool = false,
        idempotencyKey: IdempotencyKey = .none,
    ) {
        hasOwnCoders = decoder != nil || encoder != nil
        self.decoder = decoder
        self.encoder = encoder
        self.diagnosisDetail = diagnosisDetail
        self.timeout = timeout
        self.timeouts = timeouts
        self.redirectPolicy = redirectPolicy
        self.authorizationNeed = authorizationNeed
        self.requiredScopes = requiredScopes
        self.sharesExchange = sharesExchange
        self.idempotencyKey = idempotencyKey
    }
}

extension CallPlan {
    /// The plan of a context that belongs to no call.
    static let ofNoCall = CallPlan(
        traits: CallTraits(requestType: NoRequest.self),
        choices: CallChoices(timeout: .farFuture),
        questions: NoRequest(),
        environment: "http://localhost",
    )
}

/// The request of a context that belongs to no call.
private final class NoRequest: CallQuestions {
    var method: HTTPMethod { .get }
    var isIdempotent: Bool { true }
    var limitGroup: LimitGroup { .origin }

    func accepts(_ status: HTTPStatus) -> Bool { status.isSuccess }

    func words(of error: any Error, by thrower: String) -> (text: String, hint: String?) {
        ("\(thrower) threw a \(type(of: error))", nil)
    }
}
