import Foundation
import Hikyaku
import HikyakuTesting
import Testing

private struct Lines: APIRequest {
    typealias Definition = JSONLinesResponse<Dish>
    var environment: APIEnvironment { .shop }
    var path: RequestPath { "/lines" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .jsonLines([Dish.sample, Dish(id: 2, name: "Udon")]) }
}

@Suite struct JSONLinesResponseTests {
    /// Returns the body of the request.
    private let transport = MockTransport { request in
        HTTPResponse(status: 200, body: request.body ?? .empty)
    }

    @Test func linesAreSentAndRead() async throws {
        var dishes: [Dish] = []
        for try await dish in try await APIClient(transport: transport).send(Lines()) { dishes.append(dish) }
        #expect(dishes == [.sample, Dish(id: 2, name: "Udon")])
        let request = try #require(transport.requests.first)
        #expect(request.headers[.contentType] == "application/jsonl")
        #expect(request.headers[.accept]?.hasPrefix("application/jsonl") == true)
    }

    @Test func aLineThatIsNotAValueEndsTheStream() async throws {
        let body = "{\"id\":1,\"name\":\"a\"}\n[]\n"
        let transport = MockTransport { _ in HTTPResponse(status: 200, body: HTTPBody(body)) }
        var iterator = try await APIClient(transport: transport).send(Lines()).makeAsyncIterator()
        #expect(try await iterator.next()?.id == 1)
        let error = await #expect(throws: APIError<ProblemDetails>.self) { try await iterator.next() }
        #expect(error?.context.underlyingError is JSONLineError && error?.diagnosis?.line == 2)
    }
}
