#if os(Linux)
import Testing

@testable import HikyakuCurl

/// The queue alone, without a socket.
@Suite struct RequestQueueTests {
    private typealias Queue = RequestQueue<String>

    private func queue(perOrigin: Int = 2, inFlight: Int = 100, queued: Int = 100) -> Queue {
        Queue(Queue.Limits(perOriginMax: perOrigin, inFlightMax: inFlight, queuedMax: queued))
    }

    private func url(_ host: String) -> String { "http://\(host).example/x" }

    /// Admits elements `a0`, `a1` … of the host `a`, and gives the origins of those that may go.
    private func admit(_ count: Int, _ host: String, to queue: inout Queue) -> [Queue.Origin] {
        (0..<count).compactMap { number in
            guard case .now(let origin) = queue.admit("\(host)\(number)", to: url(host)) else { return nil }
            return origin
        }
    }

    private func drain(_ queue: inout Queue) -> [String] {
        var elements: [String] = []
        while let (element, origin) = queue.next() {
            elements.append(element)
            queue.leave(origin)
        }
        return elements
    }

    @Test func anOriginTakesAsManyAsItsLimitAndTheRestInTheirOrder() {
        var queue = queue()
        let origins = admit(5, "a", to: &queue)
        #expect(origins.count == 2 && queue.inFlightCount == 2 && queue.count == 3)
        #expect(queue.next() == nil)
        queue.leave(origins[0])
        let next = queue.next()
        #expect(next?.0 == "a2" && next?.1 == origins[0])
        #expect(queue.next() == nil)
        queue.leave(origins[0])
        #expect(drain(&queue) == ["a3", "a4"])
        #expect(queue.isEmpty && queue.inFlightCount == 1)
    }

    @Test func whoSharesNoConnectionHasALineOfItsOwnWhereOthersShareOne() {
        var queue = queue(perOrigin: 3)
        let origins = admit(1, "a", to: &queue)
        #expect(queue.admit("first", to: url("a"), needsConnection: true) == .now(origins[0]))
        queue.note(origins[0], isMultiplexed: true)
        var unshared: [Queue.Origin] = []
        for number in 0..<4 {
            if case .now(let origin) = queue.admit("s\(number)", to: url("a"), needsConnection: true) {
                unshared.append(origin)
            }
        }
        #expect(unshared.count == 2 && !unshared.contains(origins[0]))
        #expect(admit(50, "a", to: &queue).count == 50)
        queue.leave(unshared[0])
        #expect(queue.next()?.0 == "s2")
        #expect(queue.next() == nil)
        queue.leave(unshared[0])
        #expect(queue.next()?.0 == "s3")
    }

    @Test func aFullOriginHoldsUpNoOther() {
        var queue = queue()
        #expect(admit(50, "slow", to: &queue).count == 2)
        #expect(admit(2, "quick", to: &queue).count == 2)
    }

