import Foundation
// Not testable: these bodies are made as an app makes them.
import Hikyaku
import HikyakuBase
import Testing

extension RequestBody {
    /// Rows of text, as in the documentation.
    fileprivate static func csv(_ rows: [[String]]) -> RequestBody {
        RequestBody { _ in
            let lines = rows.map { $0.joined(separator: ",") + "\r\n" }
            return (HTTPBody(lines.joined()), "text/csv; charset=utf-8")
        }
    }

    /// A list of small numbers in CBOR (RFC 8949), made while it is sent.
    fileprivate static func cbor(_ numbers: [UInt8]) -> RequestBody {
        RequestBody { _ in
            let items = numbers.map { Data($0 < 24 ? [$0] : [0x18, $0]) }
            let count = items.reduce(2) { $0 + $1.count }
            let pieces = Pieces(pieces: [Data([0x9F])] + items + [Data([0xFF])])
            return (HTTPBody(pieces, count: count, isReplayable: true), "application/cbor")
        }
    }

    /// A value of the request's encoder in an envelope.
    fileprivate static func enveloped(_ value: some Encodable & Sendable) -> RequestBody {
        RequestBody { encoder in
            (HTTPBody(Data("[".utf8) + (try encoder.encode(value)) + Data("]".utf8)), encoder.mediaType)
        }
    }
}

private struct Pieces: AsyncSequence, Sendable {
    let pieces: [Data]

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>
        mutating func next() async -> Data? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...]) }
}

@Suite struct CustomBodyTests {
    @Test func aBodyOfItsOwnHasItsTypeAndItsLength() async throws {
        let request = try AnyRequest(method: .post, body: .csv([["a", "b"], ["1", "2"]])).httpRequest()
        #expect(request.headers[.contentType] == "text/csv; charset=utf-8")
        #expect(request.body?.count == 10 && request.body?.isReplayable == true)
        #expect(try await request.body?.collect() == Data("a,b\r\n1,2\r\n".utf8))
    }

    @Test func aStreamSaysItsLengthAndThatItCanBeReadAgain() async throws {
        let request = try AnyRequest(method: .post, body: .cbor([1, 200])).httpRequest()
        let body = try #require(request.body)
        #expect(request.headers[.contentType] == "application/cbor" && body.count == 5 && body.isReplayable)
        for _ in 0..<2 { #expect(try await body.collect() == Data([0x9F, 1, 0x18, 200, 0xFF])) }
    }

    @Test func theRequestsEncoderAndTypeApply() async throws {
        let request = try AnyRequest(
            method: .post,
            headers: [.contentType: "application/vnd.shop+json"],
            body: .enveloped(["a": 1]),
        ).httpRequest()
        #expect(try await request.body?.collect() == Data(#"[{"a":1}]"#.utf8))
        #expect(request.headers.values(for: .contentType) == ["application/vnd.shop+json"])
        let plain = try AnyRequest(method: .post, body: .enveloped(1)).httpRequest()
        #expect(plain.headers[.contentType] == "application/json")
    }

    private struct Broken: Error {}

    @Test func anErrorOfTheBodyIsAnInvalidRequest() throws {
        let body = RequestBody { _ in throw Broken() }
        let error = #expect(throws: APIError<ProblemDetails>.self) {
            try AnyRequest(method: .post, body: body).httpRequest()
        }
        #expect(error?.reason == .body && error?.context.underlyingError is Broken)
    }
}

/// What a client does about `Expect: 100-continue`, whatever the transport.
@Suite struct ExpectationTests {
    /// Answers without reading a body, as a transport does whose server refuses it.
    private final class RefusingTransport: HTTPTransport {
        private let state = Lock((answers: [HTTPResponse](), requests: [HTTPRequest]()))

        var requests: [HTTPRequest] { state.withLock(\.requests) }

        func enqueue(_ answer: HTTPResponse) { state.withLock { $0.answers.append(answer) } }

        func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
            state.withLock { state in
                state.requests.append(request)
                return state.answers.removeFirst()
            }
        }
    }

    private let transport = RefusingTransport()
    private var client: APIClient<Public> {
        APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
    }

    private func send(_ body: RequestBody, _ headers: HTTPHeaders = [:]) async throws -> HTTPStatus {
        try await client.bind(AnyRequest(method: .put, headers: headers, body: body)).response().status
    }

    private var expectations: [String?] { transport.requests.map { $0.headers[.expect] } }

    @Test func aBodyCanExpectTheServersConsent() throws {
        let request = try AnyRequest(method: .put, body: .text("a").expectingContinue()).httpRequest()
        #expect(request.headers[.expect] == "100-continue")
        let empty = try AnyRequest(method: .put, body: .text("").expectingContinue()).httpRequest()
        #expect(empty.headers[.expect] == nil)
        let own = AnyRequest(method: .put, headers: [.expect: "100-continue"], body: .text("a").expectingContinue())
        #expect(try own.httpRequest().headers.values(for: .expect).count == 1)
    }

    /// RFC 9110, section 10.1.1: the request is repeated without the expectation, once.
    @Test func aServerThatRejectsTheExpectationGetsTheRequestAgain() async throws {
        for status: HTTPStatus in [417, 204] {
            transport.enqueue(HTTPResponse(status: status))
        }
        #expect(try await send(.text("a").expectingContinue()) == 204)
        #expect(expectations == ["100-continue", nil])
        // The transport has read no body, so a one-shot stream can still be sent.
        for status: HTTPStatus in [417, 204] { transport.enqueue(HTTPResponse(status: status)) }
        #expect(try await send(.stream(HTTPBody(Pieces(pieces: [Data([1])]))).expectingContinue()) == 204)
        for _ in 0..<2 { transport.enqueue(HTTPResponse(status: 417)) }
        await #expect(throws: APIError<ProblemDetails>.self) { try await send(.text("a").expectingContinue()) }
        #expect(transport.requests.count == 6)
        transport.enqueue(HTTPResponse(status: 417))
        await #expect(throws: APIError<ProblemDetails>.self) { try await send(.text("a")) }
        #expect(transport.requests.count == 7)
    }

    @Test func aRedirectThatDropsTheBodyDropsTheExpectation() async throws {
        transport.enqueue(HTTPResponse(status: 303, headers: [.location: "/next"]))
        transport.enqueue(HTTPResponse(status: 307, headers: [.location: "/last"]))
        transport.enqueue(HTTPResponse(status: 204))
        let body = RequestBody.text("a").expectingContinue()
        #expect(try await send(body) == 204)
        #expect(expectations == ["100-continue", nil, nil])
        transport.enqueue(HTTPResponse(status: 307, headers: [.location: "/other"]))
        transport.enqueue(HTTPResponse(status: 204))
        // Its body was not sent, so even a one-shot stream goes to the next place.
        #expect(try await send(.stream(HTTPBody(Pieces(pieces: [Data([1])]))).expectingContinue()) == 204)
        #expect(expectations.suffix(2) == ["100-continue", "100-continue"])
    }
}
