import Foundation
import Hikyaku
import HikyakuTesting

struct ShopError: ServiceFailure, Decodable { var message: String }
struct Dish: APIModel, Codable { var id: Int, name: String }
nonisolated struct Plain: Sendable { var id = 1 }
nonisolated enum Order: String { case name, price }
nonisolated final class Basket { var count = 0 }
nonisolated final class Node: Decodable { var id: Int }
struct Problem: Error, Decodable {}

nonisolated protocol ShopRequest: APIRequest where Failure == ShopError {}
nonisolated extension ShopRequest { var environment: APIEnvironment { "https://shop.example" } }

struct Dishes: ShopRequest {
    typealias Response = [Dish]
    var path: RequestPath { "/dishes" }
}

struct TupleAsResponse: ShopRequest {
    // error: type 'TupleAsResponse' does not conform to protocol 'APIRequest'
    // error: unavailable instance method 'response(from:)' was used to satisfy a requirement of protocol 'APIRequest': no Definition can read this Response: make it Decodable, and in its own declaration an APIModel if the module isolates to the main actor; or set a Definition, or write response(from:)
    typealias Response = (Dish, Dish)
    var path: RequestPath { "/both" }
}

struct ClassAsResponse: ShopRequest {
    // error: type 'ClassAsResponse.Response' (aka 'Node') does not conform to the 'Sendable' protocol
    typealias Response = Node
    var path: RequestPath { "/node" }
}

struct ClassAsProperty: ShopRequest {
    typealias Response = Int
    var basket: Basket
    // error: stored property 'basket' of 'Sendable'-conforming struct 'ClassAsProperty' has non-Sendable type 'Basket'
    var path: RequestPath { "/count" }
}

struct ResponseAndDefinition: ShopRequest {
    // error: type 'ResponseAndDefinition' does not conform to protocol 'APIRequest'
    // error: type 'ResponseAndDefinition' does not conform to protocol '_FailureSpelling'
    typealias Response = Int
    typealias Definition = TextResponse
    var path: RequestPath { "/text" }
}

struct FailureThatIsNone: APIRequest {
    // error: type 'FailureThatIsNone' does not conform to protocol 'APIRequest'
    // error: type 'FailureThatIsNone' does not conform to protocol '_FailureSpelling'
    // note: possibly intended match 'FailureThatIsNone.Failure' (aka 'Problem') does not conform to 'ServiceFailure'
    typealias Response = Int
    typealias Failure = Problem
    var environment: APIEnvironment { "https://shop.example" }
    var path: RequestPath { "/x" }
}

struct TextAsPath: ShopRequest {  // error: type 'TextAsPath' does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestPathContent'
    // note: candidate has non-matching type 'String'
    // note: protocol requires property 'path' with type 'RequestPath'
    typealias Response = Dish
    var id: Int
    var path: String { "/dishes/\(id)" }
}

struct JoinedPath: ShopRequest {
    typealias Response = Dish
    var id: String
    var path: RequestPath { "/dishes/" + id }
    // error: cannot convert return expression of type 'String' to return type 'RequestPath'
}

struct OptionalID: ShopRequest {
    typealias Response = Dish
    var id: Int?
    var path: RequestPath { "/dishes/\(id)" }
    // error: value of optional type 'Int?' must be unwrapped to a value of type 'Int'
}

struct NumberWithAFraction: ShopRequest {
    typealias Response = [Dish]
    var price: Double
    var path: RequestPath { "/dishes/\(price)" }
    // error: instance method 'appendInterpolation' requires that 'Double' conform to 'PathComponent'
}

struct EnumInAQuery: ShopRequest {
    typealias Response = [Dish]
    var order: Order
    var path: RequestPath { "/dishes" }
    var query: RequestQuery { ["order": order] }
    // error: cannot convert value of type 'Order' to expected dictionary value type '(any QueryValue)?'
}

struct ModelThatIsNotEncodable: ShopRequest {
    typealias Response = Dish
    var path: RequestPath { "/dishes" }
    var body: RequestBody? { .json(Plain()) }
    // error: static method 'json' requires that 'Plain' conform to 'Encodable'
}

struct ModelAsBody: ShopRequest {  // error: type 'ModelAsBody' does not conform to protocol 'APIRequest'
    // error: type 'Dish' does not conform to protocol '_RequestBodyContent'
    typealias Response = Dish
    var body: Dish
    var path: RequestPath { "/dishes" }
}

