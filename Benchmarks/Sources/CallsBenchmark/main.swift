// Counts the instructions of calls, shapes and broadcasts beside what one would write by hand, by valgrind's callgrind.
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

    /// Two runs with different numbers of rounds are subtracted, so that what happens once isn't counted.
    private func instructions(_ words: [String]) throws -> Double {
        let totals = try rounds.map { try Contestants.instructions(peer, words + ["\($0)"]) }
        return Double(totals[1] - totals[0]) / Double(rounds[1] - rounds[0])
    }

    /// - Returns: Whether the goal is reached.
    func measure() throws -> Bool {
        let (own, other) = (try instructions(own), try instructions(other))
        let figures = [own, other].map { String(format: "%.0f", $0) }
        let ratios = [own / other, goal].map { String(format: "%.2fx", $0) }
        print(Table.line([title] + figures + ratios, widths: CallsBenchmark.widths))
        return own / other <= goal
    }
}

enum CallsBenchmark {
    static let widths = [40, 12, 12, 9, 8]

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
            )
        ]
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
    print(isReached ? "all goals are reached" : "a goal isn't reached")
    exit(isReached || !words.contains("--check") ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("CallsBenchmark: \(error)\n".utf8))
    exit(1)
}
