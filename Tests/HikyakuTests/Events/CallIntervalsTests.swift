import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// Keeps what is recorded as text: `+1 call …`, `-1 call …`, `! …`.
private final class RecordedIntervals: IntervalRecorder {
    let entries = Lock<[String]>([])
    private let count = Lock<UInt64>(0)
    let isEnabled: Bool

    init(isEnabled: Bool = true) {
        self.isEnabled = isEnabled
    }

    func begin(_ kind: CallIntervals.Kind, _ text: () -> String) -> UInt64? {
        guard isEnabled else { return nil }
        let id = count.withLock {
            $0 += 1; return $0
        }
        let text = text()
        entries.withLock { $0.append("+\(id) \(kind) \(text)") }
        return id
    }

    func end(_ kind: CallIntervals.Kind, _ id: UInt64, _ text: String) {
        entries.withLock { $0.append("-\(id) \(kind) \(text)") }
    }

    func mark(_ text: () -> String) {
        guard isEnabled else { return }
        let text = text()
        entries.withLock { $0.append("! \(text)") }
    }
}

@Suite struct CallIntervalsTests {
    private let recorded = RecordedIntervals()
    private let request: HTTPRequest

    init() throws {
        request = HTTPRequest(method: .get, url: try #require(URL(string: "https://a.example/b?key=hunter2")))
    }

    private func client(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) -> APIClient<Public> {
        let options = ClientOptions(retryPolicy: .never)
        return APIClient(transport: MockTransport(answer), options: options)
            .with { $0.intervals = CallIntervals(recorded) }
    }

    private var entries: [String] { recorded.entries.withLock(\.self) }

    @Test func anIntervalEndsWithTheCodeOfAFailure() async throws {
        struct Pay: APIRequest {
            typealias Response = Void
            typealias Failure = LogCodeTests.Coded
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/pay" }
        }
        let client = client { _ in .json(#"{"code": "card_declined"}"#, status: 402) }
        await #expect(throws: APIError<LogCodeTests.Coded>.self) { try await client.send(Pay()) }
        #expect(entries.last == "-1 call service card_declined")
    }

    @Test func aCallIsAnIntervalAroundItsExchanges() async throws {
        _ = try await client { _ in .json("[]") }.send(Shop.Dishes())
        #expect(entries.first == "+1 call Shop.Dishes")
        #expect(entries.last == "-1 call 200 OK")
        #expect(entries.count % 2 == 0)
    }

    @Test func aFailureEndsTheIntervalWithItsReason() async throws {
        _ = try? await client { _ in throw TransportError(.connectionReset, "cut") }.send(Shop.Dishes())
        #expect(entries.last == "-1 call transport.connectionReset")
        _ = try? await client { _ in .json("{}") }.send(Shop.Dishes())
        #expect(entries.last?.hasSuffix("call decoding.typeMismatch") == true)
    }

    @Test func aStubIsACallWithoutAnExchange() async throws {
        _ = try await client { _ in .json("{}") }.stubbing(Shop.Dishes.self) { _ in [] }.send(Shop.Dishes())
        #expect(entries == ["+1 call Shop.Dishes", "-1 call stubbed"])
    }

    @Test func anExchangeLastsFromItsFirstEventToItsLast() {
        let intervals = CallIntervals(recorded)
        intervals.observe(TransportEvent(exchange: 7, kind: .began(request)))
        intervals.observe(TransportEvent(exchange: 8, kind: .began(request)))
        intervals.observe(TransportEvent(exchange: 7, kind: .firstByte))
        intervals.observe(TransportEvent(exchange: 8, kind: .ended(nil)))
        intervals.observe(TransportEvent(exchange: 8, kind: .ended(nil)))
        intervals.observe(TransportEvent(exchange: 7, kind: .ended(.connectionClosed)))
        intervals.observe(TransportEvent(exchange: 9, kind: .ended(nil)))
        let text = "GET \(request.shownURL)"
        #expect(!text.contains("hunter2"))
        #expect(
            entries == [
                "+1 exchange \(text)", "+2 exchange \(text)", "-2 exchange complete",
                "-1 exchange transport.connectionClosed",
            ]
        )
    }

    @Test func momentsAreMarked() {
        let intervals = CallIntervals(recorded)
        let kinds: [TransportEvent.Kind] = [
            .retrying(.connectionReset, after: .seconds(1)), .waitingForLimit("a"),
            .fallingBack(.connectionClosed),
            .circuit(CircuitChange(circuit: "https://a.example", state: .open)), .resuming(at: 5, of: nil),
            .reconnecting(nil, after: .seconds(2)), .admittedByLimit("a", after: .seconds(3)),
            .resending(.connectionClosed), .connected, .requestSent,
        ]
        for kind in kinds { intervals.observe(TransportEvent(exchange: 1, kind: kind)) }
        #expect(entries.count == 8 && entries.allSatisfy { $0.hasPrefix("! ") })
        #expect(entries.contains("! sending once more because of transport.connectionClosed"))
        #expect(entries.contains("! the circuit of https://a.example is open"))
    }

    @Test func exchangesThatNeverEndTakeBoundedMemory() {
        let intervals = CallIntervals(recorded)
        for number in 0..<(CallIntervals.exchangesMax + 2) {
            intervals.observe(TransportEvent(exchange: UInt64(number), kind: .began(request)))
        }
        #expect(entries.filter { $0.hasPrefix("-") } == ["-1 exchange unknown", "-2 exchange unknown"])
    }

    @Test func nothingIsComputedWhileNothingIsRecorded() async throws {
        let off = RecordedIntervals(isEnabled: false)
        let client = APIClient(transport: MockTransport { _ in .json("[]") })
            .with { $0.intervals = CallIntervals(off) }
        _ = try await client.send(Shop.Dishes())
        #expect(off.entries.withLock { $0.isEmpty })
    }
}

/// What goes to the system's log.
@Suite struct LogEntryTests {
    @Test(arguments: [("[]", 200, false), ("{}", 200, true), ("[]", 404, true)])
    func failuresAreDistinguishedFromOtherEntries(body: String, status: Int, isFailure: Bool) async throws {
        let kinds = await entries { _ in .json(body, status: HTTPStatus(status)) }
        #expect(kinds.last == (isFailure ? .failure : .outcome) && kinds.count > 1)
        #expect(kinds.dropLast().allSatisfy { $0 == .detail })
    }

    @Test func aCancelledCallIsNotAFailure() async throws {
        #expect(await entries { _ in throw CancellationError() }.last == .outcome)
    }

    private func entries(
        _ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async -> [CallLogging.Kind] {
        let kinds = Lock<[CallLogging.Kind]>([])
        let logging = CallLogging(level: .headers, revealingSecrets: false) { kind, _ in
            kinds.withLock { $0.append(kind) }
        }
        _ = try? await APIClient(transport: MockTransport(answer)).with { $0.logging = logging }.send(Shop.Dishes())
        return kinds.withLock(\.self)
    }

    @Test(arguments: [
        ("", [""]), ("12345678", ["12345678"]), ("1234567890", ["12345678", "90"]),
        ("12\n45\n7890", ["12\n45", "7890"]), ("12345678\n0", ["12345678", "0"]), ("1234567é", ["1234567", "é"]),
        ("\n234567890", ["", "23456789", "0"]), ("😀😀😀", ["😀😀", "😀"]), ("1😀😀3", ["1😀", "😀3"]),
    ])
    func longEntriesAreDividedAtLinesOrScalars(text: String, pieces: [String]) {
        #expect(text.logPieces(bytesMax: 8) == pieces)
    }

    @Test func piecesHaveEverythingBetweenThem() {
        let text = String(repeating: "#1 > Name: a long value é\n", count: 500)
        let pieces = text.logPieces()
        #expect(pieces.allSatisfy { $0.utf8.count <= 1_000 })
        #expect(pieces.joined(separator: "\n") == text)
    }
}
