#if os(Linux)
import FoundationEssentials
import HikyakuBase
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// When a connection carries no further exchange, since the server may be gone.
struct HTTP2CarrierTests {
    /// A carrier, and the server of its connection, played by a test.
    private final class Server {
        let carrier: HTTP2Carrier
        /// In nanoseconds.
        var now: Int64 = 5_000_000_000
        private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

        /// Makes a connection that has carried an exchange.
        init() throws {
            let url = "https://api.example/"
            let site = Site(RequestURL(url), key: url, ConnectionSettings(WireOptions()))
            carrier = try HTTP2Carrier(for: site)
            flush()
            feed(Frame.settings() + Frame.settingsAck)
            let exchange = try start()
            now += 1_000_000
            feed(Frame.headers(exchange.stream, TestConnection.ok, end: true))
            try #require(outcomes() == ["complete"])
            try #require(!carrier.isRetired && carrier.isIdle)
            _ = carrier.takeNewLimit()
        }

        deinit {
            buffer.deallocate()
        }

        func start(_ headers: HTTPHeaders = [:], _ options: TransportOptions = TransportOptions()) throws -> Exchange {
            let exchange = try Exchange(TestConnection.request(.get, headers), options)
            let isStarted = carrier.start(exchange, isOnKept: true, isTrusted: true, at: now)
            try #require(isStarted)
            return exchange
        }

        func abandon(_ exchange: Exchange) {
            carrier.abandon(exchange, CancellationError(), at: now)
        }

        func feed(_ bytes: [UInt8]) {
            bytes.withUnsafeBytes { carrier.receive($0, at: now) }
            flush()
        }

        /// Writes to a socket that takes everything, or nothing; `true` if there is more to write at once.
        @discardableResult
        func flush(takesNothing: Bool = false) -> Bool {
            carrier.flush(buffer, at: now) { takesNothing ? 0 : $0.count }
        }

        func outcomes() -> [String] {
            carrier.takeOutcomes().map { _, outcome in
                switch outcome {
                case .complete: "complete"
                case .failed(let error): "failed \(FailureReason(of: error))"
                case .repeated: "repeated"
                }
            }
        }
    }

    /// The time of a call in milliseconds, and when a byte came in it.
    @Test(
        arguments: [
            (1000, nil, true), (30_000, nil, true), (999, nil, false), (0, nil, false), (30_000, 1, false),
            (30_000, 29_999, false),
        ] as [(Int64, Int64?, Bool)]
    )
    func aCallThatIsGivenUpInSilenceRetiresTheConnection(_ time: Int64, _ byte: Int64?, _ isRetired: Bool) throws {
        let server = try Server()
        server.now += 60_000_000_000
        let begin = server.now
        let exchange = try server.start()
        server.flush()
        if let byte {
            server.now = begin + byte * 1_000_000
            server.feed(Frame.ping())
        }
        server.now = begin + time * 1_000_000
        server.abandon(exchange)
        #expect(server.outcomes() == ["failed cancelled"])
        #expect(server.carrier.isRetired == isRetired)
        #expect((server.carrier.exchangesMax == 0) == isRetired)
        #expect(server.carrier.takeNewLimit() == isRetired)
        #expect(server.carrier.isOver == isRetired)
    }

    /// What the server answers to one call shows that others may be answered too.
    @Test func aCallThatIsGivenUpBesideAnAnsweredOneRetiresNothing() throws {
        let server = try Server()
        let (silent, answered) = (try server.start(), try server.start())
        server.flush()
        server.now += 10_000_000_000
        server.feed(Frame.headers(answered.stream, TestConnection.ok, end: true))
        server.abandon(silent)
        #expect(server.outcomes() == ["complete", "failed cancelled"])
        #expect(!server.carrier.isRetired)
    }

    /// The client learns that it waits for a body, which costs nothing if there is nothing to wait for.
    @Test func aHeadIsNotedOnceAndOnlyIfItsBodyIsNotThere() throws {
        let server = try Server()
        let notes = Lock<[HTTPStatus]>([])
        let options = TransportOptions(accepts: { status in
            notes.withLock { $0.append(status) }
            return true
        })
        let whole = try server.start([:], options)
        server.flush()
        let head = Frame.headers(whole.stream, TestConnection.ok, end: false)
        server.feed(head + Frame.data(whole.stream, [1], end: true))
        #expect(server.outcomes() == ["complete"] && notes.withLock(\.isEmpty))
        let split = try server.start([:], options)
        server.flush()
        let stream = split.stream
        server.feed(Frame.headers(stream, TestConnection.ok, end: false))
        #expect(notes.withLock(\.self) == [200])
        server.feed(Frame.data(stream, [1], end: false))
        server.feed(Frame.data(stream, [2], end: true))
        #expect(server.outcomes() == ["complete"] && notes.withLock(\.count) == 1)
    }

    @Test func othersGoOnOverARetiredConnection() throws {
        let server = try Server()
        let (silent, other) = (try server.start(), try server.start())
        server.flush()
        server.now += 10_000_000_000
        server.abandon(silent)
        #expect(server.carrier.isRetired && !server.carrier.isOver)
        server.feed(Frame.headers(other.stream, TestConnection.ok, end: true))
        #expect(server.outcomes() == ["failed cancelled", "complete"])
        #expect(server.carrier.isOver)
    }

    /// However quickly calls are given up, what they leave in the output is bounded.
    @Test func aSocketThatTakesNothingRetiresTheConnection() throws {
        let server = try Server()
        var count = 0
        while !server.carrier.isRetired, count < 1000 {
            let exchange = try server.start(["Authorization": String(repeating: "~", count: 4000)])
            server.now += 1_000_000
            server.abandon(exchange)
            server.flush(takesNothing: true)
            count += 1
        }
        // 64 KiB and 1 MiB, by 4 KB each.
        #expect(260...290 ~= count)
        #expect(server.carrier.exchangesMax == 0 && server.carrier.takeNewLimit())
    }
}
#endif
