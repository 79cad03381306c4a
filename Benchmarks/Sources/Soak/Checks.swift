import Foundation

/// What must hold in the end, with the slack that each figure gets.
struct Checks {
    private(set) var failures: [String] = []

    /// Memory that `malloc` keeps in pieces, and what a few large bodies need that happen to be on their way.
    private static let residentSlack = 24 << 20
    /// A transport keeps 128 connections, of which at the first look some may have been closed by a fault.
    private static let descriptorSlack = 128
    private static let threadSlack = 4
    /// Those that the system's timers have opened meanwhile.
    private static let descriptorSlackAtRest = 4

    mutating func compareEnd(_ end: Resources, with warm: Resources) {
        expect(
            end.residentBytes <= warm.residentBytes + Self.residentSlack,
            "memory grew from \(warm.residentBytes / 1024) to \(end.residentBytes / 1024) KiB",
        )
        expect(end.descriptors <= warm.descriptors + Self.descriptorSlack, "descriptors: \(warm), then \(end)")
        expect(end.threads <= warm.threads + Self.threadSlack, "threads: \(warm), then \(end)")
    }

    /// What is held once the transport is gone; its threads and sockets get a while to end.
    static func resourcesAtRest(like fresh: Resources) async -> Resources {
        var left = Resources.now()
        let deadline = ContinuousClock.now + .seconds(10)
        while left.descriptors > fresh.descriptors + descriptorSlackAtRest || left.threads > threadsMax(after: fresh),
            .now < deadline
        {
            try? await Task.sleep(for: .milliseconds(50))
            left = .now()
        }
        return left
    }

    mutating func compareRest(_ left: Resources, with fresh: Resources) {
        expect(
            left.descriptors <= fresh.descriptors,
            "descriptors left open: first \(fresh.targets), then \(left.targets)",
        )
        expect(left.threads <= Self.threadsMax(after: fresh), "threads left: \(fresh), then \(left)")
    }

    /// Swift's own threads come with the first task, and stay.
    private static func threadsMax(after fresh: Resources) -> Int {
        fresh.threads + ProcessInfo.processInfo.activeProcessorCount + threadSlack
    }

    mutating func take(_ tally: Tally) {
        for (count, example) in tally.violations.values.sorted(by: { $0.count > $1.count }) {
            failures.append("\(count) times, such as \(example)")
        }
    }

    private mutating func expect(_ holds: Bool, _ text: String) {
        if !holds { failures.append(text) }
    }
}
