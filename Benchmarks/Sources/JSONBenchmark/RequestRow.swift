import BenchmarkSupport
import Foundation
import JSONDocuments

/// A whole typed request: one page of items, 16 at once, over loopback.
enum RequestRow {
    static let name = "request"
    private static let width = 16

    private struct Contestant {
        let title: String
        let program: String
        let mode: String
        /// How many times as fast as the first it must be.
        let goal: Double?
    }

    private static let contestants = [
        Contestant(title: "URLSession, JSONDecoder", program: "URLSessionPeer", mode: "codable", goal: nil),
        Contestant(title: "APIClient, Codable", program: "ClientPeer", mode: "codable", goal: 4.3),
        Contestant(title: "APIClient, direct", program: "ClientPeer", mode: "direct", goal: 8),
    ]

    private struct Figures {
        let requestsPerSecond: Double
        let microsecondsPerRequest: Double
    }

    /// Prints a line for each contestant, and gives the figures that aren't reached.
    static func report(_ options: Options) throws -> [String] {
        let page = Document.medium()
        let nginx = try Nginx.start(files: ["items.json": page.bytes])
        defer { nginx.stop() }
        let load = ["width=\(width)", "bytes=\(page.itemCount)", "url=\(nginx.url)/items.json"]
        var rounds: [[Figures]] = contestants.map { _ in [] }
        for round in 0..<options.rounds {
            for place in contestants.indices {
                let index = (place + round) % contestants.count
                rounds[index].append(try measure(contestants[index], load, options))
            }
        }
        return summary(rounds)
    }

    private static func measure(_ contestant: Contestant, _ load: [String], _ options: Options) throws -> Figures {
        let figures = try Contestants.run(
            contestant.program,
            load + ["mode=\(contestant.mode)", "warmup=0.5", "seconds=\(options.seconds)"],
        )
        guard let requests = figures["requests"], let seconds = figures["seconds"], let cpu = figures["cpu"],
            requests > 0
        else { throw BenchmarkFailure.output("\(figures)") }
        return Figures(requestsPerSecond: requests / seconds, microsecondsPerRequest: cpu / requests)
    }

    private static func summary(_ rounds: [[Figures]]) -> [String] {
        let heading = ["29 KB of items, \(width) at once", "requests/s", "CPU us/req", "requests", "CPU", "goal"]
        print("", line(heading), separator: "\n")
        var misses: [String] = []
        for (contestant, own) in zip(contestants, rounds) {
            let ratio = median(zip(own, rounds[0]).map { $0.requestsPerSecond / $1.requestsPerSecond })
            let cpuRatio = median(zip(own, rounds[0]).map { $1.microsecondsPerRequest / $0.microsecondsPerRequest })
            print(
                line([
                    contestant.title,
                    String(format: "%.0f", median(own.map(\.requestsPerSecond))),
                    String(format: "%.1f", median(own.map(\.microsecondsPerRequest))),
                    String(format: "%.2fx", ratio), String(format: "%.2fx", cpuRatio),
                    contestant.goal.map { "\($0)x" } ?? "",
                ])
            )
            guard let goal = contestant.goal else { continue }
            for (figure, name) in [(ratio, "requests a second"), (cpuRatio, "requests a second of CPU time")]
            where !(figure >= goal) {
                let measured = String(format: "%.2f", figure)
                misses.append("\(contestant.title): at least \(goal)x URLSession's \(name), measured \(measured)")
            }
        }
        return misses
    }

    /// Counts the instructions of a request for each contestant, all its threads together.
    static func reportInstructions() throws {
        let page = Document.medium()
        let nginx = try Nginx.start(files: ["items.json": page.bytes])
        defer { nginx.stop() }
        let load = ["width=\(width)", "bytes=\(page.itemCount)", "url=\(nginx.url)/items.json", "warmup=0"]
        let counts = [100, 300]
        print("", "instructions a request of 29 KB of items, \(width) at once", separator: "\n")
        for contestant in contestants {
            let totals = try counts.map { count in
                try Contestants.instructions(
                    contestant.program,
                    load + ["mode=\(contestant.mode)", "requests=\(count)"],
                )
            }
            let one = Double(totals[1] - totals[0]) / Double(counts[1] - counts[0])
            print(line([contestant.title, String(format: "%.0f", one), "", "", "", ""]))
        }
    }

    private static func line(_ columns: [String]) -> String {
        Table.line(columns, widths: [26, 12, 12, 10, 10, 7])
    }
}
