import Foundation
import Hikyaku

struct ShopError: ServiceFailure, Decodable { var message: String }
struct OtherError: ServiceFailure, Decodable { var message: String }
struct Filter: APIModel, Codable { var isOpen: Bool }

nonisolated protocol ShopRequest: APIRequest where Failure == ShopError {}
nonisolated extension ShopRequest { var environment: APIEnvironment { "https://shop.example" } }

struct Dishes: ShopRequest {
    typealias Response = [String]
    var path: RequestPath { "/dishes" }
}

struct AnotherFailure: ShopRequest {
    // error: type 'AnotherFailure' does not conform to protocol 'ShopRequest'
    // error: 'ShopRequest' requires the types 'AnotherFailure.Failure' (aka 'OtherError') and 'ShopError' be equivalent
    typealias Response = Int
    typealias Failure = OtherError
    var path: RequestPath { "/dishes" }
}

struct OptionalQuery: ShopRequest {
    // error: type 'OptionalQuery' does not conform to protocol 'APIRequest'
    // error: type 'RequestQuery?' does not conform to protocol '_RequestQueryItems'
    typealias Response = Int
    var path: RequestPath { "/dishes" }
    var query: RequestQuery? { nil }
}

struct URLAsPath: ShopRequest {  // error: type 'URLAsPath' does not conform to protocol 'APIRequest'
    // error: type 'URL' does not conform to protocol '_RequestPathContent'
    typealias Response = Int
    var path: URL
}

struct Upload: ShopRequest {
    var photo: URL
    var method: HTTPMethod { .post }
    var path: RequestPath { "/photos" }
    var body: RequestBody? { .file(photo) }
}

struct Login: ShopRequest {
    var password: Secret<String>
    var method: HTTPMethod { .post }
    var path: RequestPath { "/login/\(password)" }
    // error: no exact matches in call to instance method 'appendInterpolation'
    var query: RequestQuery { ["key": password] }
    // error: cannot convert value of type 'Secret<String>' to expected dictionary value type '(any QueryValue)?'
    var headers: HTTPHeaders { ["X-Key": password] }
    // error: cannot convert value of type 'Secret<String>' to expected dictionary value type 'String'
    var body: RequestBody? { .json(["password": password]) }
    // error: requires that 'Secret<String>' conform to 'Encodable'
}

struct Search: ShopRequest {
    var filter: Filter
    var method: HTTPMethod { .post }
    var path: RequestPath { "/search" }
    var query: RequestQuery { ["filter": filter] }
    // error: cannot convert value of type 'Filter' to expected dictionary value type '(any QueryValue)?'
    var body: RequestBody? { .json(["page": 1, "filter": ["open": true, "name": "Soba"]]) }
    // error: cannot convert value of type '[String : Any]' to expected dictionary value type 'Int'
}

struct MixedList: ShopRequest {
    var method: HTTPMethod { .post }
    var path: RequestPath { "/search" }
    var body: RequestBody? { .json([1, "Soba"]) }  // error: failed to produce diagnostic for expression
}

func show(client: APIClient<Public>) {}

func sends(client: APIClient<Public>) async {
    show(client: client.authorized(by: .bearer("t"), for: "https://shop.example"))
    // error: cannot convert value of type 'APIClient<Authorized>' to expected argument type 'APIClient<Public>'
    do {
        _ = try await client.send(Dishes())
    } catch .service(let error, 404) {
        // error: expression pattern of type 'Int' cannot match values of type 'BufferedResponse'
        print(error)
    } catch {}
    do {
        async let dishes = client.send(Dishes())
        print(try await dishes)
    } catch .service(let error, _) {
        // error: '_' can only appear in a pattern or on the left side of an assignment
        print(error)
    } catch {}
    client.send(Dishes()) { dishes in print(dishes) }
    // error: 'send(_:completion:)' is unavailable: write client.bind(request).send { result in … }, or try await client.send(request)
}
