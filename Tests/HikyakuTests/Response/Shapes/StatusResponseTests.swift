import Foundation
import Hikyaku
import HikyakuTesting
import Testing

enum Upload: StatusResult, Sendable, Equatable {
    case stored(Dish), queued(String), unchanged, gone([Int])

    static let shapes: [StatusShape<Upload>] = [
        .on(201, SingleResponse<Dish>.self) { .stored($0) },
        .on(202...203, TextResponse.self) { .queued($0) },
        .on(304, EmptyResponse.self) { .unchanged },
        .on(404...410, ArrayResponse<Int>.self) { .gone($0) },
        .on(405, EmptyResponse.self) { .unchanged },
    ]
}

private enum Plain: StatusResult, Sendable {
    case text(String), nothing

    static let shapes: [StatusShape<Plain>] = [
        .on(200, TextResponse.self) { .text($0) }, .on(203, TextResponse.self) { .text($0) },
        .on(204, EmptyResponse.self) { .nothing },
    ]
}

private enum Streams: StatusResult, Sendable {
    case body(HTTPBody), number(Int)

    static let shapes: [StatusShape<Streams>] = [
        .on(200, StreamedResponse.self) { .body($0) }, .on(206, SingleResponse<Int>.self) { .number($0) },
    ]
}

private enum Broken: StatusResult, Sendable {
    case both(Dish, Dish)

    static let shapes: [StatusShape<Broken>] = [
        .on(200, CombinedResponse<SingleResponse<Dish>, SingleResponse<Dish>>.self) { .both($0.0, $0.1) }
    ]
}

private struct Opaque: Sendable {}

private enum Unreadable: StatusResult, Sendable {
    case opaque(Opaque)

    static let shapes: [StatusShape<Unreadable>] = [.on(200, Decoded<Opaque>.self) { .opaque($0) }]
}

@Suite struct StatusResponseTests {
    private static func send(
        _ status: HTTPStatus,
        _ body: HTTPBody = "",
    ) async throws(APIError<ProblemDetails>) -> Upload {
        try await HikyakuTests.send(StatusResponse<Upload>.self, HTTPResponse(status: status, body: body))
    }

    @Test func eachStatusIsReadByItsShape() async throws {
        #expect(try await Self.send(201, #"{"id":1,"name":"Ramen"}"#) == .stored(.sample))
        #expect(try await Self.send(202, "soon") == .queued("soon"))
        #expect(try await Self.send(203, "later") == .queued("later"))
        #expect(try await Self.send(304) == .unchanged)
        #expect(try await Self.send(404, "[1]") == .gone([1]))
        #expect(try await Self.send(405, "[2]") == .gone([2]), "the first shape that fits")
    }

    @Test(arguments: [200, 204, 411, 500] as [HTTPStatus])
    func aStatusWithoutAShapeIsNotAccepted(status: HTTPStatus) async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await Self.send(status) }
        #expect(error.phase == .unacceptableStatus)
        #expect(error.response?.status == status)
    }

    @Test func aBodyThatItsShapeCannotReadIsAFailure() async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await Self.send(404, #"["a"]"#)
        }
        guard case .decoding(let failure) = error else { throw error }
        #expect(failure.diagnosis.pointer == "/0")
    }

    @Test func aStatusThatTheRequestAcceptsByItselfNeedsAShapeToo() async throws {
        struct Anything: APIRequest {
            typealias Definition = StatusResponse<Upload>
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/" }
            func accepts(_ status: HTTPStatus) -> Bool { true }
        }
        let client = APIClient(transport: MockTransport { _ in HTTPResponse(status: 500) })
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Anything()) }
        guard case .decoding(let failure) = error else { throw error }
        #expect(failure.diagnosis.expected == "a status that Upload has a shape for")
        #expect(failure.diagnosis.found == "500 Internal Server Error")
    }

    @Test func allShapesDetermineTheAcceptHeader() throws {
        #expect(try Shaped<StatusResponse<Upload>>().httpRequest().headers[.accept] == "application/json")
        #expect(StatusResponse<Plain>.acceptedMediaTypes == TextResponse.acceptedMediaTypes)
        #expect(StatusResponse<Streams>.acceptedMediaTypes == nil)
    }

    @Test func aShapeThatStreamsLeavesTheBodyToTheOthersToo() async throws {
        #expect(StatusResponse<Streams>.streamsBody)
        #expect(!StatusResponse<Plain>.streamsBody)
        let whole = try await HikyakuTests.send(StatusResponse<Streams>.self, HTTPResponse(status: 200, body: "abc"))
        guard case .body(let body) = whole else { throw NothingThrown() }
        #expect(try await body.collect() == Data("abc".utf8))
        let part = try await HikyakuTests.send(StatusResponse<Streams>.self, HTTPResponse(status: 206, body: "7"))
        guard case .number(7) = part else { throw NothingThrown() }
    }

    @Test func aProblemOfOneShapeIsRejectedBeforeAnythingIsSent() throws {
        #expect(throws: APIError<ProblemDetails>.self) { try Shaped<StatusResponse<Broken>>().httpRequest() }
        #expect(StatusResponse<Broken>._definitionProblem?.contains("/dish") == true)
        #expect(StatusResponse<Plain>._definitionProblem == nil)
        #expect(StatusResponse<Unreadable>._definitionProblem == "no Definition can read Opaque")
    }
}
