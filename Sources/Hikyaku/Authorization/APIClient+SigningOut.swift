#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension APIClient {
    /// Forgets a credential and all that was kept for it: its tokens wherever the provider keeps them, the cookies of its
    /// host, and what middleware keeps (``HTTPMiddleware/signedOut(of:)``).
    ///
    /// The client stays as it is: it is authorized as a type, and its calls end as ``FailureReason/missingToken`` until
    /// someone signs in again. Calls that are under way are not ended.
    ///
    /// - Parameter environment: The environment that the credential was given for; `nil` for all of the client's.
    /// - Throws: The first thing that kept something from being forgotten, when all was tried.
    public func signOut(of environment: APIEnvironment? = nil) async throws {
        let all = core.parts.credentials.all
        let credentials =
            environment.map { environment in all.filter { $0.environment.base == environment.base } } ?? all
        var errors: [any Error] = []
        func attempt(_ work: () async throws -> Void) async {
            do { try await work() } catch { errors.append(error) }
        }
        for credential in credentials {
            await attempt(credential.means.signOut)
            if let store = core.parts.options.cookies, let url = URL(string: credential.environment.baseURL) {
                await attempt { try await store.removeCookies(for: url) }
            }
            for middleware in core.parts.middleware {
                await attempt { try await middleware.signedOut(of: credential.environment) }
            }
        }
        if let error = errors.first { throw error }
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
