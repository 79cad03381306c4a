import Hikyaku
import HikyakuBase
import HikyakuMockServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance {
    /// The events for an observer.
    static let events: [Check] = [
        check("events.order", "EventObserver: events are in chronological order") { wire in
            let logs = [EventLog(), EventLog()]
            for (streams, log) in zip([false, true], logs) {
                let pause = Duration.milliseconds(200)
                wire.server.enqueue(.status(200).dripping([Data(count: 99_999), Data(count: 1)], every: pause))
                let options = TransportOptions(streamsBody: streams, observer: log)
                let start = ContinuousClock.now
                let response = try await wire.send(.post, body: "content", options: options)
                _ = try await response.body.collect()
                try await log.waitForEnd()
                try log.expectWellFormed()
                try log.expectProgress(sent: false, to: 100_000)
                try expect(log.names.filter { $0 == "firstByte" }.count, is: 1, "the number of first bytes")
                try log.expectOrder("began", "firstByte", "bytesReceived", "ended")
                // The server sends the last byte after the pause.
                let end = log.events.last.map { start.duration(to: $0.instant) } ?? .zero
                try expect(end >= pause, "the end after the last byte, sent after \(pause)", found: "\(end)")
            }
            // Now late events have been observed, too.
            await wire.transport.shutdown(within: .zero)
            for log in logs { try log.expectWellFormed() }
        },
        check("events.interim", "EventObserver: the first byte is that of an interim response, if there is one") {
            wire in
            let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            wire.server.enqueue(.raw([.write(interim + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]))
            let log = EventLog()
            try await wire.send(options: TransportOptions(observer: log))
            try await log.waitForEnd()
            try log.expectWellFormed()
            let names = log.names.filter { $0 == "firstByte" || $0 == "interimResponse" }
            try expect(names, is: ["firstByte", "interimResponse"], "the first byte and the interim response")
        },
        check("events.end", "EventObserver: ended has no reason after a complete response") { wire in
            wire.server.enqueue(.status(404))
            let log = EventLog()
            try await wire.send(options: TransportOptions(observer: log))
            try await log.waitForEnd()
            try expect(log.endReason, is: .some(nil), "the end's reason")
        },
        check("events.sending", "TransportEvent: ready, bytesSent and requestSent are emitted") { wire in
            let log = EventLog()
            let body = HTTPBody(WatchedPieces(Data(count: 10_000), count: 100), count: 1_000_000)
            let type: HTTPHeaders = [.contentType: "x/y"]
            try await wire.send(.put, headers: type, body: body, options: TransportOptions(observer: log))
            try await log.waitForEnd()
            try log.expectProgress(sent: true, to: 1_000_000)
            try log.expectOrder("connected", "ready", "bytesSent", "requestSent", "firstByte")
        },
        checkTwice("events.progress", "TransportEvent: bytesReceived has the expected length if it is known") {
            wire,
            streams in
            wire.server.enqueue(.bytes(Data(count: 1_000_000)))
            let log = EventLog()
            let response = try await wire.send(options: TransportOptions(streamsBody: streams, observer: log))
            _ = try await response.body.collect()
            try await log.waitForEnd()
            try log.expectProgress(sent: false, to: 1_000_000)
        },
        check("events.reuse", "TransportEvent: ready says whether the connection was reused") { wire in
            wire.server.enqueue(.text("1"), .text("2"))
            let logs = [EventLog(), EventLog()]
            for log in logs {
                try await wire.send(options: TransportOptions(observer: log))
                try await log.waitForEnd()
            }
            let ready = logs.map { log in
                log.events.compactMap { event -> Bool? in
                    if case .ready(let isReused, _) = event.kind { isReused } else { nil }
                }
            }
            try expect(ready, is: [[false], [true]], "what is reported of reuse")
            try expect(!logs[1].names.contains("connected"), "no connecting for the second")
        },
        check("events.failure", "TransportEvent: ended has the reason of the failure") { wire in
            wire.server.enqueue(.raw([.write(halfBody), .close]))
            let log = EventLog()
            let error = try await failure { try await wire.send(options: TransportOptions(observer: log)) }
            try await log.waitForEnd()
            try log.expectWellFormed()
            try expect(log.endReason, is: (error as? TransportError)?.reason, "the end's reason")
        },
        check("events.cancelled", "TransportEvent: ended has the reason of the failure") { wire in
            wire.server.enqueue(.raw([.stall]))
            let log = EventLog()
            let call = try await wire.start(options: TransportOptions(observer: log))
            call.cancel()
            _ = await call.result
            try await log.waitForEnd()
            try log.expectWellFormed()
            try expect(log.endReason, is: .cancelled, "the end's reason")
        },
        check("events.refused", "TransportEvent: ended has the reason of the failure") { wire in
            let request = try wire.request()
            wire.server.stop()
            let log = EventLog()
            let options = TransportOptions(observer: log)
            _ = try await failure { try await wire.transport.send(request, options: options) }
            try await log.waitForEnd()
            try expect(log.endReason, is: .connectionRefused, "the end's reason")
        },
        check("events.exchanges", "TransportEvent: each exchange has its own number") { wire in
            let log = EventLog()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<16 { group.addTask { try await wire.send(options: TransportOptions(observer: log)) } }
                try await group.waitForAll()
            }
            try await expectSoon("sixteen ends") { log.names.count { $0 == "ended" } == 16 }
            let exchanges = Dictionary(grouping: log.events, by: \.exchange)
            try expect(exchanges.count, is: 16, "the number of exchanges")
            for events in exchanges.values { try EventLog(events).expectWellFormed() }
        },
    ]
}

