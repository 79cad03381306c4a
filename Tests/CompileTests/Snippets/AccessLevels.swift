import Hikyaku

enum Admin: AccessLevel { typealias Includes = Authorized }

nonisolated protocol ExampleRequest: APIRequest {}
nonisolated extension ExampleRequest { var environment: APIEnvironment { "https://api.example" } }

struct Items: ExampleRequest {
    typealias Response = [String]
    var path: RequestPath { "/items" }
}

struct Me: ExampleRequest {
    typealias Response = String
    typealias Access = Authorized
    var path: RequestPath { "/me" }
}

struct Purge: ExampleRequest {
    typealias Response = String
    typealias Access = Admin
    var path: RequestPath { "/purge" }
}

func sends(
    client: APIClient<Public>,
    authorized: APIClient<Authorized>,
    admin: APIClient<Admin>,
) async throws -> [String] {
    let items = try await client.send(Items()) + authorized.send(Items()) + admin.send(Items())
    let names = [try await authorized.send(Me()), try await admin.send(Me()), try await admin.send(Purge())]
    return items + names
}

func bound<R: APIRequest>(_ request: BoundRequest<R>) async throws(APIError<R.Failure>) -> R.Response {
    try await request.send()
}

func sendsGenerically(client: APIClient<Public>, admin: APIClient<Admin>) async throws -> [String] {
    try await bound(client.bind(Items())) + [try await bound(admin.bind(Me())), try await bound(admin.bind(Purge()))]
}
