import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@Suite struct TestingKitTests {
    private let transport = MockTransport()

    private func send(_ path: String = "/") async throws -> HTTPResponse {
        let url = try #require(URL(string: "https://a.example" + path))
        return try await transport.send(HTTPRequest(url: url), options: TransportOptions(bodyBytesMax: 5))
    }

    @Test func enqueuedAnswersComeInTheirOrder() async throws {
        transport.enqueue(HTTPResponse(status: 201))
        transport.enqueue(.failure(TransportError(.connectionReset, "")))
        #expect(try await send("/a").status == 201)
        #expect(await #expect(throws: TransportError.self) { try await send("/b") }?.reason == .connectionReset)
        let exhausted = await #expect(throws: TransportError.self) { try await send("/c") }
        #expect(exhausted?.message == "MockTransport has no answer left for request number 3")
        #expect(transport.requests.map { $0.url.path() } == ["/a", "/b", "/c"])
    }

    @Test func theLimitForBodiesHolds() async throws {
        transport.enqueue(.json("123456"))
        #expect(await #expect(throws: TransportError.self) { try await send() }?.reason == .bodyTooLarge)
    }

    @Test func shuttingDownEndsWhatIsInFlight() async throws {
        transport.enqueue(.never)
        let hanging = Task { try await send() }
        try #require(try await holds { !transport.requests.isEmpty })
        await transport.shutdown(within: .zero)
        let error = await #expect(throws: TransportError.self) { try await hanging.value }
        #expect(error?.reason == .shutDown)
        #expect(await #expect(throws: TransportError.self) { try await send() }?.reason == .shutDown)
    }

    @Test func anActionWhoseTimeHasComeRunsAtOnce() {
        let clock = ManualClock()
        let runs = Lock(0)
        for offset in [Duration.zero, .seconds(-1)] {
            clock.schedule(at: clock.now + offset) { runs.withLock { $0 += 1 } }.cancel()
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(clock.pendingCount == 0)
    }

    @Test func theClockStopsAtEachActionOnItsWay() {
        let clock = ManualClock()
        let start = clock.now
        let times = Lock<[Duration]>([])
        @Sendable func rearm() {
            times.withLock { $0.append(start.duration(to: clock.now)) }
            _ = clock.schedule(at: clock.now.advanced(by: .seconds(10)), rearm)
        }
        _ = clock.schedule(at: start.advanced(by: .seconds(10)), rearm)
        clock.schedule(at: start.advanced(by: .seconds(5))) { Issue.record("it was cancelled") }.cancel()
        clock.advance(by: .seconds(35))
        #expect(times.withLock { $0 } == [.seconds(10), .seconds(20), .seconds(30)])
        clock.advance(by: .seconds(-9))
        #expect(start.duration(to: clock.now) == .seconds(35))
        #expect(clock.pendingCount == 1)
    }
}
