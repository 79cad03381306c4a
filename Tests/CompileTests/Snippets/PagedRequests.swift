import Hikyaku

nonisolated enum Admin: AccessLevel { typealias Includes = Authorized }
nonisolated enum Owner: AccessLevel { typealias Includes = Admin }

nonisolated struct AppError: Error {}

nonisolated protocol ExampleRequest: PagedRequest {}
nonisolated extension ExampleRequest {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
    var paging: Paging<Self> { .link }
}

nonisolated struct Item: Decodable, Identifiable, Sendable {
    let id: Int
}

nonisolated struct Items: ExampleRequest {
    typealias Response = [Item]
}

nonisolated struct Names: ExampleRequest {
    typealias Response = [String]
}

nonisolated struct Mine: ExampleRequest {
    typealias Response = [Item]
    typealias Access = Authorized
}

nonisolated struct All: ExampleRequest {
    typealias Response = [Item]
    typealias Access = Admin
}

nonisolated struct Single: APIRequest {
    typealias Response = [Item]
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/item" }
}

nonisolated func walksWhatItsLevelIncludes(
    client: APIClient<Public>,
    authorized: APIClient<Authorized>,
    admin: APIClient<Admin>,
    owner: APIClient<Owner>,
) async throws {
    for try await item in client.items(of: Items()) { print(item.id) }
    for try await item in authorized.items(of: Items()) { print(item.id) }
    for try await page in authorized.pages(of: Mine()).droppingRepeats() { print(page.items.count) }
    for try await page in admin.pages(of: Mine()).prefetching(2) { print(page.items.count) }
    for try await page in admin.pages(of: All()).limited(toPages: 5) { print(page.items.count) }
    for try await item in owner.items(of: Mine()) { print(item.id) }
    for try await name in client.bind(Names()).items().droppingRepeats(by: \.self) { print(name) }
}

nonisolated func throwsTypedErrors(client: APIClient<Public>) async throws(APIError<ProblemDetails>) {
    var pages = client.pages(of: Items()).makeAsyncIterator()
    while let page = try await pages.next() { print(page.items.count) }
    for try await item in client.items(of: Items()) { print(item.id) }
}

nonisolated func throwsTheAppsErrors(client: MappedClient<Authorized, AppError>) async throws(AppError) {
    for try await item in client.items(of: Mine()) { print(item.id) }
    for try await page in client.pages(of: Items(), from: nil) { print(page.items.count) }
}

@MainActor
func walksOnTheMainActor(client: APIClient<Public>) async throws -> [Int] {
    var ids: [Int] = []
    for try await item in client.items(of: Items()).prefetching(1) { ids.append(item.id) }
    return ids
}

nonisolated func refuses(
    client: APIClient<Public>,
    authorized: APIClient<Authorized>,
    mapped: MappedClient<Public, AppError>,
) {
    _ = client.pages(of: Mine())
    // error: 'pages(of:from:)' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    _ = client.items(of: Mine())
    // error: 'items(of:from:)' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    _ = authorized.pages(of: All())
    // error: this client's level does not include what the request needs: authorized(by:for:as:)
    _ = mapped.items(of: Mine())
    // error: this client is not authorized for this request: use client.authorized(by:for:)
    _ = client.pages(of: Single())
    // error: 'Single' conform to 'PagedRequest'
    _ = client.pages(of: Names()).droppingRepeats()
    // error: that 'String' conform to 'Identifiable'
}

nonisolated func refusesGenerically<R: PagedRequest>(client: APIClient<Public>, request: R) {
    _ = client.pages(of: request)
    // error: constrain T.Access of a generic request (where T.Access: OpenLevel), or take a BoundRequest<T>
}

nonisolated struct Unpaged: PagedRequest {
    // error: type 'Unpaged' does not conform to protocol 'PagedRequest'
    // error: does not conform to protocol 'ItemPage'
    typealias Response = Item
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/item" }
    var paging: Paging<Self> { .link }
}