/// The observed events.
private final class EventLog: EventObserver {
    private let record: Lock<[TransportEvent]>

    init(_ events: [TransportEvent] = []) {
        record = Lock(events)
    }

    func observe(_ event: TransportEvent) { record.withLock { $0.append(event) } }

    var events: [TransportEvent] { record.withLock { $0 } }

    var names: [String] {
        events.map { String("\($0.kind)".prefix { $0 != "(" }) }
    }

    /// The reason of the event of the end; `nil` if there is no such event.
    var endReason: FailureReason?? {
        events.lazy.compactMap { if case .ended(let reason) = $0.kind { .some(reason) } else { FailureReason??.none } }
            .first
    }

    func waitForEnd() async throws {
        try await expectSoon("the event of the end") { self.names.contains("ended") }
    }

    /// Expects one exchange from its start to its only end, in the order of time.
    func expectWellFormed() throws {
        let names = names
        try expect(names.first, is: "began", "the first event")
        try expect(names.last, is: "ended", "the last event")
        try expect(names.count { $0 == "began" || $0 == "ended" }, is: 2, "the number of begins and ends")
        let events = events
        try expect(Set(events.map(\.exchange)).count, is: 1, "the number of exchanges")
        // A transport may report the connection late, with the instants at which its stages were.
        for isOfConnection in [false, true] {
            let part = zip(events, names).filter { Self.ofConnection.contains($1) == isOfConnection }.map(\.0.instant)
            try expect(zip(part, part.dropFirst()).allSatisfy { $0 <= $1 }, "instants in order")
        }
    }

    private static let ofConnection: Set = ["nameFound", "connected", "secured", "ready", "requestSent"]

    /// Expects the first events of these names in the order of their instants; of equal ones, in that of their arrival.
    func expectOrder(_ stages: String...) throws {
        let names = names
        let order = zip(names, events).enumerated()
            .sorted { ($0.element.1.instant, $0.offset) < ($1.element.1.instant, $1.offset) }.map(\.element.0)
        let places = stages.map { order.firstIndex(of: $0) ?? -1 }
        try expect(places == places.sorted() && !places.contains(-1), "the stages", found: "\(names)")
    }

    /// Expects counts that increase up to the total, each with the total.
    func expectProgress(sent: Bool, to total: Int) throws {
        let steps = events.compactMap { event -> (Int, Int?)? in
            switch event.kind {
            case .bytesSent(let count, let expected) where sent: (count, expected)
            case .bytesReceived(let count, let expected) where !sent: (count, expected)
            default: nil
            }
        }
        let counts = steps.map(\.0)
        try expect(counts.last, is: total, "the last count")
        try expect(counts == counts.sorted(), "counts that grow", found: "\(counts.prefix(20))")
        try expect(steps.allSatisfy { $0.1 == total }, "the whole each time", found: "\(steps.prefix(5))")
    }
}
