#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension APIClient {
    /// Forgets a credential and all that was kept for it: the cookies of its host, what middleware keeps
    /// (``HTTPMiddleware/signedOut(of:)``), and its tokens wherever the provider keeps them.
    ///
    /// What is kept here goes first, so that a provider that asks a service to revoke a token holds nothing of that up.
    ///
    /// The client stays as it is: it is authorized as a type, and its calls end as ``FailureReason/missingToken`` until
    /// someone signs in again. Calls that are under way are not ended. Providers that only ask, ``AskedToken``, an
    /// environment variable, a ``TokenProvider`` without a ``TokenProvider/signOut()`` of its own, go on giving what
    /// they are given.
    ///
    /// - Parameter environment: The environment that the credential is used for, substituted or not; `nil` for all
    ///   credentials of the client.
    /// - Throws: `TransportError` with ``FailureReason/otherOrigin`` where the client has no credential for the
    ///   environment; else the first thing that kept something from being forgotten, when all was tried.
    public func signOut(of environment: APIEnvironment? = nil) async throws {
        let credentials = try credentials(for: environment)
        var errors: [any Error] = []
        func attempt(_ work: () async throws -> Void) async {
            do { try await work() } catch { errors.append(error) }
        }
        core.parts.exchanges.close()
        for credential in credentials {
            if let store = core.parts.options.cookies, let url = URL(string: credential.environment.baseURL) {
                await attempt { try await store.removeCookies(for: url) }
            }
            for middleware in core.parts.middleware {
                await attempt { try await middleware.signedOut(of: credential.environment) }
            }
        }
        // Last, and side by side: a provider may ask a service, which takes its time.
        errors += await Self.signOut(credentials.map(\.means))
        // Who signs in next must not be given what the one before has asked for, until now.
        core.parts.exchanges.close()
        if let error = errors.first { throw error }
    }

    private static func signOut(_ means: [Credential.Means]) async -> [any Error] {
        await withTaskGroup(of: (any Error)?.self) { group in
            for means in means {
                group.addTask {
                    do { try await means.signOut() } catch { return error }
                    return nil
                }
            }
            return await group.reduce(into: []) { errors, error in error.map { errors.append($0) } }
        }
    }

    private func credentials(for environment: APIEnvironment?) throws(TransportError) -> [Credential] {
        let all = core.parts.credentials
        guard let environment else { return all.all }
        let found = [core.environment(for: environment), environment].compactMap { all.credential(for: $0) }.first
        guard let found else {
            throw TransportError(
                .otherOrigin,
                "the client is authorized for \(all.origins.joined(separator: ", ")), and not for \(environment)",
            )
        }
        return [found]
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
