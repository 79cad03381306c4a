import Hikyaku

enum Admin: AccessLevel { typealias Includes = Authorized }
enum Owner: AccessLevel { typealias Includes = Admin }

struct AppError: Error {}

nonisolated protocol ExampleRequest: APIRequest {}
nonisolated extension ExampleRequest { var environment: APIEnvironment { "https://api.example" } }

struct Items: ExampleRequest {
    typealias Response = [String]
    var path: RequestPath { "/items" }
}

struct Hints: ExampleRequest {
    typealias Response = Int
    typealias Access = AuthorizedIfPossible
    var path: RequestPath { "/hints" }
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

func takesOpenLevels(client: MappedClient<Public, AppError>) async throws(AppError) {
    let _: [String] = try await client.bind(Items()).send()
    let _: [String] = try await client.send(Items())
    let _: Int = try await client.bind(Hints()).send()
    let _: Int = try await client.send(Hints())
}

func takesItsOwnLevelAndThoseBelow(
    authorized: MappedClient<Authorized, AppError>,
    admin: MappedClient<Admin, AppError>,
    owner: MappedClient<Owner, AppError>,
) async throws(AppError) {
    let _: [String] = try await authorized.bind(Items()).send()
    let _: [String] = try await authorized.send(Items())
    let _: String = try await authorized.bind(Me()).send()
    let _: String = try await authorized.send(Me())
    let _: String = try await admin.bind(Me()).send()
    let _: String = try await admin.send(Me())
    let _: String = try await owner.bind(Me()).send()
    let _: String = try await owner.send(Me())
}

func takesOpenRequests<T: APIRequest>(
    _ request: T,
    client: MappedClient<Public, AppError>,
) async throws(AppError)
where T.Access: OpenLevel {
    let _: T.Response = try await client.bind(request).send()
    let _: T.Response = try await client.send(request)
}

func bound<T: APIRequest>(_ request: MappedRequest<T, AppError>) async throws(AppError) -> T.Response {
    request.send { outcome in print(outcome) }
    request.send(on: .immediate) { (outcome: Result<T.Response, AppError>) in print(outcome) }
    let _: CallEvents<T.Response, AppError> = request.events()
    return try await request.response().value
}

func refusesWithoutAuthorization(client: MappedClient<Public, AppError>) async throws {
    _ = client.bind(Me())
    // error: 'bind' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    _ = try await client.send(Me())
    // error: 'send' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
}

func refusesAHigherLevel(
    client: MappedClient<Public, AppError>,
    authorized: MappedClient<Authorized, AppError>,
) async throws {
    _ = client.bind(Purge())
    // error: 'bind' is unavailable: this client's level does not include what the request needs: authorized(by:for:as:)
    _ = try await client.send(Purge())
    // error: 'send' is unavailable: this client's level does not include what the request needs: authorized(by:for:as:)
    _ = authorized.bind(Purge())
    // error: 'bind' is unavailable: this client's level does not include what the request needs: authorized(by:for:as:)
    _ = try await authorized.send(Purge())
    // error: 'send' is unavailable: this client's level does not include what the request needs: authorized(by:for:as:)
}

func refusesGenerically<T: APIRequest>(
    _ request: T,
    client: MappedClient<Public, AppError>,
    authorized: MappedClient<Authorized, AppError>,
) async throws {
    _ = client.bind(request)
    // error: 'bind' is unavailable: constrain T.Access of a generic request (where T.Access: OpenLevel), or take a MappedRequest of it
    _ = try await client.send(request)
    // error: 'send' is unavailable: constrain T.Access of a generic request (where T.Access: OpenLevel), or take a MappedRequest of it
    _ = authorized.bind(request)
    // error: 'bind' is unavailable: constrain T.Access of a generic request (where T.Access: OpenLevel), or take a MappedRequest of it
    _ = try await authorized.send(request)
    // error: 'send' is unavailable: constrain T.Access of a generic request (where T.Access: OpenLevel), or take a MappedRequest of it
}

func namesWhatIsWrittenNow(client: MappedClient<Public, AppError>) {
    _ = client.call(Items())
    // error: 'call' has been renamed to 'bind(_:)': write client.bind(request).call()
}

func hasTheLevelOfItsClient(client: APIClient<Public>, authorized: APIClient<Authorized>) async throws {
    let _: MappedClient<Public, AppError> = client.mapError { _ in AppError() }
    _ = try await authorized.mapError { $0 as any Error }.send(Me())
    _ = try await client.mapError { $0 as any Error }.send(Me())
    // error: 'send' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
}
