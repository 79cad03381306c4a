import Hikyaku

/// The environment of the requests, and the client that sends them.
///
/// The requests declare `.qiita` and stay the same: for the embedded service, the client substitutes another
/// environment.
nonisolated struct Service: Sendable {
    let client: APIClient<Public>
    /// The embedded service, if it is used.
    let embedded: EmbeddedService?
    private let token: String?

    /// Starts the embedded service if the arguments select it; the lines of `--log` go to `log`.
    init(_ arguments: Arguments, log: Output = .standardError) throws {
        var client = APIClient(options: ClientOptions(timeout: .seconds(30), userAgent: "QiitaReader/1.0"))
        if let level = arguments.logging { client = client.logging(level) { log.line($0) } }
        switch arguments.environment {
        case .production:
            embedded = nil
        case .embedded:
            let embedded = try EmbeddedService()
            self.embedded = embedded
            client = client.substituting(embedded.environment, for: .qiita)
        }
        self.client = client
        token = arguments.token
    }

    /// The environment that the requests are sent to.
    var environment: APIEnvironment { client.environment(for: .qiita) }

    /// A client that can send authorized requests; the service checks the token with the first one.
    var authorizedClient: APIClient<Authorized> { client(authorizedBy: token) }

    func client(authorizedBy token: String?) -> APIClient<Authorized> {
        client.authorized(by: .bearer(token), for: environment)
    }

    /// A client whose token is refreshed when needed, by a call of a client without that token.
    func client(refreshing token: IssuedToken) -> APIClient<Authorized> {
        let plain = client
        let session = RefreshingToken(store: MemoryTokenStore(token)) { old in
            guard let refreshToken = old.refreshToken else { throw TokenError.missing }
            return try await plain.send(Qiita.RefreshToken(refreshToken: refreshToken)).issued
        }
        return plain.authorized(by: session, for: environment)
    }

    func stop() {
        embedded?.stop()
    }
}
