import Hikyaku

struct Me: APIRequest {
    typealias Response = String
    typealias Access = Authorized
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/me" }
}

func reads(_ token: AccessToken<NotReady>) throws -> String? {
    _ = token.reveal()
    // error: 'reveal()' is unavailable: only a token that is ready can be read: use ready(for:)
    let text: String? = token.reveal()
    // error: 'reveal()' is unavailable: only a token that is ready can be read: use ready(for:)
    _ = text
    _ = token.isEmptyHanded
    // error: 'isEmptyHanded' is unavailable: only a token that is ready can be read: use ready(for:)
    let ready = try token.ready(for: Me())
    return ready.isEmptyHanded ? nil : ready.reveal()
}

func readsAny<Readiness>(_ token: AccessToken<Readiness>) -> String? {
    token.reveal()
    // error: 'reveal()' is unavailable: only a token that is ready can be read: use ready(for:)
}

func makes() {
    _ = AccessToken<Ready>("t0ken")
    // error: requires
    _ = AccessToken<Ready>(headerValue: "Bearer t0ken")
    // error: requires
    _ = AccessToken<Ready>.emptyHanded
    // error: 'emptyHanded' is inaccessible due to 'internal' protection level
    let ready: AccessToken<Ready> = AccessToken("t0ken")
    // error: requires
    _ = ready
}

func sends(_ token: AccessToken<NotReady>, client: APIClient<Public>) async throws -> [String] {
    _ = AuthorizedRequestProxy(request: Me(), token: token)
    // error: cannot convert value of type 'AccessToken<NotReady>' to expected argument type 'AccessToken<Ready>'
    let mine = try await client.send(Me().authorized(by: token))
    let other = try await client.send(AuthorizedRequestProxy(request: Me(), token: token.ready(for: Me())))
    return [mine, other]
}
