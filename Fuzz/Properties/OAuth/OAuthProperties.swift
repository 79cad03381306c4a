import Foundation

@testable import Hikyaku
@testable import HikyakuBase
@testable import HikyakuEngine
@testable import HikyakuHTTP
@testable import HikyakuJSON
@testable import HikyakuOAuth

/// Reads what an authorization server and a browser send: tokens, metadata, redirects, device codes and errors.
func checkOAuth(_ input: FuzzInput) {
    switch input.choices[0] % 6 {
    case 0: readToken(input)
    case 1: readMetadata(input)
    case 2: readRedirect(input)
    case 3: readJSONWebToken(String(decoding: input.document, as: UTF8.self))
    case 4: readDeviceCode(input)
    default: readError(input)
    }
}

private let now = Date(timeIntervalSince1970: 1_800_000_000)

/// A token can be sent, expires at a time that can be written, and isn't shown.
private func readToken(_ input: FuzzInput) {
    guard let value = try? HikyakuJSONDecoder().decode(TokenResponse.self, from: input.document) else { return }
    let headers: HTTPHeaders = input.choices[1] & 1 == 0 ? [:] : ["Date": "Fri, 15 Jan 2027 08:00:00 GMT"]
    let response = APIResponse(value: value, headers: headers)
    let token: IssuedToken
    do throws(OAuthProblem) {
        token = try IssuedToken(
            response,
            requested: ["a", "b c"],
            as: ["bearer": "Bearer"],
            sent: now,
            received: now + 1,
        )
    } catch {
        check(error.reason == .unsupportedTokenType, "\(error)")
        isOneLine(error.message)
        return
    }
    let secrets = [token.token, token.refreshToken, token.idToken].compactMap { $0?.reveal() }
    for secret in secrets {
        check(secret.utf8.count <= JSONWebToken.bytesMax, "a token of \(secret.utf8.count) bytes")
        check(secret.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "a token has what none may have")
        let field = HTTPHeaders.Field(name: .authorization, value: "Bearer \(secret)")
        check((try? field.checkForWire()) != nil, "a token can't be sent")
    }
    if let expires = token.expiresAt {
        check(expires > now && expires <= now + 101 * 365 * 86_400, "a token expires at \(expires)")
    }
    check(token.scopes?.contains("") != true, "a scope is empty")
    let shown = "\(token) \(String(reflecting: token))"
    for secret in secrets where secret.utf8.count > 20 {
        check(!shown.contains(secret) || token.scheme.contains(secret), "a token is shown: \(shown)")
    }
    guard let bytes = try? TokenDocument.bytes(of: token) else { return violation("a token can't be kept") }
    check((try? TokenDocument.token(in: bytes))?.token == token.token, "another token is kept")
}

/// Metadata names the issuer, and endpoints to which secrets may be sent.
private func readMetadata(_ input: FuzzInput) {
    let issuer = input.choices[1] & 1 == 0 ? "https://auth.example" : "http://127.0.0.1:8080/a"
    guard let metadata = try? HikyakuJSONDecoder().decode(ServerMetadata.self, from: input.document) else { return }
    let server: OAuthServer
    do throws(OAuthProblem) {
        server = try OAuthServer(metadata, issuer: issuer)
    } catch {
        check([.issuerMismatch, .malformedEndpoint, .insecureEndpoint].contains(error.reason), "\(error)")
        isOneLine(error.message)
        return
    }
    check(server.issuer == issuer, "another issuer")
    let endpoints = [
        server.authorizationEndpoint, server.tokenEndpoint, server.deviceAuthorizationEndpoint,
        server.revocationEndpoint,
    ]
    for text in endpoints.compactMap({ $0 }) {
        guard let endpoint = try? OAuthEndpoint(text, "endpoint"), let origin = HTTPOrigin(endpoint.url) else {
            violation("an endpoint is none: \(text)")
            continue
        }
        check(origin.scheme == "https" || origin.isLoopback && issuer.hasPrefix("http:"), "\(text) has no TLS")
        check(endpoint.url.user == nil && endpoint.url.password == nil, "\(text) has credentials")
        check(endpoint.environment.baseURL == origin.description, "\(text) has another origin")
        guard let extended = try? endpoint.url(adding: [("state", "a&b=c#d")]) else { continue }
        check(HTTPOrigin(extended) == origin, "\(extended) has another origin than \(text)")
        let items = FormText.items(of: extended.query(percentEncoded: true) ?? "")
        check(items.map { $0.last?.value == "a&b=c#d" } ?? true, "\(extended) has lost a parameter")
        check(extended.fragment == nil, "\(extended) has a fragment")
    }
}

