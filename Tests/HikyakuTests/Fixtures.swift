import Foundation
import Hikyaku
import HikyakuTesting
import Testing

extension APIEnvironment {
    static let shop = APIEnvironment(baseURL: "https://shop.example/v1", headers: ["X-Shop": "main"])
}

struct ShopError: ServiceFailure, Decodable, Equatable {
    let message: String
}

enum Shop {
    protocol Request: APIRequest where Failure == ShopError {}
}

extension Shop.Request {
    var environment: APIEnvironment { .shop }
}

struct Dish: Codable, Sendable, Equatable {
    let id: Int
    let name: String

    static let sample = Dish(id: 1, name: "Ramen")
}

extension Shop {
    struct Dishes: Request {
        typealias Response = [Dish]
        var page = 1
        var path: RequestPath { "/dishes" }
        var query: RequestQuery { ["page": page] }
    }

    struct DishByID: Request {
        typealias Response = Dish
        var id: String
        var path: RequestPath { "/dishes/\(id)" }
    }

    struct AddDish: Request {
        typealias Definition = EmptyResponse
        typealias Access = Authorized
        var dish: Dish
        var method: HTTPMethod { .post }
        var path: RequestPath { "/dishes" }
        var body: RequestBody? { .json(dish) }
    }
}

/// A request whose every part is given by the test.
struct AnyRequest: APIRequest {
    typealias Definition = RawResponse
    var environment: APIEnvironment = "https://a.example"
    var method: HTTPMethod = .get
    var path: RequestPath = "/p"
    var query: RequestQuery = [:]
    var parameters: RequestQuery = [:]
    var headers: HTTPHeaders = [:]
    var body: RequestBody?
    var timeout: Duration?
}

/// Runs what must throw, and returns what it throws.
func failure<Value, Failure: Error>(
    of work: () async throws(Failure) -> Value,
    sourceLocation: SourceLocation = #_sourceLocation,
) async throws -> Failure {
    let result: Result<Value, Failure>
    do throws(Failure) { result = .success(try await work()) } catch { result = .failure(error) }
    guard case .failure(let failure) = result else {
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        throw NothingThrown()
    }
    return failure
}

struct NothingThrown: Error {}
