import Foundation
import Hikyaku
import Testing

@testable import class Hikyaku.ProgressMeter

@Suite(.timeLimit(.minutes(10))) struct DownloadProgressTests {
    private let start = ContinuousClock.now

    private func event(_ milliseconds: Int, _ kind: TransportEvent.Kind, exchange: UInt64 = 1) -> TransportEvent {
        TransportEvent(exchange: exchange, instant: start.advanced(by: .milliseconds(milliseconds)), kind: kind)
    }

    private var began: TransportEvent.Kind { .began(HTTPRequest(url: URL(filePath: "/"))) }

    /// What a meter says after each event.
    private func all(_ events: [TransportEvent]) async -> [CallProgress] {
        let meter = ProgressMeter()
        var progress: [CallProgress] = []
        var iterator = meter.stream.makeAsyncIterator()
        for event in events {
            meter.observe(event)
            if case .began = event.kind { continue }
            if let next = await iterator.next() { progress.append(next) }
        }
        return progress
    }

    @Test func aResumedDownloadCountsFromWhatItHas() async {
        let progress = await all([
            event(0, .resuming(at: 100, of: 400)),
            event(10, began),
            event(100, .bytesReceived(50, expected: 300)),
            event(1100, .bytesReceived(150, expected: 300)),
            event(2000, .resuming(at: 250, of: nil)),
            event(2000, began, exchange: 2),
            event(2100, .bytesReceived(50, expected: .max), exchange: 2),
            event(2200, .resuming(at: 0, of: 400)),
            event(2300, .bytesReceived(60, expected: 400), exchange: 2),
        ])
        #expect(progress.map(\.bytesDone) == [100, 150, 250, 250, 300, 0, 60])
        #expect(progress.map(\.bytesTotal) == [400, 400, 400, nil, .max, 400, 400])
        #expect(progress[2].bytesPerSecond == 100 && progress[2].timeLeft == .seconds(1.5))
        #expect(progress[3].bytesPerSecond == nil, "what is there already was not received now")
    }
}
