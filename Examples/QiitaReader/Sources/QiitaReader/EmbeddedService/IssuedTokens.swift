import Hikyaku

/// The tokens that the embedded service has issued: each refresh token is valid for one refresh.
nonisolated final class IssuedTokens: Sendable {
    private let refreshTokens = Guarded([EmbeddedService.refreshToken])

    var count: Int { refreshTokens.withLock { $0.count - 1 } }

    func contains(_ token: String) -> Bool {
        (0..<count).contains { token == Self.token(number: $0) }
    }

    /// The response to the newest refresh token; `nil` for any other.
    func issue(for refreshToken: String) -> [(String, String)]? {
        refreshTokens.withLock { refreshTokens in
            guard refreshToken == refreshTokens.last else { return nil }
            let number = refreshTokens.count - 1
            refreshTokens.append("\(EmbeddedService.refreshToken)-\(refreshTokens.count)")
            return [("token", Self.token(number: number)), ("refresh_token", refreshTokens[number + 1])]
        }
    }

    private static func token(number: Int) -> String { "embedded-issued-\(number)" }
}