/// A redirect is accepted with the state of its sign-in alone, and errors show neither the code nor the state.
private func readRedirect(_ input: FuzzInput) {
    let state = "a7Xq-state-2219"
    let text = String(decoding: input.document, as: UTF8.self)
    // So that most inputs get further.
    let query = input.choices[1] & 1 == 0 ? text : "state=\(state)&\(text)"
    guard let url = URL(string: "https://reader.example/in?" + query, encodingInvalidCharacters: true) else { return }
    var server = OAuthServer(authorizationEndpoint: "https://auth.example/a", tokenEndpoint: "https://auth.example/t")
    server.namesIssuerInRedirects = input.choices[2] & 1 == 1
    let authorization = OAuthAuthorization(
        url: url,
        redirectURI: "https://reader.example/in",
        scopes: [],
        state: Secret(state),
        verifier: Secret("verifier"),
    )
    do {
        let code = try authorization.code(in: url, from: server)
        check(!code.reveal().isEmpty, "an empty code")
        let items = FormText.items(of: url.query(percentEncoded: true) ?? "") ?? []
        check(items.count { $0.name == "state" } == 1, "a redirect with two states is accepted")
        check(items.contains { $0.name == "state" && $0.value == state }, "a redirect with another state is accepted")
        check(items.count { $0.name == "code" } == 1, "a redirect with two codes is accepted")
        check(!items.contains { $0.name == "error" }, "a redirect with an error is accepted")
    } catch let problem as OAuthProblem {
        let reasons: [OAuthProblem.Reason] = [.malformedRedirect, .stateMismatch, .issuerMismatch]
        check(reasons.contains(problem.reason), "\(problem)")
        check(!"\(problem)".contains(state), "\(problem) shows the state")
        isOneLine(problem.message)
    } catch let error as OAuthError {
        check(!"\(error)".contains(state), "\(error) shows the state")
        inOrder(error)
    } catch {
        violation("threw \(error)")
    }
}

/// The expiry of a token is a time, and only a text of three parts has one.
private func readJSONWebToken(_ text: String) {
    if let expires = JSONWebToken.expiration(of: text) {
        let seconds = expires.timeIntervalSince1970
        check(seconds > 0 && seconds < 253_402_300_800, "a token expires at \(seconds)")
        check(text.utf8.count { $0 == UInt8(ascii: ".") } == 2, "\(text) is a token")
    }
    // A payload as it is, so that most inputs get further.
    let payload = Base64URL.text(of: Data(text.utf8))
    check(Base64URL.bytes(of: payload) == Data(text.utf8), "bytes come back otherwise")
    check(payload.utf8.allSatisfy { ASCII.isUnreserved($0) }, "\(payload) has to be escaped")
    if let expires = JSONWebToken.expiration(of: "e30.\(payload).x") {
        check(
            expires.timeIntervalSince1970 > 0 && expires < Date(timeIntervalSince1970: 253_402_300_800),
            "\(expires)",
        )
    }
}

private func readDeviceCode(_ input: FuzzInput) {
    let decoded = try? HikyakuJSONDecoder().decode(DeviceAuthorizationResponse.self, from: input.document)
    guard let response = decoded else { return }
    let start = ContinuousClock.now
    do throws(OAuthProblem) {
        let code = try OAuthDeviceCode(response, scopes: [], now: start)
        check(OAuthDeviceCode.intervals.contains(code.interval), "an interval of \(code.interval)")
        check(code.expiresAt > start && code.expiresAt <= start + .seconds(86_400), "a code without end")
        check(HTTPOrigin(code.verificationURL)?.isConfidential == true, "a code is entered without TLS")
        isOneLine(code.userCode)
        let secret = code.deviceCode.reveal()
        let isSeen = code.verificationURL.absoluteString.contains(secret)
        if secret.utf8.count > 8, !isSeen { check(!"\(code)".contains(secret), "\(code) shows the code") }
    } catch {
        check([.malformedEndpoint, .insecureEndpoint].contains(error.reason), "\(error)")
        isOneLine(error.message)
    }
}

private func readError(_ input: FuzzInput) {
    let response = BufferedResponse(status: [200, 400, 401][input.choice(1, of: 3)], body: input.document)
    if let error = OAuthError(response: response) { inOrder(error) }
}

private func inOrder(_ error: OAuthError) {
    isOneLine("\(error)")
    for text in [error.details, error.uri, error.errorDescription, error.recoverySuggestion].compactMap({ $0 }) {
        isOneLine(text)
    }
    if let details = error.details, details.utf8.count > 20 {
        check(!"\(error)".contains(details) || "\(error.code)".contains(details), "\(error) shows the details")
    }
}

private func isOneLine(_ text: String) {
    check(text.unicodeScalars.count <= 800, "a text of \(text.unicodeScalars.count) characters")
    let moving = text.unicodeScalars.first {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
    }
    check(moving == nil, "a text has U+\(String(moving?.value ?? 0, radix: 16))")
}
