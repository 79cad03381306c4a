import Hikyaku

enum Admin: AccessLevel { typealias Includes = Authorized }
enum Owner: AccessLevel { typealias Includes = Admin }

struct AppError: Error {}

nonisolated protocol ExampleRequest: PagedRequest {}
nonisolated extension ExampleRequest {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
    var paging: Paging<Self> { .link }
}

struct Item: APIModel, Decodable, Identifiable {
    let id: Int
}

struct Items: ExampleRequest {
    typealias Response = [Item]
}

struct Names: ExampleRequest {
    typealias Response = [String]
}

struct Mine: ExampleRequest {
    typealias Response = [Item]
    typealias Access = Authorized
}

struct All: ExampleRequest {
    typealias Response = [Item]
    typealias Access = Admin
}

struct Single: APIRequest {
    typealias Response = [Item]
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/item" }
}

func walksWhatItsLevelIncludes(
    client: APIClient<Public>,
    authorized: APIClient<Authorized>,
    admin: APIClient<Admin>,
    owner: APIClient<Owner>,
) async throws {
    for try await item in client.bind(Items()).items() { print(item.id) }
    for try await item in authorized.bind(Items()).items() { print(item.id) }
    for try await page in authorized.bind(Mine()).pages().droppingRepeats() { print(page.items.count) }
    for try await page in admin.bind(Mine()).pages().prefetching(2) { print(page.items.count) }
    for try await page in admin.bind(All()).pages().limited(toPages: 5) { print(page.items.count) }
    for try await item in owner.bind(Mine()).items() { print(item.id) }
    for try await name in client.bind(Names()).items().droppingRepeats(by: \.self) { print(name) }
}

func throwsTypedErrors(client: APIClient<Public>) async throws(APIError<ProblemDetails>) {
    var pages = client.bind(Items()).pages().makeAsyncIterator()
    while let page = try await pages.next() { print(page.items.count) }
    for try await item in client.bind(Items()).items() { print(item.id) }
}

func throwsTheAppsErrors(client: MappedClient<Authorized, AppError>) async throws(AppError) {
    for try await item in client.bind(Mine()).items() { print(item.id) }
    for try await page in client.bind(Items()).pages(from: nil) { print(page.items.count) }
}

@MainActor
func walksOnTheMainActor(client: APIClient<Public>) async throws -> [Int] {
    var ids: [Int] = []
    for try await item in client.bind(Items()).items().prefetching(1) { ids.append(item.id) }
    return ids
}

func refuses(
    client: APIClient<Public>,
    authorized: APIClient<Authorized>,
    mapped: MappedClient<Public, AppError>,
) {
    _ = authorized.pages(of: Mine())
    // error: 'pages(of:from:)' has been renamed to 'bind(_:)': write client.bind(request).pages()
    _ = authorized.items(of: Mine(), from: nil)
    // error: 'items(of:from:)' has been renamed to 'bind(_:)': write client.bind(request).items()
    _ = client.bind(Single()).pages()
    // error: referencing instance method 'pages(from:)' on 'BoundRequest' requires that 'Single' conform to 'PagedRequest'
    _ = client.bind(Names()).pages().droppingRepeats()
    // error: that 'String' conform to 'Identifiable'
}

struct Unpaged: PagedRequest {
    // error: type 'Unpaged' does not conform to protocol 'PagedRequest'
    // error: does not conform to protocol 'ItemPage'
    typealias Response = Item
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/item" }
    var paging: Paging<Self> { .link }
}
