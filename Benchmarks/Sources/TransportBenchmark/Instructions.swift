import BenchmarkSupport
import Foundation

/// Counts the instructions of a request in user mode.
///
/// Two runs with different numbers of requests are subtracted, so that what happens once isn't counted. Under valgrind
/// everything is so slow that no caller drives the loop: one at a time is counted with the way over the loop's thread.
enum Instructions {
    private static let counts = [2000, 6000]

    static func perRequest(_ contestant: Contestant, _ row: Row, _ servers: Servers) throws -> Double {
        let totals = try counts.map { count in
            try Contestants.instructions(
                contestant.rawValue,
                servers.words(for: row, warmUp: 0) + ["requests=\(count)"],
            )
        }
        return Double(totals[1] - totals[0]) / Double(counts[1] - counts[0])
    }

    static func report(_ rows: [Row], _ servers: Servers) throws {
        print("", "instructions a request in user mode, by valgrind's callgrind", separator: "\n")
        for row in rows where !row.isStreaming {
            let own = try perRequest(.hikyaku, row, servers)
            let other = try perRequest(.libcurl, row, servers)
            let figures = String(format: "CurlTransport %.0f, C libcurl %.0f, ratio %.2f", own, other, own / other)
            print("  \(row.title): \(figures)")
        }
    }
}
