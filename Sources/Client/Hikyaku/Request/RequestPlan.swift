import HikyakuBase

/// A request as its call's steps see it.
final class RequestPlan: CallQuestions {
    /// The request as it was sent, including proxies.
    let request: any APIRequest

    init(_ request: any APIRequest) {
        self.request = request
    }

    var method: HTTPMethod { request.writtenMethod }
    var isIdempotent: Bool { request.isIdempotent }
    var limitGroup: LimitGroup { request.writtenLimitGroup }

    func accepts(_ status: HTTPStatus) -> Bool { request.accepts(status) }

    func words(of error: any Error, by thrower: String) -> (text: String, hint: String?) {
        (ForeignWords.thrown(error, by: thrower), ForeignWords.hint(of: error))
    }
}

extension CallInformation {
    /// The request as it was sent, including proxies.
    var request: (any APIRequest)? { (questions as? RequestPlan)?.request }
}

extension CallPlan {
    /// The plan of a request by a client.
    init<R: APIRequest>(of request: R, by core: ClientCore) {
        let traits = core.traits(of: R.self)
        let own = request.environment
        let sharing = core.parts.sharingCredentials
        self.init(
            traits: traits,
            choices: CallChoices(of: request),
            questions: RequestPlan(request),
            environment: core.environment(for: own),
            credentialOwner: !sharing.isEmpty && sharing.contains(own.base) ? own : nil,
            ownTokenOrigin: traits.isProxy ? Hikyaku.ownTokenOrigin(of: request) : nil,
        )
    }
}

extension ClientCore {
    /// The traits of a type of request.
    func traits<R: APIRequest>(of type: R.Type) -> CallTraits {
        traits(of: type) { CallTraits(type, parts.options) }
    }
}

private let readsByType = TypeCache<Lock<Bool>>()

extension CallTraits {
    fileprivate convenience init<R: APIRequest>(_ type: R.Type, _ options: ClientOptions) {
        self.init(
            requestType: innermostRequest(of: type),
            access: R.Access.self,
            definitionProblem: R.Definition._definitionProblem,
            headers: R.Definition.clientHeaders(options),
            isEventStream: R.Definition.self is any UncachedDefinition.Type,
            streamsBody: R.Definition.streamsBody,
            writesFile: R.Definition.self is any FileDefinition.Type,
            returnsNothing: R.Response.self == Void.self,
            isProxy: type is any RequestProxy.Type,
            reads: readsByType.value(for: ObjectIdentifier(type)) { Lock(false) },
        )
    }
}

extension CallChoices {
    init<R: APIRequest>(of request: borrowing R) {
        let (decoder, encoder) = (request.writtenDecoder, request.writtenEncoder)
        let need = AuthorizationNeed(request)
        self.init(
            decoder: type(of: decoder) != InheritedCoder.self ? decoder : nil,
            encoder: type(of: encoder) != InheritedCoder.self ? encoder : nil,
            diagnosisDetail: request.diagnosisDetail,
            timeout: request.writtenTimeout,
            timeouts: request.writtenTimeouts,
            redirectPolicy: request.writtenRedirectPolicy,
            authorizationNeed: need,
            requiredScopes: need == .none ? [] : request.requiredScopes,
            sharesExchange: request.sharesExchange,
            idempotencyKey: request.idempotencyKey,
        )
    }

    /// Rejects a decoder and an encoder of the wrong type.
    func checkCoders() throws(TransportError) {
        if let invalid = decoder as? InvalidCoder { throw invalid.error }
        if let invalid = encoder as? InvalidCoder { throw invalid.error }
    }
}
