import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@Suite struct VoidResponseTests {
    private struct Remove: APIRequest {
        typealias Response = Void
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/dishes/1" }
        var method: HTTPMethod { .delete }
    }

    private struct Plain: RequestProxy { var request = Remove() }

    @Test(arguments: [HTTPResponse(status: .noContent), .json("{"), .json("")])
    func whateverTheBodyHoldsIsPassedOver(answer: HTTPResponse) async throws {
        let transport = MockTransport { _ in answer }
        let client = APIClient(transport: transport)
        try await client.send(Remove())
        try await client.send(Plain())
        #expect(transport.requests.allSatisfy { $0.headers[.accept] == "*/*" })
    }

    @Test func aStatusThatIsNotAcceptedIsAnError() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("", status: 404) })
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Remove()) }
        #expect(error.phase == .unacceptableStatus)
    }
}
