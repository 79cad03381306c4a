// Counts the instructions of calls, shapes, lists and broadcasts beside what one would write by hand, by valgrind's
// callgrind, and what retries and limits add to calls. Measures how fast event streams are parsed, by CPU time.
// `--check` fails when a goal isn't reached.

import BenchmarkSupport
import Foundation

struct Row {
    let title: String
    let peer: String
    /// The words before the number of rounds.
    let own: [String]
    let other: [String]
    let rounds: [Int]
    let goal: Double
    /// What the difference of both is measured by; with `nil` the figure is their ratio.
    var whole: Double?
    /// What is measured.
    var unit = Unit.instructions

    enum Unit {
        case instructions
        /// Of CPU, which vary.
        case nanoseconds
        /// The peak of the process with the larger number of rounds; `other` has the smaller one.
        case kibibytes
    }

    /// Two runs with different numbers of rounds are subtracted, so that what happens once isn't counted.
    private func instructions(_ words: [String]) throws -> Double {
        let totals = try rounds.map { try Contestants.instructions(peer, words + ["\($0)"]) }
        return Double(totals[1] - totals[0]) / Double(rounds[1] - rounds[0])
    }

    /// The least of several runs, since other processes use the same caches.
    private func nanoseconds(_ words: [String]) throws -> Double {
        try (0..<7).map { _ in
            let totals = try rounds.map { try Contestants.runOnOneProcessor(peer, words + ["\($0)"])["cpu"] ?? .nan }
            return (totals[1] - totals[0]) / Double(rounds[1] - rounds[0])
        }.min() ?? .nan
    }

    private func kibibytes(_ words: [String], _ rounds: Int) throws -> Double {
        try Contestants.run(peer, words + ["\(rounds)"])["peak"].map { $0 / 1024 } ?? .nan
    }

    private func measured() throws -> [Double] {
        switch unit {
        case .instructions: try [own, other].map(instructions)
        case .nanoseconds: try [own, other].map(nanoseconds)
        case .kibibytes: [try kibibytes(own, rounds[1]), try kibibytes(other, rounds[0])]
        }
    }

    /// - Returns: Whether the goal is reached.
    func measure() throws -> Bool {
        let measured = try measured()
        let figure = whole.map { (measured[0] - measured[1]) / $0 } ?? measured[0] / measured[1]
        let figures = measured.map { String(format: "%.0f", $0) }
        let shown = [figure, goal].map { String(format: "%.2fx", $0) }
        print(Table.line([title] + figures + shown, widths: CallsBenchmark.widths))
        return figure <= goal
    }
}

enum CallsBenchmark {
    static let widths = [48, 12, 12, 9, 8]

    private static func combined(_ dishes: Int) -> Row {
        Row(
            title: "CombinedResponse, \(dishes) dishes",
            peer: "CallPeer",
            own: ["combined", "\(dishes)"],
            other: ["byhand", "\(dishes)"],
            rounds: [200, 1_200],
            goal: 1.1,
        )
    }

    private static func broadcast(_ mode: String) -> Row {
        Row(
            title: "Broadcast to 100, \(mode)",
            peer: "BroadcastPeer",
            own: ["broadcast", mode],
            other: ["hand", mode],
            rounds: [200, 1_200],
            goal: 1.5,
        )
    }

    static let rows =
        [combined(1), combined(10), combined(1_000)]
        + [
            Row(
                title: "APICall beside send",
                peer: "CallPeer",
                own: ["call", "1"],
                other: ["send", "1"],
                rounds: [500, 4_500],
                goal: 1.15,
            )
        ] + ["waiting", "buffered", "dropping"].map(broadcast)
        + [
            // The second column is not by hand: it is the same with fewer waiting calls.
            Row(
                title: "Limit, 10,000 waiting beside 1,000",
                peer: "CallPeer",
                own: ["limited", "10000"],
                other: ["limited", "1000"],
                rounds: [1_000, 11_000],
                goal: 1.15,
            ),
            Row(
                // Two for each call: one when it arrives, and one when another ends and it is admitted.
                title: "Limit, microseconds of CPU a decision",
                peer: "CallPeer",
                own: ["limited", "10000"],
                other: ["unlimited", "10000"],
                rounds: [20_000, 120_000],
                goal: 2,
                whole: 2000,
                unit: .nanoseconds,
            ),
            walk("numbers"), walk("links"), memory("links"), memory("remembered"),
            surcharge("default", beside: "never"),
            surcharge("default", beside: "bare"),
        ]

