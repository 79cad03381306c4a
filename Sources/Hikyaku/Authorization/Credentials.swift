/// What a client was authorized with, the environment that it was given for, and the level that it is good for.
struct Credential: Sendable {
    enum Means: Sendable {
        case token(any TokenProvider)
        case signature(any RequestSigner)
    }

    let environment: APIEnvironment
    let means: Means
    let level: any AccessLevel.Type

    var origin: HTTPOrigin { environment.base.origin }
}

/// The credentials of a client, one for each environment.
struct Credentials: Sendable {
    private var byBase: [APIEnvironment.Base: Credential] = [:]

    mutating func set(_ credential: Credential) {
        byBase[credential.environment.base] = credential
    }

    var isEmpty: Bool { byBase.isEmpty }

    var haveSigners: Bool {
        byBase.values.contains { if case .signature = $0.means { true } else { false } }
    }

    /// Whether all that their providers and signers wait for ends when a call is stopped.
    var endOnCancellation: Bool {
        byBase.values.allSatisfy { credential in
            switch credential.means {
            case .token(let provider): provider.endsOnCancellation
            case .signature(let signer): signer.endsOnCancellation
            }
        }
    }

    var all: [Credential] { Array(byBase.values) }

    /// The credential that was given for an environment, or else the only one for its origin: where there are several,
    /// as for the tenants of one host, none is a guess.
    func credential(for environment: APIEnvironment) -> Credential? {
        if let credential = byBase[environment.base] { return credential }
        let sameOrigin = byBase.values.filter { $0.origin == environment.base.origin }
        return sameOrigin.count == 1 ? sameOrigin.first : nil
    }

    /// The credential for a call, if it needs or wants one; `nil` where it goes without.
    func credential(for request: HTTPRequest, _ context: RequestContext) throws(TransportError) -> Credential? {
        guard context.call.choices.authorizationNeed != .none else { return nil }
        guard let credential = credential(for: context.environment) else {
            guard context.call.choices.authorizationNeed == .required else { return nil }
            guard !isEmpty else { throw TransportError(.missingToken, "the client has no credential") }
            throw refusal(of: request, context)
        }
        guard credential.level.includes(context.call.access) else {
            throw TransportError(
                .insufficientLevel,
                "the credential for \(credential.origin) is good for \(credential.level), and the request needs "
                    + "\(context.call.access)",
            )
        }
        return credential
    }

    /// Says that a request goes where no credential may.
    func refusal(of request: HTTPRequest, _ context: RequestContext) -> TransportError {
        TransportError(
            .otherOrigin,
            "the client is authorized for \(origins.joined(separator: ", ")), and not for "
                + "\(request.shownURL) of the environment \(context.environment)",
        )
    }

    /// Where credentials go, for people.
    var origins: [String] {
        Set(byBase.keys.map(\.origin.description)).sorted()
    }
}
