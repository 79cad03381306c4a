import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// The envelope of a whole service, and models that may be missing.
@Suite(.timeLimit(.minutes(10)))
struct EnvelopeResponseTests {
    private let transport = MockTransport()
    private let client: APIClient<Public>

    init() {
        client = APIClient(transport: transport)
    }

    @Test func aServiceHasItsEnvelope() async throws {
        transport.enqueue(.json(#"{"took": 3, "data": [{"id": 1, "name": "Ramen"}]}"#))
        #expect(try await client.send(EnvelopedDishes()) == [.sample])
        transport.enqueue(.json(#"{"data": "whatever", "took": 3}"#))
        try await client.send(EnvelopedNothing())
        #expect(transport.requests.map { $0.headers["Accept"] } == ["application/json", "*/*"])
    }

    @Test func aDefinitionOfTheRequestWins() async throws {
        transport.enqueue(.json(#"{"id": 1, "name": "Ramen"}"#))
        #expect(try await client.send(BareDish()) == .sample)
        transport.enqueue(.json(#"{"meta": {"best": {"id": 1, "name": "Ramen"}}}"#))
        #expect(try await client.send(BestDish()) == .sample)
    }

    @Test func anOptionalValueMayBeMissing() async throws {
        for body in ["{}", #"{"data": null}"#] {
            transport.enqueue(.json(body))
            #expect(try await client.send(OptionalDish()) == nil)
        }
        transport.enqueue(.json(#"{"data": {"id": 1, "name": "Ramen"}}"#))
        #expect(try await client.send(OptionalDish()) == .sample)
        transport.enqueue(.json(#"{"took": 3}"#))
        let error = await #expect(throws: APIError<ProblemDetails>.self) { try await client.send(EnvelopedDishes()) }
        #expect(error?.reason == .missingKey && "\(String(describing: error))".contains("\"data\""))
    }

    @Test func itsPagesAreWalked() async throws {
        for body in [#"{"data": [1, 2]}"#, #"{"data": [3]}"#, #"{"data": []}"#] { transport.enqueue(.json(body)) }
        var numbers: [Int] = []
        for try await number in client.bind(EnvelopedPages()).items() { numbers.append(number) }
        #expect(numbers == [1, 2, 3])
    }

    @Test(arguments: [JSONDecoder(), HikyakuJSONDecoder()] as [any ResponseDecoder])
    func anyDecoderReadsIt(decoder: any ResponseDecoder) async throws {
        transport.enqueue(.json(#"{"data": [{"id": 1, "name": "Ramen"}]}"#))
        #expect(try await APIClient(transport: transport, decoder: decoder).send(EnvelopedDishes()) == [.sample])
    }

    // MARK: Missing models

    private struct Wrapped: Error { let failure: any APIFailure }

    @Test(arguments: [404, 410]) func aMissingModelIsNil(status: HTTPStatus) async throws {
        transport.enqueue(.json(#"{"message": "none"}"#, status: status))
        #expect(try await client.bind(Shop.DishByID(id: "7")).found() == nil)
        transport.enqueue(HTTPResponse(status: status))
        #expect(try await client.mapError { Wrapped(failure: $0) }.bind(Shop.DishByID(id: "7")).found() == nil)
    }

    @Test func otherStatusesAreErrors() async throws {
        transport.enqueue(.json(#"{"id": 1, "name": "Ramen"}"#))
        #expect(try await client.bind(Shop.DishByID(id: "1")).found() == .sample)
        transport.enqueue(.json(#"{"message": "no"}"#, status: 403))
        let error = await #expect(throws: APIError<ShopError>.self) {
            try await client.bind(Shop.DishByID(id: "1")).found()
        }
        #expect(error?.response?.status == 403)
    }
}

private enum EnvelopeKey: ResponseKey { static let path = "data" }

private protocol EnvelopeRequest: APIRequest {
    associatedtype Definition = EnvelopeResponse<EnvelopeKey, Response>
}

extension EnvelopeRequest {
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/dishes" }
}

private struct EnvelopedDishes: EnvelopeRequest { typealias Response = [Dish] }
private struct EnvelopedNothing: EnvelopeRequest { typealias Response = Void }
private struct OptionalDish: EnvelopeRequest { typealias Response = Dish? }
private struct BareDish: EnvelopeRequest { typealias Definition = SingleResponse<Dish> }

private struct BestDish: EnvelopeRequest {
    enum Key: ResponseKey { static let path = "meta.best" }
    typealias Definition = KeyedResponse<Key, SingleResponse<Dish>>
}

private struct EnvelopedPages: EnvelopeRequest, PagedRequest {
    typealias Response = [Int]
    var page = 1
    var query: RequestQuery { ["page": page] }
    var paging: Paging<Self> { .number(\.page) }
}