    @Test func originsTakeTurnsWhenThereIsRoomForOneOnly() {
        var queue = queue(perOrigin: 10, inFlight: 1)
        let origins = admit(1, "first", to: &queue)
        for (host, count) in [("a", 4), ("b", 2), ("c", 1)] { #expect(admit(count, host, to: &queue).isEmpty) }
        queue.leave(origins[0])
        #expect(drain(&queue) == ["a0", "b0", "c0", "a1", "b1", "a2", "a3"])
    }

    @Test func whoWaitsGoesBeforeWhoComes() {
        var queue = queue(perOrigin: 10, inFlight: 1)
        let origins = admit(1, "first", to: &queue)
        _ = admit(1, "a", to: &queue)
        queue.leave(origins[0])
        #expect(admit(1, "b", to: &queue).isEmpty, "a was here before")
        #expect(drain(&queue) == ["a0", "b0"])
    }

    @Test func oneMoreThanMayWaitIsRefused() {
        var queue = queue(perOrigin: 1, queued: 2)
        #expect(admit(3, "a", to: &queue).count == 1)
        #expect(queue.admit("late", to: url("a")) == .full)
        #expect(queue.count == 2)
        #expect(admit(1, "b", to: &queue).count == 1, "who needn't wait isn't refused")
    }

    @Test func whatIsTakenOutNeverComes() {
        var queue = queue(perOrigin: 1, queued: 3)
        let origins = admit(1, "a", to: &queue)
        let tickets = (1...3).compactMap { number -> Queue.Ticket? in
            guard case .later(let ticket) = queue.admit("a\(number)", to: url("a")) else { return nil }
            return ticket
        }
        #expect(queue.remove(tickets[1]) == "a2")
        #expect(queue.remove(tickets[1]) == nil && queue.remove(99) == nil && queue.remove(-1) == nil)
        #expect(queue.count == 2)
        #expect(queue.admit("a4", to: url("a")) != .full, "its place is free again")
        queue.leave(origins[0])
        #expect(drain(&queue) == ["a1", "a3", "a4"])
    }

    @Test func anOriginWithOneConnectionForManyTakesMore() {
        var queue = queue(perOrigin: 2, inFlight: 1000, queued: 1000)
        let origins = admit(300, "a", to: &queue)
        queue.note(origins[0], isMultiplexed: true)
        var started = 2
        while queue.next() != nil { started += 1 }
        #expect(started == 100)
        #expect(queue.isMultiplexed(origins[0]))
        queue.note(origins[0], isMultiplexed: false)
        queue.leave(origins[0])
        #expect(queue.next() == nil, "there are more than the limit still")
    }

    @Test func removingAllLeavesNothing() {
        var queue = queue(perOrigin: 1)
        let origins = admit(4, "a", to: &queue)
        #expect(queue.removeAll().sorted() == ["a1", "a2", "a3"])
        queue.leave(origins[0])
        #expect(queue.next() == nil && queue.isEmpty && queue.inFlightCount == 0)
        #expect(admit(1, "a", to: &queue).count == 1)
    }

    @Test func limitsBelowOneStillLetOneGo() {
        var queue = queue(perOrigin: -1, inFlight: 0, queued: -5)
        let origins = admit(2, "a", to: &queue)
        #expect(origins.count == 1 && queue.isEmpty)
        queue.leave(origins[0])
        #expect(admit(1, "b", to: &queue).count == 1)
    }

    /// Whatever happens, nothing is lost, doubled or beyond a limit; many origins come and go.
    @Test func countsHoldInAnyOrder() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of the queue: \(seed)")
        var random = SeededGenerator(seed: seed)
        var queue = queue(perOrigin: 3, inFlight: 20, queued: 50)
        var inFlight: [Queue.Origin] = []
        var waiting: [Queue.Ticket: String] = [:]
        for number in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let host = Bool.random(using: &random) ? "h\(Int.random(in: 0..<8, using: &random))" : "h\(number)"
                switch queue.admit("\(number)", to: url(host)) {
                case .now(let origin): inFlight.append(origin)
                case .later(let ticket): waiting[ticket] = "\(number)"
                case .full: #expect(waiting.count == 50)
                }
            case 5:
                if let (ticket, element) = waiting.randomElement(using: &random) {
                    #expect(queue.remove(ticket) == element)
                    waiting[ticket] = nil
                }
            default:
                if !inFlight.isEmpty {
                    queue.leave(inFlight.remove(at: Int.random(in: 0..<inFlight.count, using: &random)))
                }
                while let (element, origin) = queue.next() {
                    inFlight.append(origin)
                    let ticket = waiting.first { $0.value == element }?.key
                    #expect(ticket.map { waiting.removeValue(forKey: $0) } != nil)
                }
            }
            #expect(queue.inFlightCount == inFlight.count && inFlight.count <= 20)
            #expect(queue.count == waiting.count)
        }
        #expect(Dictionary(grouping: inFlight) { $0 }.values.allSatisfy { $0.count <= 3 })
    }

    @Test(arguments: [
        ("http://a.example/x", "http://a.example"), ("HTTP://A.example:80", "http://a.example"),
        ("https://a.example:443/?q", "https://a.example"), ("https://a.example:80/", "https://a.example:80"),
        ("http://a.example?q=/", "http://a.example"), ("http://a.example#f", "http://a.example"),
        ("http://[::1]:8080/x", "http://[::1]:8080"), ("", ""),
    ])
    func anOriginHasOneKey(url: String, key: String) {
        #expect(OriginKey.key(of: url) == key)
        #expect(OriginKey.hasPrefix(url, OriginKey.prefix(of: url)))
    }

    @Test func aLongerPortOrHostIsAnotherOrigin() {
        #expect(!OriginKey.hasPrefix("http://a.example:808/", "http://a.example:80"))
        #expect(!OriginKey.hasPrefix("http://a.example.org/", "http://a.example"))
        #expect(OriginKey.hasPrefix("http://a.example", "http://a.example"))
    }
}
#endif