struct FallbackOfAModel: ShopRequest {
    // error: type 'FallbackOfAModel' does not conform to protocol 'APIRequest'
    // error: type 'Dish' does not conform to protocol '_OptionalResult'
    typealias Response = Dish
    var path: RequestPath { "/dishes" }
    func fallback(for error: APIError<ShopError>) -> Dish { Dish(id: 0, name: "") }
}

nonisolated struct Holder {
    var client: APIClient  // error: reference to generic type 'APIClient' requires arguments in <...>
}

func sendsWrongly(client: APIClient<Public>) async throws {
    let first = await client.send(Dishes())  // error: call can throw but is not marked with 'try'
    let second = try client.send(Dishes())  // error: expression is 'async' but is not marked with 'await'
    let third: [String] = try await client.send(Dishes())
    // error: cannot assign value of type 'Dishes.Response' (aka 'Array<Dish>') to type '[String]'
    _ = try await client.send(Dishes.self)  // error: type 'Dishes.Type' cannot conform to 'APIRequest'
    _ = client.bind(Dishes()).items()
    // error: referencing instance method 'items(from:)' on 'BoundRequest' requires that 'Dishes' conform to 'PagedRequest'
    try await client.send(Dishes())  // warning: result of call to 'send' is unused
    _ = client.stubbing(Dishes.self) { [] }
    // error: contextual type for closure argument list expects 1 argument, which cannot be implicitly ignored
    print(first, second, third)
}

func isNotAsync(client: APIClient<Public>) throws {
    _ = try await client.send(Dishes())  // error: 'async' call in a function that does not support concurrency
}

func authorizesWrongly(client: APIClient<Public>, url: String) {
    var own = client
    own = client.authorized(by: .bearer("t0ken"), for: "https://shop.example")
    // error: cannot assign value of type 'APIClient<Authorized>' to type 'APIClient<Public>'
    _ = client.authorized(by: "t0ken", for: "https://shop.example")
    // error: no exact matches in call to instance method 'authorized'
    _ = client.authorized(by: .bearer("t0ken"))  // error: missing argument for parameter 'for' in call
    _ = APIClient<Authorized>()
    // error: referencing initializer 'init(transport:middleware:decoder:encoder:timeout:options:)' on 'APIClient' requires the types 'Authorized' and 'Public' be equivalent
    let environment: APIEnvironment = url
    // error: cannot convert value of type 'String' to specified type 'APIEnvironment'
    print(own, environment)
}

struct OptionalNumberAsTimeout: ShopRequest {
    // error: type 'OptionalNumberAsTimeout' does not conform to protocol 'APIRequest'
    // error: 'APIRequest' requires the types 'TimeInterval' (aka 'Double') and 'Duration' be equivalent
    // note: requirement from conditional conformance of 'TimeInterval?' (aka 'Optional<Double>') to '_RequestTimeout'
    typealias Response = Dish
    var path: RequestPath { "/dishes" }
    var timeout: TimeInterval?
}

struct OptionalDataAsBody: ShopRequest {
    // error: type 'OptionalDataAsBody' does not conform to protocol 'APIRequest'
    // error: 'APIRequest' requires the types 'Data' and 'RequestBody' be equivalent
    // note: requirement from conditional conformance of 'Data?' to '_RequestBodyContent'
    typealias Response = Dish
    var path: RequestPath { "/dishes" }
    var body: Data?
}

struct OptionalsAsHeaders: ShopRequest {
    // error: type 'OptionalsAsHeaders' does not conform to protocol 'APIRequest'
    // error: type 'String?' does not conform to protocol 'StringProtocol'
    // error: 'APIRequest' requires that 'String?' conform to 'StringProtocol'
    typealias Response = Dish
    var device: String?
    var path: RequestPath { "/dishes" }
    var headers: [String: String?] { ["X-Device": device] }
}

struct TextAsAccess: ShopRequest {  // error: type 'TextAsAccess' does not conform to protocol 'APIRequest'
    // note: possibly intended match 'TextAsAccess.Access' (aka 'String') does not conform to 'AccessLevel'
    typealias Response = Dish
    typealias Access = String
    var path: RequestPath { "/dishes" }
}

struct UpperCaseMethod: ShopRequest {
    typealias Response = Dish
    var path: RequestPath { "/dishes" }
    var method: HTTPMethod { .POST }  // error: type 'HTTPMethod' has no member 'POST'
}

