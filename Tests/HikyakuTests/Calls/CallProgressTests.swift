import Foundation
import Hikyaku
import HikyakuMockServer
import HikyakuTesting
import Testing

@testable import class Hikyaku.ProgressMeter

@Suite(.timeLimit(.minutes(10))) struct CallProgressTests {
    private let start = ContinuousClock.now

    private func event(
        _ milliseconds: Int,
        _ kind: TransportEvent.Kind,
        exchange: UInt64 = 1,
    ) -> TransportEvent {
        TransportEvent(exchange: exchange, instant: start.advanced(by: .milliseconds(milliseconds)), kind: kind)
    }

    private var began: TransportEvent.Kind { .began(HTTPRequest(url: URL(filePath: "/"))) }

    @Test(arguments: [
        (
            CallProgress(direction: .down, bytesDone: 25, bytesTotal: 100, bytesPerSecond: 50), 0.25,
            Duration.seconds(1.5),
        ),
        (CallProgress(direction: .down, bytesDone: 25, bytesTotal: 100), 0.25, nil),
        (CallProgress(direction: .up, bytesDone: 25, bytesPerSecond: 50), nil, nil),
        (CallProgress(direction: .up, bytesDone: 0, bytesTotal: 0), 1, .zero),
        (CallProgress(direction: .up, bytesDone: 120, bytesTotal: 100, bytesPerSecond: 5), 1, .zero),
        (CallProgress(direction: .up, bytesDone: 1, bytesTotal: 100, bytesPerSecond: 0), 0.01, nil),
        (
            CallProgress(direction: .up, bytesDone: 0, bytesTotal: .max, bytesPerSecond: .leastNonzeroMagnitude), 0,
            .seconds(100 * 365 * 86_400 as Int64),
        ),
    ])
    func whatIsLeftFollowsFromTheRest(progress: CallProgress, fraction: Double?, timeLeft: Duration?) {
        #expect(progress.fractionCompleted == fraction)
        #expect(progress.timeLeft == timeLeft)
    }

    @Test func theMeterGivesTheNewestAndEnds() async {
        let meter = ProgressMeter()
        let early = meter.stream
        meter.observe(event(0, began))
        meter.observe(event(10, .bytesSent(5, expected: 5)))
        meter.observe(event(20, .bytesReceived(10, expected: 30)))
        let late = meter.stream
        meter.observe(event(30, .bytesReceived(20, expected: 30)))
        meter.observe(event(40, .bytesReceived(30, expected: 30), exchange: 9))
        meter.finish()
        meter.observe(event(50, .bytesReceived(30, expected: 30)))
        let newest = CallProgress(direction: .down, bytesDone: 20, bytesTotal: 30)
        for stream in [early, late, meter.stream] {
            var all: [CallProgress] = []
            for await progress in stream { all.append(progress) }
            #expect(all == [newest])
        }
    }

    @Test func throughputFollowsTheLastSeconds() {
        var speed = ProgressMeter.Speed()
        func moved(_ count: Int, _ milliseconds: Int) -> Double? {
            speed.moved(to: count, at: start.advanced(by: .milliseconds(milliseconds)))
        }
        #expect(moved(0, 0) == nil)
        #expect(moved(10, 50) == nil)
        #expect(moved(1_000, 1_000) == 1_000)
        // Half of what was, half of what is.
        #expect(moved(4_000, 2_000) == 2_000)
        // Too short a step says nothing.
        #expect(moved(9_000, 2_050) == 2_000)
        // A count that falls begins anew.
        #expect(moved(10, 3_000) == 2_000)
    }

    @Test func aRetryBeginsAnew() async {
        let meter = ProgressMeter()
        meter.observe(event(0, began))
        meter.observe(event(0, .bytesReceived(500, expected: 1_000)))
        meter.observe(event(1_000, .bytesReceived(1_000, expected: 1_000)))
        meter.observe(event(2_000, began, exchange: 2))
        meter.observe(event(2_000, .bytesReceived(10, expected: 1_000), exchange: 2))
        var iterator = meter.stream.makeAsyncIterator()
        #expect(await iterator.next() == CallProgress(direction: .down, bytesDone: 10, bytesTotal: 1_000))
    }

    @Test func progressOfARealDownloadEndsWithAllOfIt() async throws {
        let size = 3_000_000
        let server = try MockServer()
        defer { server.stop() }
        server.enqueue(.text(String(repeating: " ", count: size)))
        let client = APIClient()
        let journal = Journal()
        let call = client.call(AnyRequest(environment: APIEnvironment(baseURL: server.baseURL)))
            .progress(on: .immediate) { progress in
                if progress.direction == .down { journal.note("\(progress.bytesDone)") }
            }
            .success(on: .immediate) { _ in journal.note("over") }
        _ = try await call.value
        #expect(journal.all.suffix(2) == ["\(size)", "over"])
    }

    @Test func aChainReportsTheProgressOfEachOfItsCalls() async throws {
        let transport = MockTransport()
        transport.enqueue(.json("[]"))
        transport.enqueue(.json(#"{"id": 7, "name": "Udon"}"#))
        let client = APIClient(transport: transport)
        let chain = client.call(Shop.Dishes()).then(on: .immediate) { _ in client.call(Shop.DishByID(id: "7")) }
        var last: CallProgress?
        for await progress in chain.progress { last = progress }
        #expect(try await chain.value.id == 7)
        #expect(last == CallProgress(direction: .down, bytesDone: 25, bytesTotal: 25))
    }
}
