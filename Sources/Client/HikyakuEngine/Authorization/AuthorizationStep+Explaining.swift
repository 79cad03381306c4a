import HikyakuBase

extension AuthorizationStep {
    package func foresee(
        _ request: inout HTTPRequest,
        _ context: RequestContext,
        _ explanation: inout ExplainedSteps,
    ) async throws {
        guard let name = credentialField(of: request, context), !request.headers.contains(name) || name == .cookie
        else {
            return
        }
        request.headers[name] = nil
        explanation.added.append(.init(name: name, value: Redaction.placeholder, source: .credential))
    }

    /// The field that the client's credential would be in; `nil` if there is none, or only the provider knows.
    private func credentialField(of request: HTTPRequest, _ context: RequestContext) -> HTTPHeaderName? {
        guard let credential = try? credentials.credential(for: request, context),
            case .token(let provider as any PlacedTokenProvider) = credential.means,
            HTTPOrigin(request.url) == credential.origin
        else { return nil }
        switch provider.placement.place {
        case .field(let name, _): return name
        case .cookie: return .cookie
        case .query: return nil
        }
    }

    package func explain(_ explanation: inout ExplainedSteps, of http: HTTPRequest, _ context: RequestContext) {
        let isSent = explanation.isSent
        let choices = context.call.choices
        var problem: TransportError?
        var (provider, origin, placement): (String?, HTTPOrigin?, String?)
        do throws(TransportError) {
            if let own = context.call.ownTokenOrigin {
                (provider, origin) = ("\(AccessToken<Ready>.self)", own)
                if !isSent { try http.checkOrigin(own) }
            } else if let credential = try credentials.credential(for: http, context) {
                (provider, origin, placement) = (credential.name, credential.origin, credential.placement)
                // A redirect may have led to another origin, without the credential.
                if !isSent {
                    try http.checkOrigin(credential.origin)
                    try context.environment.checkConfidentiality(or: credential.environment)
                }
            }
        } catch {
            problem = error
        }
        explanation.access = CallExplanation.Access(
            level: "\(context.call.traits.access)",
            isRequired: choices.authorizationNeed == .required,
            credential: provider,
            origin: origin.map { "\($0)" },
            placement: placement,
            scopes: choices.requiredScopes.sorted(),
            problem: problem?.message,
        )
    }
}

extension Credential {
    /// The type of the provider or signer.
    fileprivate var name: String {
        switch means {
        case .token(let provider): "\(type(of: provider))"
        case .signature(let signer): "\(type(of: signer))"
        }
    }

    fileprivate var placement: String? {
        switch means {
        case .token(let provider): (provider as? any PlacedTokenProvider)?.placement.description
        case .signature: "a signature"
        }
    }
}
