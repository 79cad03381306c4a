import Hikyaku

enum Admin: AccessLevel { typealias Includes = Authorized }

struct Me: APIRequest {
    typealias Response = String
    typealias Access = Authorized
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/me" }
}

struct Purge: APIRequest {
    typealias Response = String
    typealias Access = Admin
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/purge" }
}

func refuses(client: APIClient<Public>, authorized: APIClient<Authorized>) async throws {
    _ = try await client.send(Me())
    // error: 'send' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    _ = client.bind(Me())
    // error: 'bind' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    _ = client.call(Me())
    // error: 'call' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
}

func refusesAHigherLevel(client: APIClient<Public>, authorized: APIClient<Authorized>) async throws {
    _ = try await authorized.send(Purge())
    // error: 'send' is unavailable: this client's level does not include what the request needs: authorized(by:for:as:)
    _ = authorized.bind(Purge())
    // error: 'bind' is unavailable: this client's level does not include what the request needs: authorized(by:for:as:)
    _ = authorized.call(Purge())
    // error: 'call' is unavailable: this client's level does not include what the request needs: authorized(by:for:as:)
    _ = try await client.send(Purge())
    // error: 'send' is unavailable: this client's level does not include what the request needs: authorized(by:for:as:)
}

func refusesGenerically<T: APIRequest>(
    _ request: T,
    client: APIClient<Public>,
    authorized: APIClient<Authorized>,
) async throws {
    _ = client.bind(request)
    // error: 'bind' is unavailable: constrain T.Access of a generic request (where T.Access: OpenLevel), or take a BoundRequest<T>
    _ = try await authorized.send(request)
    // error: 'send' is unavailable: constrain T.Access of a generic request (where T.Access: OpenLevel), or take a BoundRequest<T>
    _ = authorized.call(request)
    // error: 'call' is unavailable: constrain T.Access of a generic request (where T.Access: OpenLevel), or take a BoundRequest<T>
}

func sendsOpen<T: APIRequest>(_ request: T, client: APIClient<Public>) async throws -> T.Response
where T.Access: OpenLevel {
    try await client.send(request)
}

func sendsAuthorized<T: APIRequest>(_ request: T, client: APIClient<Authorized>) async throws -> T.Response
where T.Access == Authorized {
    try await client.send(request)
}

enum Owner: AccessLevel { typealias Includes = Admin }
enum Fifth: AccessLevel { typealias Includes = Owner }

struct Sell: APIRequest {
    typealias Response = String
    typealias Access = Fifth
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/sell" }
}

func refusesAFifthLevel(client: APIClient<Public>, signer: some RequestSigner) {
    _ = client.bind(Sell())
    // error: or take a BoundRequest<T>; a level above the fourth has no client
    _ = client.authorized(by: .bearer("t0ken"), for: "https://api.example", as: Owner.self)
    _ = client.authorized(by: .bearer("t0ken"), for: "https://api.example", as: Fifth.self)
    // error: is unavailable: a chain has at most four levels, including Public, and this level is above the fourth
    _ = client.authorized(by: signer, for: "https://api.example", as: Owner.self)
    _ = client.authorized(by: signer, for: "https://api.example", as: Fifth.self)
    // error: is unavailable: a chain has at most four levels, including Public, and this level is above the fourth
}

func authorizes<Level: AccessLevel>(_ client: APIClient<Public>, as level: Level.Type) -> APIClient<Level>
where Level.Includes.Includes.Includes == Public {
    client.authorized(by: .bearer("t0ken"), for: "https://api.example", as: level)
}

func namesWhatIsWrittenNow(client: APIClient<Public>, authorized: APIClient<Authorized>) async throws {
    _ = try await authorized.response(for: Me())
    // error: 'response(for:)' has been renamed to 'bind(_:)': write client.bind(request).response()
}
