import Foundation

/// Counts the instructions of a request in user mode with valgrind's callgrind: they repeat where times don't.
///
/// Two runs with different numbers of requests are subtracted, so that what happens once isn't counted. Under valgrind
/// everything is so slow that no caller drives the loop: one at a time is counted with the way over the loop's thread.
enum Instructions {
    private static let counts = [2000, 6000]

    static func perRequest(_ contestant: Contestant, _ row: Row, _ servers: Servers) throws -> Double {
        let totals = try counts.map { try total(contestant, servers.words(for: row, warmUp: 0) + ["requests=\($0)"]) }
        return Double(totals[1] - totals[0]) / Double(counts[1] - counts[0])
    }

    private static func total(_ contestant: Contestant, _ words: [String]) throws -> Int {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "hikyaku-\(UUID().uuidString).callgrind"
        )
        defer { try? FileManager.default.removeItem(at: file) }
        let valgrind = ["--tool=callgrind", "--quiet", "--callgrind-out-file=\(file.path)", contestant.path]
        // It complains about debugging information that it is too old for.
        _ = try ChildProcess.output(of: "valgrind", valgrind + words, standardError: .nullDevice)
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        guard let line = lines.last(where: { $0.hasPrefix("totals:") }), let total = Int(line.dropFirst(8)) else {
            throw Measurement.Failure.output("no total in callgrind's file")
        }
        return total
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
