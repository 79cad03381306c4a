import Hikyaku

struct ShopError: ServiceFailure, Decodable {
    let message: String
}

struct BankError: ServiceFailure, Decodable {
    let code: Int
}

struct Items: APIRequest {
    typealias Response = [String]
    typealias Failure = ShopError
    var environment: APIEnvironment { "https://shop.example" }
    var path: RequestPath { "/items" }
}

struct Balance: APIRequest {
    typealias Response = Int
    typealias Failure = BankError
    var environment: APIEnvironment { "https://bank.example" }
    var path: RequestPath { "/balance" }
}

struct Orders: APIRequest {
    typealias Response = [String]
    typealias Access = Authorized
    typealias Failure = ShopError
    var environment: APIEnvironment { "https://shop.example" }
    var path: RequestPath { "/orders" }
}

func chains(_ client: APIClient<Public>) async throws {
    let one: APICall<[String], APIError<ShopError>> = client.call(Items()).then { _ in client.call(Items()) }
    let several: APICall<Int, AnyAPIFailure> = one.then { _ in client.call(Balance()) }
    let mapped: APICall<Bool, AnyAPIFailure> = several.then { balance in balance > 0 }
    mapped.success { isRich in print(isRich) }.failure { error in print(error.localizedDescription) }
    let count = try await client.call(Items()).then(on: .immediate) { items in items.count }.value
    print(count)
}

struct AppError: Error {}

func chainsWhereErrorsAreMapped(_ client: APIClient<Public>) {
    let app = client.mapError { _ in AppError() }
    let one: APICall<[String], AppError> = app.bind(Items()).call().then { _ in app.bind(Items()).call() }
    let count: APICall<Int, AppError> = one.then { items in items.count }
    let several: APICall<Int, any Error> = count.then { _ in client.call(Balance()) }
    let more: APICall<[String], any Error> = several.then(on: .immediate) { _ in app.bind(Items()).call() }
    let other: APICall<[String], any Error> = client.call(Balance()).then { _ in app.bind(Items()).call() }
    more.success { print($0) }.failure { print($0) }
    other.then { _ in more }.finally {}
}

func keepsTheErrorsType(_ client: APIClient<Public>) -> APICall<Int, APIError<ShopError>> {
    client.call(Items()).then { _ in client.call(Balance()) }
    // error: cannot convert value of type 'APICall<Balance.Response, APIError<Balance.Failure>>'
}

func callsWithoutAuthorization(_ client: APIClient<Public>) {
    client.call(Orders())
    // error: 'call' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    client.bind(Orders()).send { _ in }
    // error: 'bind' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    client.bind(Orders()).send(on: .immediate) { _ in }
    // error: 'bind' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    _ = client.bind(Orders()).events()
    // error: 'bind' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
}

func callsWithAuthorization(_ client: APIClient<Authorized>) {
    client.call(Orders()).success { print($0.count) }
    client.call(Items())
    client.bind(Orders()).send { outcome in print(outcome) }
    client.bind(Orders()).send(on: .immediate) { print($0) }
    _ = client.bind(Orders()).events()
}