class ClassAsRequest: ShopRequest {
    // error: non-final class 'ClassAsRequest' cannot conform to the 'Sendable' protocol
    typealias Response = Dish
    var path: RequestPath { "/dishes" }
}

final class ChangingRequest: ShopRequest {
    typealias Response = Dish
    var page = 1  // error: stored property 'page' of 'Sendable'-conforming class 'ChangingRequest' is mutable
    var path: RequestPath { "/dishes" }
}

struct ListAsHeaders: ShopRequest {
    // error: type 'ListAsHeaders' does not conform to protocol 'APIRequest'
    // error: type '[(String, String)]' does not conform to protocol '_RequestHeaders'
    typealias Response = Dish
    var path: RequestPath { "/dishes" }
    var headers: [(String, String)] { [("X-Device", "d")] }
}

func catchesWrongly(client: APIClient<Public>) async {
    do {
        _ = try await client.send(Dishes())
    } catch let error as ShopError {
        // warning: cast from 'APIError<ShopError>' to unrelated type 'ShopError' always fails
        print(error)
    } catch .service(let error) {
        // warning: enum case 'service' has 2 associated values; matching them as a tuple is deprecated
        print(error)
    } catch {
        print(error.statusCode)  // error: value of type 'APIError<ShopError>' has no member 'statusCode'
    }
    do {
        _ = try await client.send(Dishes())
    } catch is CancellationError {
        // warning: cast from 'APIError<ShopError>' to unrelated type 'CancellationError' always fails
    } catch {
        if error == .cancelled { return }
        // error: cannot convert value of type 'APIError<ShopError>' to expected argument type
    }
}

func configuresWrongly(client: APIClient<Authorized>, url: String) async throws {
    _ = ClientOptions(timeout: 5)
    // error: cannot convert value of type 'Int' to expected argument type 'Duration'
    _ = APIClient(baseURL: url)  // error: extra argument 'baseURL' in call
    _ = client.substituting(url, for: "https://shop.example")
    // error: cannot convert value of type 'String' to expected argument type 'APIEnvironment'
}

struct OptionalHeader: ShopRequest {
    typealias Response = Dish
    var name: String?
    var path: RequestPath { "/dishes" }
    var headers: HTTPHeaders { ["X-Name": name] }
    // error: cannot convert value of type 'String?' to expected dictionary value type 'String'
}

struct DictionaryInAQuery: ShopRequest {
    typealias Response = Dish
    var filter: [String: Int]
    var path: RequestPath { "/dishes" }
    var query: RequestQuery { ["filter": filter] }
    // error: cannot convert value of type '[String : Int]' to expected dictionary value type '(any QueryValue)?'
}

struct SetInAQuery: ShopRequest {
    typealias Response = Dish
    var ids: Set<Int>
    var path: RequestPath { "/dishes" }
    var query: RequestQuery { ["ids": ids] }
    // error: cannot convert value of type 'Set<Int>' to expected dictionary value type '(any QueryValue)?'
}

struct DateInAPath: ShopRequest {
    typealias Response = Dish
    var day: Date
    var path: RequestPath { "/dishes/\(day)" }
    // error: instance method 'appendInterpolation' requires that 'Date' conform to 'PathComponent'
}

struct PageOfNothing: ShopRequest, PagedRequest {
    // error: type 'PageOfNothing' does not conform to protocol 'PagedRequest'
    // error: type 'PageOfNothing.Response' (aka 'Dish') does not conform to protocol 'ItemPage'
    typealias Response = Dish
    var path: RequestPath { "/dishes" }
    var paging: Paging<Self> { .link }
}

func callsWrongly(client: APIClient<Public>, url: URL) async {
    let dishes = await client.send(Dishes())
    // error: call can throw, but it is not marked with 'try' and the error is not handled
    _ = APIEnvironment(baseURL: url)  // error: cannot convert value of type 'URL' to expected argument type 'String'
    _ = try? await client.found(Dishes())
    // error: 'found' is unavailable: write client.bind(request).found()
    _ = try? await client.send(Dishes(), timeout: .seconds(1))
    // error: 'send(_:timeout:)' is unavailable: write var timeout: Duration? { … } in the request, or CallDeadline.within(timeout) { … } around it
    _ = APIClient(token: "t0ken")  // error: extra argument 'token' in call
    print(dishes)
}
