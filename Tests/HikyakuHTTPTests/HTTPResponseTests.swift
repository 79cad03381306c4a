import Foundation
import HikyakuBase
import HikyakuHTTP
import Testing

@Suite struct HTTPResponseTests {
    /// Gives pieces, then an error or the end.
    private final class Source: BodySource {
        private let pieces: Lock<[String]>
        private let error: (any Error)?
        private let cancelled = Lock(0)
        let trailers: HTTPHeaders = ["X-Sum": "9"]

        var cancelCount: Int { cancelled.withLock(\.self) }
        var leftCount: Int { pieces.withLock(\.count) }

        init(_ pieces: String..., error: (any Error)? = nil) {
            self.pieces = Lock(pieces.reversed())
            self.error = error
        }

        func next() async throws -> Data? {
            if let piece = pieces.withLock({ $0.popLast() }) { return Data(piece.utf8) }
            if let error { throw error }
            return nil
        }

        func cancel() { cancelled.withLock { $0 += 1 } }
    }

    private func options(_ bytesMax: Int, ofErrors errorBytesMax: Int = 4) -> TransportOptions {
        TransportOptions(bodyBytesMax: bytesMax, errorBodyBytesMax: errorBytesMax)
    }

    private func collect(
        _ body: HTTPBody,
        _ status: HTTPStatus,
        _ options: TransportOptions,
    ) async throws -> (text: String, isCut: Bool, trailers: HTTPHeaders) {
        let response = try await HTTPResponse(status: status, body: body).collectingBody(within: options)
        let bytes = try #require(response.body.bytes, "it is in memory")
        return (String(decoding: bytes, as: UTF8.self), response.isBodyCut, response.trailers)
    }

    @Test(arguments: [nil, 6]) func aStreamThatFitsIsCollectedWithItsTrailers(_ count: Int?) async throws {
        let body = HTTPBody(pulling: Source("abc", "def"), count: count)
        let (text, isCut, trailers) = try await collect(body, .ok, options(6))
        #expect(text == "abcdef")
        #expect(!isCut)
        #expect(trailers == ["X-Sum": "9"])
    }

    @Test func aBodyInMemoryThatFitsIsLeftAsItIs() async throws {
        let (text, isCut, _) = try await collect("abcdef", .ok, options(6))
        #expect(text == "abcdef" && !isCut)
    }

    @Test func aBodyWithALengthAboveTheLimitIsRejectedUnread() async throws {
        let source = Source("abc", "def")
        let error = try await #require(throws: TransportError.self) {
            try await collect(HTTPBody(pulling: source, count: 6), .ok, options(5))
        }
        #expect(error.reason == .bodyTooLarge)
        #expect(error.message == "the body has 6 bytes, the limit is 5")
        #expect(source.leftCount == 2)
        #expect(source.cancelCount >= 1, "what it comes from is closed")
    }

    @Test func aBodyThatGrowsBeyondTheLimitIsRejected() async throws {
        let source = Source("abc", "def", "ghi")
        let error = try await #require(throws: TransportError.self) {
            try await collect(HTTPBody(pulling: source, count: nil), .ok, options(5))
        }
        #expect(error.reason == .bodyTooLarge)
        #expect(error.message == "the body has more than 5 bytes")
        #expect(source.leftCount == 1)
        #expect(source.cancelCount >= 1)
    }

    @Test(arguments: [nil, 9]) func anErrorsBodyIsCut(_ count: Int?) async throws {
        let source = Source("abc", "def", "ghi")
        let (text, isCut, trailers) = try await collect(HTTPBody(pulling: source, count: count), 500, options(100))
        #expect(text == "abcd")
        #expect(isCut)
        #expect(trailers.isEmpty, "its end wasn't read")
        #expect(source.leftCount == 1)
        #expect(source.cancelCount >= 1)
    }

    @Test func anErrorsBodyInMemoryIsCutToo() async throws {
        let (text, isCut, _) = try await collect("abcdef", .notFound, options(100))
        #expect(text == "abcd" && isCut)
        #expect(try await collect("abcdef", .notFound, options(2)).text == "ab", "the smaller limit counts")
    }

    @Test func acceptsIsCalledOnceAndNotForSmallBodies() async throws {
        let statuses = Lock<[HTTPStatus]>([])
        var options = options(100)
        options.accepts = { status in
            statuses.withLock { $0.append(status) }
            return status == .notFound
        }
        #expect(try await collect("abcd", .ok, options).text == "abcd")
        #expect(statuses.withLock(\.isEmpty))
        let body = HTTPBody(pulling: Source("abc", "def", "ghi"), count: nil)
        #expect(try await collect(body, .notFound, options).text == "abcdefghi")
        #expect(statuses.withLock(\.self) == [.notFound])
    }

    /// What a content coding bounds ends an error's body as a limit of the options does.
    @Test func aLimitBelowCutsAnErrorsBodyAndFailsAnAcceptedOne() async throws {
        let error = TransportError(.bodyTooLarge, "unpacked")
        let cut = HTTPBody(pulling: Source("abc", error: error), count: nil)
        let (text, isCut, _) = try await collect(cut, 500, options(100))
        #expect(text == "abc" && isCut)
        let thrown = try await #require(throws: TransportError.self) {
            try await collect(HTTPBody(pulling: Source("abc", error: error), count: nil), .ok, options(100))
        }
        #expect(thrown.message == "unpacked")
    }

    @Test func anErrorThatIsNotALimitFailsAnErrorsBodyUnlessItWasCutBefore() async throws {
        let error = TransportError(.connectionReset, "gone")
        func response(isCut: Bool) -> HTTPResponse {
            let body = HTTPBody(pulling: Source("abc", error: error), count: nil)
            var response = HTTPResponse(status: 500, body: body)
            response.isBodyCut = isCut
            return response
        }
        let thrown = try await #require(throws: TransportError.self) {
            try await response(isCut: false).collectingBody(within: options(100))
        }
        #expect(thrown.reason == .connectionReset)
        let collected = try await response(isCut: true).collectingBody(within: options(100))
        #expect(try await collected.body.collect() == Data("abc".utf8))
        #expect(collected.isBodyCut)
    }

    @Test func aDocumentHasItsTypeUnlessAnotherIsGiven() async throws {
        let response = HTTPResponse.json("[1]")
        #expect(response.status == .ok)
        #expect(response.headers == ["Content-Type": "application/json"])
        #expect(try await response.body.collect() == Data("[1]".utf8))
        let other = HTTPResponse.json(
            "{}",
            status: 422,
            headers: ["content-type": "application/problem+json", "A": "1"],
        )
        #expect(other.status == .unprocessableContent)
        #expect(other.headers == ["content-type": "application/problem+json", "A": "1"])
    }
}