    private static func walk(_ way: String) -> Row {
        Row(
            title: "10,000 pages of 20 by \(way)",
            peer: "CallPeer",
            own: [way, "20"],
            other: [way + "byhand", "20"],
            rounds: [1_000, 9_999],
            goal: 1.1,
        )
    }

    /// Whether memory grows: the second column is not by hand, but the same with fewer pages.
    private static func memory(_ way: String) -> Row {
        Row(
            title: "KiB at most, 10,000 pages of 20 by \(way)",
            peer: "CallPeer",
            own: [way, "20"],
            other: [way, "20"],
            rounds: [1_000, 9_999],
            goal: 1.05,
            unit: .kibibytes,
        )
    }

    /// What the default options add, measured by a small typed call over WireTransport.
    private static func surcharge(_ own: String, beside other: String) -> Row {
        Row(
            title: "send by \(own) options beside \(other)",
            peer: "CallPeer",
            own: [own, "1"],
            other: [other, "1"],
            rounds: [500, 4_500],
            goal: 0.06,
            whole: smallCallInstructions,
        )
    }

    /// By `scripts/bench client --only small --instructions`.
    private static let smallCallInstructions = 70_000.0
}

/// How fast an event stream is parsed from memory.
struct ParsingRow {
    let title: String
    /// The size of each event's data, and the number of events in a mebibyte of the stream.
    let dataBytes: Int
    let mode: String
    /// In megabytes a second of CPU time, or in events.
    let goal: Double
    let countsEvents: Bool

    static let all = [
        ParsingRow(title: "Event stream, MB/s", dataBytes: 4096, mode: "events", goal: 400, countsEvents: false),
        ParsingRow(
            title: "Event stream in pieces, MB/s",
            dataBytes: 4096,
            mode: "pieces",
            goal: 400,
            countsEvents: false,
        ),
        ParsingRow(title: "Event stream, events/s", dataBytes: 20, mode: "events", goal: 800_000, countsEvents: true),
        ParsingRow(
            title: "Event stream in pieces, events/s",
            dataBytes: 20,
            mode: "pieces",
            goal: 800_000,
            countsEvents: true,
        ),
    ]

    /// - Returns: Whether the goal is reached.
    func measure() throws -> Bool {
        let rounds = [20, 220]
        // The best of several runs, since other processes use the same caches.
        let rate =
            try (0..<7).map { _ in
                let runs = try rounds.map { try Contestants.run("CallPeer", [mode, "\(dataBytes)", "\($0)"]) }
                let seconds = ((runs[1]["cpu"] ?? .nan) - (runs[0]["cpu"] ?? .nan)) / 1e9
                let events = (runs[1]["sum"] ?? .nan) - (runs[0]["sum"] ?? .nan)
                let bytes = Double(rounds[1] - rounds[0]) * Double(1 << 20)
                return (countsEvents ? events : bytes / 1e6) / seconds
            }.max() ?? .nan
        let shown = [rate, goal].map { String(format: "%.0f", $0) }
        print(Table.line([title, shown[0], "", "", shown[1]], widths: CallsBenchmark.widths))
        return rate >= goal
    }
}

do {
    let words = CommandLine.arguments.dropFirst()
    guard words.allSatisfy({ $0 == "--check" }) else {
        FileHandle.standardError.write(Data("CallsBenchmark: there is one option, --check\n".utf8))
        exit(2)
    }
    print(Table.line(["instructions", "Hikyaku", "by hand", "ratio", "goal"], widths: CallsBenchmark.widths))
    var isReached = true
    for row in CallsBenchmark.rows { isReached = try row.measure() && isReached }
    for row in ParsingRow.all { isReached = try row.measure() && isReached }
    print(isReached ? "all goals are reached" : "a goal isn't reached")
    exit(isReached || !words.contains("--check") ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("CallsBenchmark: \(error)\n".utf8))
    exit(1)
}
