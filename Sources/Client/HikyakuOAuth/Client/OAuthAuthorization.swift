import Hikyaku
public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A sign-in in progress: the URL to open, and the secrets to validate the redirect.
///
/// ```swift
/// let authorization = try oauth.authorization(scopes: ["read"], redirectURI: "https://reader.example/signed-in")
/// redirectBrowser(to: authorization.url)          // a server keeps the value in the user's session meanwhile
/// let token = try await oauth.token(for: authorization, redirectedTo: receivedURL)
/// ```
/// It is valid for one redirect. Keep it in memory: it holds the proof that the redirect belongs to the same user.
public struct OAuthAuthorization: Sendable {
    /// The URL to open in a browser: the user's own, which shows them where they enter their password.
    public let url: URL
    let redirectURI: String
    let scopes: Set<String>
    /// The redirect must contain this state, which is otherwise unknown.
    let state: Secret<String>
    /// Redeems the code: a stolen code is useless without it.
    let verifier: Secret<String>
}

extension OAuthAuthorization: Redacted {
    /// The URL without its values.
    public var description: String { "OAuthAuthorization(\(Redaction.text(of: url)))" }
}

extension OAuthAuthorization {
    /// The maximum size of a redirect, in bytes.
    private static let redirectBytesMax = 64 * 1024

    /// The code in a redirect, after the redirect was validated.
    ///
    /// - Throws: ``OAuthProblem`` for a redirect that doesn't belong to this sign-in; ``OAuthError`` for one with an
    ///   error.
    func code(in redirect: URL, from server: OAuthServer) throws -> Secret<String> {
        let text = redirect.absoluteString
        guard text.utf8.count <= Self.redirectBytesMax,
            let items = FormText.items(of: redirect.query(percentEncoded: true) ?? "")
        else { throw OAuthProblem(.malformedRedirect, "the redirect's query can't be read") }
        let state = try Self.value("state", in: items)
        guard let state, Digest.areEqual(state, self.state.reveal()) else {
            let text = state == nil ? "the redirect has no state" : "the redirect's state belongs to another sign-in"
            // It may be the server's, which forgets the state if a person has cancelled, or anybody's.
            let error = (try? Self.value("error", in: items)).flatMap { $0 }.map { OAuthError.Code($0) }
            throw OAuthProblem(.stateMismatch, error.map { "\(text); it says \($0), which is unverified" } ?? text)
        }
        try checkIssuer(Self.value("iss", in: items), of: server)
        if let error = try Self.value("error", in: items) {
            throw OAuthError(
                OAuthError.Code(error),
                details: try Self.value("error_description", in: items),
                uri: try Self.value("error_uri", in: items),
            )
        }
        guard let code = try Self.value("code", in: items), !code.isEmpty else {
            throw OAuthProblem(.malformedRedirect, "the redirect has neither a code nor an error")
        }
        return Secret(code)
    }

    /// Checks the issuer of a redirect ([RFC 9207, section 2.4](https://www.rfc-editor.org/rfc/rfc9207#section-2.4)).
    private func checkIssuer(_ named: String?, of server: OAuthServer) throws(OAuthProblem) {
        if named == nil, server.namesIssuerInRedirects {
            let message = "the redirect does not name its issuer, although the server's metadata declares it"
            throw OAuthProblem(.issuerMismatch, message)
        }
        if let named, let issuer = server.issuer, !named.hasSameBytes(as: issuer) {
            throw OAuthProblem(.issuerMismatch, "the redirect is from a different server")
        }
    }

    /// A parameter's value; the standard allows none to be repeated (RFC 6749, section 3.1).
    private static func value(
        _ name: String,
        in items: [(name: String, value: String)],
    ) throws(OAuthProblem) -> String? {
        let values = items.filter { $0.name == name }
        guard values.count <= 1 else { throw OAuthProblem(.malformedRedirect, "the redirect contains \(name) twice") }
        return values.first?.value
    }
}

/// Additional parameters for a server, apart from those that a grant sets.
enum OAuthParameters {
    private static let reserved: Set<String> = [
        "assertion", "client_assertion", "client_assertion_type", "client_id", "client_secret", "code",
        "code_challenge", "code_challenge_method", "code_verifier", "device_code", "grant_type", "redirect_uri",
        "refresh_token", "response_mode", "response_type", "scope", "state",
    ]

    /// The parameters ordered by name.
    ///
    /// - Throws: ``OAuthProblem`` for a name that the grant itself sets: which of the two values a server uses is
    ///   undefined.
    static func checked(_ parameters: [String: String]) throws(OAuthProblem) -> [(String, String)] {
        for name in parameters.keys.sorted() where reserved.contains(name) {
            throw OAuthProblem(.reservedParameter, "the parameter \(name) is reserved: the grant sets it")
        }
        return parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension RequestQuery {
    /// The items of a list.
    init(_ items: [(String, String)]) {
        self.init()
        for (name, value) in items { append(name, value) }
    }
}
