package import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The credential that a client was authorized with, its environment, and its level.
package struct Credential: Sendable {
    package enum Means: Sendable {
        case token(any TokenProvider)
        case signature(any RequestSigner)
    }

    package let environment: APIEnvironment
    /// The environment for which the provider or signer is called: another one if a substitute shares its credential.
    private(set) var owner: APIEnvironment
    package let means: Means
    let level: any AccessLevel.Type
    /// Whether the token may have to be waited for.
    let mayWait: Bool

    package init(environment: APIEnvironment, means: Means, level: any AccessLevel.Type) {
        (self.environment, owner, self.means, self.level) = (environment, environment, means, level)
        mayWait = if case .token(let provider) = means { !(provider is any FixedTokenProvider) } else { true }
    }

    package var origin: HTTPOrigin { environment.base.origin }

    /// The same credential, which is sent to a substitute of its environment too.
    func shared(with substitute: APIEnvironment) -> Credential {
        var credential = Credential(environment: substitute, means: means, level: level)
        credential.owner = owner
        return credential
    }
}

/// The credentials of a client, one for each environment.
package struct Credentials: Sendable {
    private var byBase: [APIEnvironment.Base: Credential] = [:]
    private var allEndOnCancellation = true

    package mutating func set(_ credential: Credential) {
        byBase[credential.environment.base] = credential
        allEndOnCancellation = byBase.values.allSatisfy(\.means.endOnCancellation)
    }

    package var isEmpty: Bool { byBase.isEmpty }

    /// Whether any of them is for an origin.
    package func have(_ origin: HTTPOrigin) -> Bool { byBase.values.contains { $0.origin == origin } }

    package var haveSigners: Bool {
        byBase.values.contains { if case .signature = $0.means { true } else { false } }
    }

    /// Whether everything that the provider or signer of an environment waits for ends when a call is stopped.
    package func endOnCancellation(for call: CallInformation) -> Bool {
        allEndOnCancellation || credential(for: call)?.means.endOnCancellation != false
    }

    var all: [Credential] { Array(byBase.values) }

    /// The credential for the environment of a call.
    ///
    /// It is looked up by the request's own environment if its substitute shares it. So two services that have the same
    /// substitute, such as a test server, don't get each other's credential.
    private func credential(for call: CallInformation) -> Credential? {
        guard let owner = call.credentialOwner, byBase[call.environment.base] == nil else {
            return credential(for: call.environment)
        }
        return credential(for: owner)?.shared(with: call.environment)
    }

    /// The credential for an environment, or otherwise the only one for its origin.
    ///
    /// If there are several, as for the tenants of one host, choosing one would be a guess.
    package func credential(for environment: APIEnvironment) -> Credential? {
        if let credential = byBase[environment.base] { return credential }
        let sameOrigin = byBase.values.filter { $0.origin == environment.base.origin }
        return sameOrigin.count == 1 ? sameOrigin.first : nil
    }

    /// The credential for a call, if it needs or can use one; `nil` if it is sent without one.
    package func credential(for request: HTTPRequest, _ context: RequestContext) throws(TransportError) -> Credential? {
        guard context.call.choices.authorizationNeed != .none else { return nil }
        guard let credential = credential(for: context.call) else {
            guard context.call.choices.authorizationNeed == .required else { return nil }
            guard !isEmpty else { throw CredentialCause.missingToken.error("the client has no credential") }
            throw refusal(of: request, context)
        }
        guard credential.level.includes(context.call.traits.access) else {
            throw CredentialCause.insufficientLevel.error(
                "the credential for \(credential.origin) has the level \(credential.level), and the request needs "
                    + "\(context.call.traits.access)"
            )
        }
        return credential
    }

    /// The error for a request to an origin without a credential.
    func refusal(of request: HTTPRequest, _ context: RequestContext) -> TransportError {
        CredentialCause.otherOrigin.error(
            "the client is authorized for \(origins.joined(separator: ", ")), not for "
                + "\(request.shownURL) of the environment \(context.environment)"
        )
    }

    /// The origins that have credentials, for people.
    package var origins: [String] {
        Set(byBase.keys.map(\.origin.description)).sorted()
    }
}

extension Credential.Means {
    fileprivate var endOnCancellation: Bool {
        switch self {
        case .token(let provider): provider.endsOnCancellation
        case .signature(let signer): signer.endsOnCancellation
        }
    }
}
