import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuURLSession

/// What URLSession reports of a connection at the end, as events.
struct ConnectionRecordTests {
    private let date = Date(timeIntervalSince1970: 1_000_000)
    private let now = ContinuousClock.now

    private func names(_ record: ConnectionRecord, isSent: Bool = false) -> [String] {
        events(record, isSent: isSent).map { String("\($0.kind)".prefix { $0 != "(" }) }
    }

    private func events(
        _ record: ConnectionRecord,
        isSent: Bool = false,
    ) -> [(kind: TransportEvent.Kind, instant: ContinuousClock.Instant)] {
        record.events(at: date, now: now, since: now - .seconds(10), isSent: isSent)
    }

    private var record: ConnectionRecord {
        ConnectionRecord(
            nameFound: date - 5,
            connected: date - 4,
            secured: date - 3,
            requestBegan: date - 2,
            requestSent: date - 1,
            protocolName: "h2",
        )
    }

    @Test func eachStageHasItsInstant() throws {
        let events = events(record)
        #expect(names(record) == ["nameFound", "connected", "secured", "ready", "requestSent"])
        #expect(events.map { now - $0.instant } == [5, 4, 3, 2, 1].map { .seconds($0) })
        guard case .ready(false, "h2") = events[3].kind else { throw Failure() }
    }

    private struct Failure: Error {}

    @Test func aReusedConnectionHasNoStagesOfItsOwn() {
        var reused = record
        reused.isReused = true
        #expect(names(reused) == ["ready", "requestSent"])
        #expect(names(reused, isSent: true) == ["ready"])
    }

    @Test func whatURLSessionHasSentBeforeIsARepeat() {
        var repeated = record
        (repeated.earlierCount, repeated.isReused) = (2, true)
        #expect(names(repeated) == ["resending", "resending", "ready", "requestSent"])
    }

    @Test func whatIsNotReportedIsNotAnEvent() {
        #expect(names(ConnectionRecord()).isEmpty)
        var plain = record
        (plain.secured, plain.protocolName) = (nil, nil)
        #expect(names(plain) == ["nameFound", "connected", "requestSent"])
    }

    /// Dates are the wall clock's, which can be set at any time.
    @Test(arguments: [-1e300, -1e6, 1e6, 1e300, .infinity, .nan])
    func noEventIsBeforeTheBeginOrInTheFuture(_ offset: Double) {
        var odd = record
        odd.connected = Date(timeIntervalSince1970: 1_000_000 + offset)
        let instants = events(odd).map(\.instant)
        #expect(instants == instants.sorted())
        #expect(instants.allSatisfy { now - .seconds(10) <= $0 && $0 <= now })
    }
}
