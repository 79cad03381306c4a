import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An application's side of OAuth 2.0: gets tokens from an authorization server, by whichever grant fits.
///
/// ```swift
/// let server = try await OAuthServer.discover("https://auth.example", client: client)
/// let oauth = OAuthClient(server: server, application: OAuthApplication(id: "reader"), client: client)
/// let token = try await oauth.signIn(scopes: ["read"], redirectURI: "com.example.reader:/signed-in") { url in
///     try await browser.open(url, until: "com.example.reader")
/// }
/// ```
/// Where a person is there, ``signIn(scopes:redirectURI:parameters:authenticate:)``; on a device without a browser,
/// ``signInByDevice(scopes:show:)``; for a program on its own, ``clientCredentials(scopes:parameters:)``.
///
/// Its functions throw `APIError<OAuthError>` for what the token endpoint answers and what the wire does,
/// ``OAuthError`` for what comes by a redirect, ``OAuthProblem`` for what is refused on this side, and
/// `CancellationError`. ``OAuthError/init(in:)`` finds the server's word in any of them. Secrets, codes and tokens are
/// in none.
public struct OAuthClient: Sendable {
    /// Who issues the tokens.
    public let server: OAuthServer
    /// Who gets them.
    public let application: OAuthApplication

    let client: APIClient<Public>
    let clock: any HTTPClock
    let date: @Sendable () -> Date
    var random = RandomSource.system

    /// Puts the two sides together.
    ///
    /// - Parameters:
    ///   - server: Who issues the tokens.
    ///   - application: Who gets them.
    ///   - client: What sends the requests; no credential goes with them but the application's own. Its errors tell no
    ///     values of responses, whatever it was asked to tell: here, they are tokens.
    ///   - clock: The time by which it waits for a person with a device code.
    ///   - date: The time of day, from which the end of a token is counted.
    public init(
        server: OAuthServer,
        application: OAuthApplication,
        client: APIClient<Public> = APIClient(),
        clock: any HTTPClock = SystemClock(),
        date: @escaping @Sendable () -> Date = { Date() },
    ) {
        self.server = server
        self.application = application
        self.client = client.hidingValues()
        self.clock = clock
        self.date = date
    }

    /// Asks the token endpoint.
    func token(by form: RequestQuery, asked scopes: Set<String>) async throws -> IssuedToken {
        let endpoint = try OAuthEndpoint(server.tokenEndpoint, "token endpoint")
        let request = TokenRequest(endpoint: endpoint, application: application, form: form)
        let sent = date()
        let response = try await client.response(for: request)
        return try IssuedToken(response, asked: scopes, sent: sent, received: date())
    }
}

extension OAuthClient: CustomStringConvertible, CustomReflectable {
    /// The application's name.
    public var description: String { "OAuthClient(\(application.id))" }
    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["client": description]) }
}
