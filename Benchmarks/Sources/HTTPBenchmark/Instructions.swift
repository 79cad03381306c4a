import BenchmarkSupport
import Foundation

/// Counts the instructions of a request in user mode.
///
/// Two runs with different numbers of requests are subtracted, so that what happens once isn't counted. Under valgrind
/// everything is so slow that no caller waits for its own response: at one request at a time, the loop's thread reads
/// it.
enum Instructions {
    private static let counts = [500, 1500]

    static func perRequest(_ contestant: Contestant, _ row: Row, _ servers: Servers) throws -> Double {
        let totals = try counts.map { count in
            try Contestants.instructions(
                contestant.program,
                servers.words(for: contestant, row, warmUp: 0) + ["requests=\(count)"],
            )
        }
        return Double(totals[1] - totals[0]) / Double(counts[1] - counts[0])
    }

    /// Prints a line for each row, and gives the figures that aren't reached.
    static func report(_ rows: [Row], _ servers: Servers) throws -> [String] {
        print("", "instructions a request in user mode, by valgrind's callgrind", separator: "\n")
        var misses: [String] = []
        for row in rows where !row.isStreaming {
            // URLSession takes too long under valgrind.
            let contestants = row.contestants.filter { $0 != .urlSession && $0 != .wrk }
            let counts = try contestants.map { ($0, try perRequest($0, row, servers)) }
            let figures = Dictionary(uniqueKeysWithValues: counts)
            print("  \(row.title): \(contestants.map { words(for: $0, figures) }.joined(separator: ", "))")
            if let most = row.instructionsOfCMax, let own = figures[.transport], let other = figures[.libcurl],
                own > most * other
            {
                let measured = String(format: "%.2f", own / other)
                misses.append("\(row.title): at most \(most)x of C's instructions, measured \(measured)x")
            }
            guard let most = row.instructionsAboveTransportMax, let own = figures[.client],
                let other = figures[.transport], own - other > most
            else { continue }
            let measured = String(format: "%.0f", own - other)
            misses.append("\(row.title): at most \(Int(most)) instructions above the transport, measured \(measured)")
        }
        return misses
    }

    private static func words(for contestant: Contestant, _ figures: [Contestant: Double]) -> String {
        guard let own = figures[contestant] else { return "" }
        var text = "\(contestant.title) \(String(format: "%.0f", own))"
        if contestant == .transport, let other = figures[.libcurl] {
            text += String(format: " (%.2fx)", own / other)
        }
        if let other = figures[.transport], contestant == .client || contestant == .directClient {
            text += String(format: " (%.0f above WireTransport)", own - other)
        }
        return text
    }
}
