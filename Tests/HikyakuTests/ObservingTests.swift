import Foundation
import HikyakuBase
import HikyakuMockServer
import HikyakuTesting
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// A transport that emits the events that a test sets.
private struct TellingTransport: HTTPTransport {
    var kinds: [(TransportEvent.Kind, Duration)] = []
    var calls = 1

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        let start = ContinuousClock.now
        for _ in 0..<calls {
            guard let emitter = EventEmitter(options.observer) else { break }
            emitter.emit(.began(request), at: start)
            for (kind, offset) in kinds { emitter.emit(kind, at: start + offset) }
        }
        return .json("[]")
    }
}

@Suite struct ObservingTests {
    private static let all: [(TransportEvent.Kind, Duration)] = [
        (.dequeued, .milliseconds(1)), (.nameFound, .milliseconds(3)), (.connected, .milliseconds(6)),
        (.secured, .milliseconds(10)), (.ready(isReused: false, protocolName: "h2"), .milliseconds(11)),
        (.bytesSent(7, expected: 7), .milliseconds(12)), (.requestSent, .milliseconds(16)),
        (.firstByte, .milliseconds(22)), (.bytesReceived(2, expected: 9), .milliseconds(25)),
        (.bytesReceived(9, expected: 9), .milliseconds(27)), (.ended(nil), .milliseconds(29)),
    ]

    /// As URLSession reports them: what belongs to the connection comes just before the end.
    private static let late: [(TransportEvent.Kind, Duration)] = {
        let isOfConnection = { (kind: TransportEvent.Kind) in
            switch kind {
            case .nameFound, .connected, .secured, .ready, .requestSent: true
            default: false
            }
        }
        let others = all.filter { !isOfConnection($0.0) }
        return others.dropLast() + all.filter { isOfConnection($0.0) } + others.suffix(1)
    }()

    @Test(arguments: [1, 2], [all, late])
    private func timingsAreMadeOfTheEventsOfTheLastExchange(
        _ calls: Int,
        _ kinds: [(TransportEvent.Kind, Duration)],
    ) async throws {
        let client = APIClient(transport: TellingTransport(kinds: kinds, calls: calls))
        let timings = try await client.bind(Shop.Dishes()).response().timings
        var expected = CallTimings(total: timings.total)
        expected.queued = .milliseconds(1)
        expected.nameLookup = .milliseconds(2)
        expected.connect = .milliseconds(3)
        expected.tls = .milliseconds(4)
        expected.request = .milliseconds(5)
        expected.firstByte = .milliseconds(6)
        expected.body = .milliseconds(7)
        expected.isConnectionReused = false
        expected.protocolName = "h2"
        expected.bytesSent = 7
        expected.bytesReceived = 9
        #expect(timings == expected)
        #expect(timings.total > .zero)
        #expect("\(timings)".hasSuffix("request 5.0 ms, waiting 6.0 ms, body 7.0 ms"))
    }

    @Test func timingsThatTheTransportDoesNotReportAreUnknown() async throws {
        let timings = try await APIClient(transport: TellingTransport()).bind(Shop.Dishes()).response().timings
        #expect(timings == CallTimings(total: timings.total))
        let stub = APIClient(transport: TellingTransport(kinds: Self.all)).stubbing(Shop.Dishes.self) { _ in [] }
        let stubbed = try await stub.bind(Shop.Dishes()).response().timings
        #expect(stubbed == CallTimings(total: stubbed.total))
    }

    @Test func eventsOfAnOlderExchangeDoNotCount() {
        let recorder = TimingsRecorder()
        let request = HTTPRequest(url: URL(filePath: "/"))
        recorder.observe(TransportEvent(exchange: 1, kind: .began(request)))
        recorder.observe(TransportEvent(exchange: 2, kind: .began(request)))
        recorder.observe(TransportEvent(exchange: 1, kind: .ready(isReused: true, protocolName: "h2")))
        #expect(recorder.timings == CallTimings(total: .zero))
    }

    @Test func allObserversReceiveEachCallAtNoCostForOthers() async throws {
        let (first, second) = (Lock<[UInt64]>([]), Lock<[UInt64]>([]))
        let plain = APIClient(transport: TellingTransport(kinds: Self.all))
        let client =
            plain
            .observing { event in first.withLock { $0.append(event.exchange) } }
            .observing { event in second.withLock { $0.append(event.exchange) } }
        _ = try await client.send(Shop.Dishes())
        #expect(first.withLock(\.self).count == 12 && first.withLock(\.self) == second.withLock(\.self))
        _ = try await client.bind(Shop.Dishes()).response()
        #expect(first.withLock(\.self).count == 24)
        _ = try await client.mapError { _ in NothingThrown() }.send(Shop.Dishes())
        #expect(first.withLock(\.self).count == 36)
        _ = try await plain.send(Shop.Dishes())
        #expect(first.withLock(\.self).count == 36)
    }

    /// `send` attaches no recorder, so timings that are not read cost nothing.
    @Test func sendingAloneIsNotObserved() async throws {
        struct Watching: HTTPTransport {
            let isObserved: Lock<[Bool]>
            func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
                isObserved.withLock { $0.append(options.observer != nil) }
                return .json("[]")
            }
        }
        let isObserved = Lock<[Bool]>([])
        let client = APIClient(transport: Watching(isObserved: isObserved))
        _ = try await client.send(Shop.Dishes())
        _ = try await client.mapError { _ in NothingThrown() }.send(Shop.Dishes())
        _ = try await client.bind(Shop.Dishes()).response()
        #expect(isObserved.withLock(\.self) == [false, false, true])
    }

    #if os(Linux)
    @Test func theDefaultTransportReportsProgressAndTimings() async throws {
        let server = try MockServer { request in
            MockAnswer.json("[]").delayed(by: .milliseconds(30))
        }
        defer { server.stop() }
        let progress = Lock<[String]>([])
        let client = APIClient(transport: nil)
            .substituting(APIEnvironment(baseURL: server.baseURL), for: .shop)
            .observing { event in
                if case .bytesReceived(let count, let expected?) = event.kind {
                    progress.withLock { $0.append("\(count) of \(expected)") }
                }
            }
        let first = try await client.bind(Shop.Dishes()).response().timings
        let second = try await client.bind(Shop.Dishes()).response().timings
        #expect(progress.withLock(\.self) == ["2 of 2", "2 of 2"])
        #expect(first.isConnectionReused == false && second.isConnectionReused == true)
        #expect(first.connect != nil && first.nameLookup != nil && first.tls == nil)
        #expect(second.connect == nil && second.nameLookup == nil)
        #expect(first.protocolName == "http/1.1" && first.bytesReceived == 2 && first.bytesSent == nil)
        let waiting = try #require(second.firstByte)
        #expect(waiting >= .milliseconds(25) && waiting <= second.total)
        #expect(second.body != nil)
    }
    #endif
}
