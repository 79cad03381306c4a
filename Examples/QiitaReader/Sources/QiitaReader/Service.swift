import Hikyaku

/// Where the requests go, and the client that sends them there.
///
/// The requests declare `.qiita` and stay the same: for the embedded service, the client puts another environment in
/// its place.
nonisolated struct Service: Sendable {
    let client: APIClient<Public>
    /// The service, where it is the embedded one.
    let embedded: EmbeddedService?
    private let token: String?

    /// Starts the embedded service if it is asked for; the lines of `--log` go to `log`.
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

    /// Where the requests really go.
    var environment: APIEnvironment { client.environment(for: .qiita) }

    /// A client that may send what needs authorization; whether the token is any good is found out then.
    var authorizedClient: APIClient<Authorized> { client(authorizedBy: token) }

    func client(authorizedBy token: String?) -> APIClient<Authorized> {
        client.authorized(by: .bearer(token), for: environment)
    }

    /// A client whose token is refreshed when it has to be, by a call of a client without it.
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
