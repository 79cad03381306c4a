import Foundation
import Hikyaku
import HikyakuTesting
import Testing

private struct AddDishes: Shop.Request {
    typealias Response = [Dish]
    typealias Access = Authorized
    var path: RequestPath { "/dishes" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(["stream": true]) }
    var events: EventStreamProxy<Self, Dish> { EventStreamProxy(request: self, terminator: .data("[DONE]")) }
}

@Suite struct EventStreamProxyTests {
    @Test func theResponseIsAStreamOfEvents() async throws {
        let text = "data: {\"id\":1,\"name\":\"a\"}\n\ndata: [DONE]\n\ndata: x\n\n"
        let transport = MockTransport { _ in
            HTTPResponse(status: 200, headers: ["Content-Type": "text/event-stream"], body: HTTPBody(text))
        }
        let client = APIClient(transport: transport).authorized(by: .bearer("t"), for: .shop)
        var ids: [Int] = []
        for try await dish in try await client.send(AddDishes().events) { ids.append(dish.id) }
        let request = try #require(transport.requests.first)
        #expect(ids == [1] && request.method == .post && request.headers[.authorization] == "Bearer t")
        #expect(request.headers[.accept] == "text/event-stream" && request.body != nil)
    }

    @Test func theFailureIsThatOfTheRequest() async throws {
        let transport = MockTransport { _ in .json(#"{"message":"no"}"#, status: 400) }
        let client = APIClient(transport: transport).authorized(by: .bearer("t"), for: .shop)
        let error = try await failure { () async throws(APIError<ShopError>) in
            _ = try await client.send(AddDishes().events)
        }
        #expect(error.service(as: ShopError.self)?.message == "no")
    }
}
