import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ClientCore {
    /// Deletes a credential, or all, and everything that was stored for it.
    package func signOut(of environment: APIEnvironment?) async throws {
        let credentials = try credentials(for: environment)
        var errors: [any Error] = []
        func attempt(_ work: () async throws -> Void) async {
            do { try await work() } catch { errors.append(error) }
        }
        parts.exchanges.close()
        for environment in credentials.flatMap(environments) {
            if let store = parts.options.cookies, let url = URL(string: environment.baseURL) {
                await attempt { try await store.removeCookies(for: url) }
            }
            for middleware in parts.middleware {
                await attempt { try await middleware.signedOut(of: environment) }
            }
        }
        // Last, and concurrently: a provider may call a service, which takes time.
        errors += await Self.signOut(credentials.map(\.means))
        // The next user must not get the response to a request that the previous one has sent until now.
        parts.exchanges.close()
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
        let all = parts.credentials
        guard let environment else { return all.all }
        let found = [self.environment(for: environment), environment].compactMap { all.credential(for: $0) }.first
        guard let found else {
            throw CredentialCause.otherOrigin.error(
                "the client is authorized for \(all.origins.joined(separator: ", ")), not for \(environment)"
            )
        }
        return [found]
    }

    /// The environments that a credential is sent to: its own, and a substitute that shares it.
    private func environments(of credential: Credential) -> [APIEnvironment] {
        let own = credential.environment
        guard parts.sharingCredentials.contains(own.base), let substitute = parts.substitutes[own.base] else {
            return [own]
        }
        return [own, substitute]
    }
}

extension Credential.Means {
    fileprivate func signOut() async throws {
        switch self {
        case .token(let provider): try await provider.signOut()
        case .signature(let signer): try await signer.signOut()
        }
    }
}
