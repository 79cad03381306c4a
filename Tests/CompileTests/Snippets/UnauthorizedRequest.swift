import Hikyaku

nonisolated enum Admin: AccessLevel { typealias Includes = Authorized }

nonisolated struct Me: APIRequest {
    typealias Response = String
    typealias Access = Authorized
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/me" }
}

nonisolated struct Purge: APIRequest {
    typealias Response = String
    typealias Access = Admin
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/purge" }
}

nonisolated func refuses(client: APIClient<Public>, authorized: APIClient<Authorized>) async throws {
    _ = try await client.send(Me())
    // error: 'send' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    _ = client.bind(Me())
    // error: 'bind' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    _ = try await client.response(for: Me())
    // error: is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    _ = try await authorized.send(Purge())
    // error: 'send' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
}

nonisolated func refusesWhereErrorsAreMapped(client: APIClient<Public>) async throws {
    _ = try await client.mapError { $0 as any Error }.send(Me())
    // error: 'send' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
}

nonisolated func refuses<R: APIRequest>(_ request: R, client: APIClient<Public>) {
    _ = client.bind(request)
    // error: 'bind' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
}
