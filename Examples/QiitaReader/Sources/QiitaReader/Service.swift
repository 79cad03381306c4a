import Hikyaku

/// Where the requests go, and the client that sends them there.
///
/// The requests declare `.qiita` and stay the same: for the embedded service, the client puts another environment in
/// its place.
nonisolated struct Service: Sendable {
    let environment: APIEnvironment
    let client: APIClient<Public>
    /// The service, where it is the embedded one.
    let embedded: EmbeddedService?
    private let token: String?

    /// Starts the embedded service if it is asked for; the lines of `--log` go to `log`.
    init(_ arguments: Arguments, log: Output = .standardError) throws {
        var options = ClientOptions()
        options.userAgent = "QiitaReader/1.0"
        options.timeout = .seconds(30)
        var client = APIClient(options: options)
        if let level = arguments.logging { client = client.logging(level) { log.line($0) } }
        switch arguments.environment {
        case .production:
            embedded = nil
            environment = .qiita
        case .embedded:
            let embedded = try EmbeddedService()
            self.embedded = embedded
            environment = embedded.environment
            client = client.substituting(embedded.environment, for: .qiita)
        }
        self.client = client
        token = arguments.token
    }

    /// A client that may send what needs authorization; whether the token is any good is found out then.
    var authorizedClient: APIClient<Authorized> { client(authorizedBy: token) }

    func client(authorizedBy token: String?) -> APIClient<Authorized> {
        client.authorized(by: .bearer(token), for: environment)
    }

    func stop() {
        embedded?.stop()
    }
}
