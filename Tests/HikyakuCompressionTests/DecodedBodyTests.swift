#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuCompression
import HikyakuHTTP
import Testing

@Suite struct DecodedBodyTests {
    @Test func whatIsReadIsPulledAndNoMore() async throws {
        let coded = try Encoders.gzip(randomBytes(1_000_000, seed: 5))
        let source = CountingSource(pieceOf: coded, bytes: 10_000)
        let body = try HTTPBody(source).decoded([.gzip], ratioMax: 200)
        #expect(source.count == 0)
        var iterator = body.makeAsyncIterator()
        for read in 1...5 {
            _ = try await iterator.next()
            #expect(source.count <= read + 1)
        }
    }

    @Test func aDroppedBodyLetsGoOfWhatItComesFrom() async throws {
        let coded = try Encoders.gzip(randomBytes(1_000_000, seed: 5))
        let source = CountingSource(pieceOf: coded, bytes: 10_000)
        var body: HTTPBody? = try HTTPBody(source).decoded([.gzip], ratioMax: 200)
        var iterator = body?.makeAsyncIterator()
        #expect(try await iterator?.next() != nil)
        #expect(source.readers == 1)
        body = nil
        iterator = nil
        #expect(source.readers == 0)
    }

    @Test func trailersOfTheCodedBodyAreKept() async throws {
        let coded = TrailingSource(try Encoders.gzip(sampleText(bytes: 300_000)))
        let body = try HTTPBody(pulling: coded).decoded([.gzip], ratioMax: 200)
        #expect(body.trailers.isEmpty)
        #expect(try await body.collect().count == 300_000)
        #expect(body.trailers["X-Sum"] == "7")
    }

    /// Gives one piece, and trailers after it.
    private final class TrailingSource: BodySource {
        let rest: Lock<Data?>
        let trailers: HTTPHeaders = ["X-Sum": "7"]

        init(_ piece: Data) {
            rest = Lock(piece)
        }

        func next() async throws -> Data? { rest.withLock { $0.take() } }
        func cancel() {}
    }

    @Test func aFailureLetsGoOfWhatItComesFrom() async throws {
        let source = CountingSource(pieceOf: Data("no gzip at all".utf8), bytes: 4)
        let body = try HTTPBody(source).decoded([.gzip], ratioMax: 200)
        var iterator = body.makeAsyncIterator()
        let error = await #expect(throws: TransportError.self) { try await iterator.next() }
        #expect(error?.reason == .malformedContentCoding)
        #expect(source.readers == 0)
        #expect(try await iterator.next() == nil)
    }

    @Test func whatTheCodedBodyThrowsIsThrown() async throws {
        let coded = try Encoders.gzip(randomBytes(1_000, seed: 5))
        let body = HTTPBody(
            AsyncThrowingStream { continuation in
                continuation.yield(coded.prefix(500))
                continuation.finish(throwing: TransportError(.connectionReset, "gone"))
            }
        )
        let error = await #expect(throws: TransportError.self) {
            try await body.decoded([.gzip], ratioMax: 200).collect()
        }
        #expect(error?.reason == .connectionReset)
    }

    @Test func cancellationIsSeenBetweenPiecesThatComeOut() async throws {
        let body = try HTTPBody(Encoders.gzip(sampleText(bytes: 500_000))).decoded([.gzip], ratioMax: 200)
        let reading = Task {
            var iterator = body.makeAsyncIterator()
            #expect(try await iterator.next() != nil)
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await iterator.next()
        }
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func cancellationIsSeenWhereNothingComesOut() async throws {
        let empty = try Encoders.gzip(Data())
        let source = CountingSource(pieceOf: Data(repeatElement(empty, count: 50_000).joined()), bytes: 20_000)
        source.cancelsAt = 3
        let body = try HTTPBody(source).decoded([.gzip], ratioMax: 200)
        let reading = Task { try await body.collect() }
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(source.count == 3)
    }

    @Test func aCollectedBodyIsHeldToItsLimit() async throws {
        let coded = try Encoders.zstd(sampleText(bytes: 500_000))
        let body = try HTTPBody(coded).decoded([.zstd], ratioMax: 200)
        let error = await #expect(throws: TransportError.self) { try await body.collect(upTo: 499_999) }
        #expect(error?.reason == .bodyTooLarge)
        #expect(try await HTTPBody(coded).decoded([.zstd], ratioMax: 200).collect(upTo: 500_000).count == 500_000)
    }

    @Test func anEmptyBodyIsValidIfDeclaredEmpty() async throws {
        let empty = try HTTPBody.empty.decoded([.gzip], ratioMax: 200, mayBeEmpty: true)
        #expect(try await empty.collect().isEmpty)
        let cut = try HTTPBody.empty.decoded([.gzip], ratioMax: 200)
        let error = await #expect(throws: TransportError.self) { try await cut.collect() }
        #expect(error?.reason == .truncatedResponse)
        let begun = try HTTPBody(Data([0x1F])).decoded([.gzip], ratioMax: 200, mayBeEmpty: true)
        let other = await #expect(throws: TransportError.self) { try await begun.collect() }
        #expect(other?.reason == .truncatedResponse)
    }
}

/// A body in pieces that says how many were taken, and whether somebody still reads.
final class CountingSource: AsyncSequence, Sendable {
    typealias Element = Data

    private struct State {
        var count = 0
        var readers = 0
        var cancelsAt: Int?
    }

    private let pieces: [Data]
    private let state = Lock(State())

    init(pieceOf data: Data, bytes: Int) {
        pieces = stride(from: 0, to: data.count, by: bytes).map { data.dropFirst($0).prefix(bytes) }
    }

    var count: Int { state.withLock { $0.count } }
    var readers: Int { state.withLock { $0.readers } }
    /// With which piece the task that reads is cancelled.
    var cancelsAt: Int? {
        get { state.withLock { $0.cancelsAt } }
        set { state.withLock { $0.cancelsAt = newValue } }
    }

    final class Iterator: AsyncIteratorProtocol {
        private let source: CountingSource

        init(_ source: CountingSource) {
            self.source = source
            source.state.withLock { $0.readers += 1 }
        }

        deinit {
            source.state.withLock { $0.readers -= 1 }
        }

        func next() async throws -> Data? {
            let (count, cancels) = source.state.withLock { state in
                state.count += 1
                return (state.count, state.count == state.cancelsAt)
            }
            if cancels { withUnsafeCurrentTask { $0?.cancel() } }
            return count <= source.pieces.count ? source.pieces[count - 1] : nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }
}
#endif
