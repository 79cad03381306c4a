/// How a request wants to be sent and read, beside what it consists of; asked for once in a call.
///
/// A client reads these requirements of ``APIRequest`` here and nowhere else. A proxy that says nothing itself has the
/// choices of the request inside as a whole, which a test compares member by member: a choice that is added and that
/// proxies don't hand on fails it.
struct RequestChoices: Sendable {
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

    init<R: APIRequest>(of request: R) {
        let (decoder, encoder) = (request.writtenDecoder, request.encoder)
        self.decoder = type(of: decoder) == InheritedDecoder.self ? nil : decoder
        self.encoder = type(of: encoder) == InheritedEncoder.self ? nil : encoder
        diagnosisDetail = request.diagnosisDetail
        timeout = request.writtenTimeout
        redirectPolicy = request.writtenRedirectPolicy
        authorizationNeed = AuthorizationNeed(request)
        requiredScopes = authorizationNeed == .none ? [] : request.requiredScopes
        sharesExchange = request.sharesExchange
    }

    private init() {
        (decoder, encoder, diagnosisDetail, timeout, redirectPolicy) = (nil, nil, [], nil, nil)
        (authorizationNeed, requiredScopes, sharesExchange) = (.none, [], false)
    }

    /// Those of a request that leaves all to the client.
    static let none = RequestChoices()
}
