import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The credential that a client was authorized with, its environment, and its level.
struct Credential: Sendable {
    enum Means: Sendable {
        case token(any TokenProvider)
        case signature(any RequestSigner)
    }

    let environment: APIEnvironment
    /// The environment that the provider or signer is asked for: another one if a substitute shares its credential.
    private(set) var owner: APIEnvironment
    let means: Means
    let level: any AccessLevel.Type
    /// Whether the token may have to be waited for.
    let mayWait: Bool

    init(environment: APIEnvironment, means: Means, level: any AccessLevel.Type) {
        (self.environment, owner, self.means, self.level) = (environment, environment, means, level)
        mayWait = if case .token(let provider) = means { !(provider is any FixedTokenProvider) } else { true }
    }

    var origin: HTTPOrigin { environment.base.origin }

    /// The same credential, which is sent to a substitute of its environment too.
    func shared(with substitute: APIEnvironment) -> Credential {
        var credential = Credential(environment: substitute, means: means, level: level)
        credential.owner = owner
        return credential
    }
}

/// The credentials of a client, one for each environment.
struct Credentials: Sendable {
    private var byBase: [APIEnvironment.Base: Credential] = [:]
    private var allEndOnCancellation = true

    mutating func set(_ credential: Credential) {
        byBase[credential.environment.base] = credential
        allEndOnCancellation = byBase.values.allSatisfy(\.means.endOnCancellation)
    }

    var isEmpty: Bool { byBase.isEmpty }

    /// Whether any of them is for an origin.
    func have(_ origin: HTTPOrigin) -> Bool { byBase.values.contains { $0.origin == origin } }

    var haveSigners: Bool {
        byBase.values.contains { if case .signature = $0.means { true } else { false } }
    }

    /// Whether everything that the provider or signer of an environment waits for ends when a call is stopped.
    func endOnCancellation(for call: CallInformation) -> Bool {
        allEndOnCancellation || credential(for: call)?.means.endOnCancellation != false
    }

    fileprivate var all: [Credential] { Array(byBase.values) }

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
    func credential(for environment: APIEnvironment) -> Credential? {
        if let credential = byBase[environment.base] { return credential }
        let sameOrigin = byBase.values.filter { $0.origin == environment.base.origin }
        return sameOrigin.count == 1 ? sameOrigin.first : nil
    }

    /// The credential for a call, if it needs or can use one; `nil` if it is sent without one.
    func credential(for request: HTTPRequest, _ context: RequestContext) throws(TransportError) -> Credential? {
        guard context.call.choices.authorizationNeed != .none else { return nil }
        guard let credential = credential(for: context.call) else {
            guard context.call.choices.authorizationNeed == .required else { return nil }
            guard !isEmpty else { throw ClientCause.missingToken.error("the client has no credential") }
            throw refusal(of: request, context)
        }
        guard credential.level.includes(context.call.access) else {
            throw ClientCause.insufficientLevel.error(
                "the credential for \(credential.origin) has the level \(credential.level), and the request needs "
                    + "\(context.call.access)"
            )
        }
        return credential
    }

    /// The error for a request to an origin without a credential.
    func refusal(of request: HTTPRequest, _ context: RequestContext) -> TransportError {
        ClientCause.otherOrigin.error(
            "the client is authorized for \(origins.joined(separator: ", ")), not for "
                + "\(request.shownURL) of the environment \(context.environment)"
        )
    }

    /// The origins that have credentials, for people.
    var origins: [String] {
        Set(byBase.keys.map(\.origin.description)).sorted()
    }
}

extension APIClient {
    /// Deletes a credential and everything that was stored for it: the cookies of its host, what middleware stores
    /// (``HTTPMiddleware/signedOut(of:)``), and its tokens in the provider's store.
    ///
    /// Local data is deleted first, so a provider that revokes a token at a service does not delay that.
    ///
    /// The client does not change: it is authorized as a type, and its calls fail with ``FailureReason/missingToken``
    /// until someone signs in again. Calls in flight are not ended. Some providers only read a token: ``AskedToken``,
    /// an environment variable, a ``TokenProvider`` that does not implement ``TokenProvider/signOut()``. They continue
    /// to return it.
    ///
    /// - Parameter environment: The environment of the credential, substituted or not; `nil` for all credentials of the
    ///   client.
    /// - Throws: `TransportError` with ``FailureReason/otherOrigin`` if the client has no credential for the
    ///   environment. Otherwise the first error, after everything was tried.
    public func signOut(of environment: APIEnvironment? = nil) async throws {
        let credentials = try credentials(for: environment)
        var errors: [any Error] = []
        func attempt(_ work: () async throws -> Void) async {
            do { try await work() } catch { errors.append(error) }
        }
        core.parts.exchanges.close()
        for environment in credentials.flatMap(core.environments) {
            if let store = core.parts.options.cookies, let url = URL(string: environment.baseURL) {
                await attempt { try await store.removeCookies(for: url) }
            }
            for middleware in core.parts.middleware {
                await attempt { try await middleware.signedOut(of: environment) }
            }
        }
        // Last, and concurrently: a provider may call a service, which takes time.
        errors += await Self.signOut(credentials.map(\.means))
        // The next user must not get the response to a request that the previous one has sent until now.
        core.parts.exchanges.close()
        if let error = errors.first { throw error }
    }

    private static func signOut(_ means: [Credential.Means]) async -> [any Error] {
        await withTaskGroup(of: (any Error)?.self) { group in
            for means in means {
                group.addTask { await Result { try await means.signOut() }.failure }
            }
            return await group.reduce(into: []) { errors, error in error.map { errors.append($0) } }
        }
    }

    private func credentials(for environment: APIEnvironment?) throws(TransportError) -> [Credential] {
        let all = core.parts.credentials
        guard let environment else { return all.all }
        let found = [core.environment(for: environment), environment].compactMap { all.credential(for: $0) }.first
        guard let found else {
            throw ClientCause.otherOrigin.error(
                "the client is authorized for \(all.origins.joined(separator: ", ")), not for \(environment)"
            )
        }
        return [found]
    }
}

extension ClientCore {
    /// The environments that a credential is sent to: its own, and a substitute that shares it.
    fileprivate func environments(of credential: Credential) -> [APIEnvironment] {
        let own = credential.environment
        guard parts.sharingCredentials.contains(own.base), let substitute = parts.substitutes[own.base] else {
            return [own]
        }
        return [own, substitute]
    }
}

extension Credential.Means {
    fileprivate var endOnCancellation: Bool {
        switch self {
        case .token(let provider): provider.endsOnCancellation
        case .signature(let signer): signer.endsOnCancellation
        }
    }

    fileprivate func signOut() async throws {
        switch self {
        case .token(let provider): try await provider.signOut()
        case .signature(let signer): try await signer.signOut()
        }
    }
}
