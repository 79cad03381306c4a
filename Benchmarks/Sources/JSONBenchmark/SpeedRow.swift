import BenchmarkSupport
import Foundation

/// One thing that both libraries do with the same types and the same document.
struct SpeedRow {
    enum Coder: String, CaseIterable {
        case foundation
        case hikyaku
    }

    enum Size: String {
        case small
        case medium
        case large

        var title: String {
            switch self {
            case .small: "315 B"
            case .medium: "29 KB"
            case .large: "3 MB"
            }
        }

        /// How many documents are done under valgrind, in two runs: the difference is the cost of the documents alone.
        var counts: [Int] {
            switch self {
            case .small: [1000, 3000]
            case .medium: [12, 36]
            case .large: [1, 3]
            }
        }
    }

    /// What `--only` and the program that does the work call it.
    let name: String
    let title: String
    let size: Size
    /// How many times as fast as Foundation it must be.
    let goal: Double

    static let all = [
        SpeedRow(name: "codable", title: "Codable", size: .medium, goal: 4.2),
        SpeedRow(name: "codable", title: "Codable", size: .large, goal: 4),
        SpeedRow(name: "snake", title: "snake-case keys", size: .medium, goal: 8),
        SpeedRow(name: "snake", title: "snake-case keys", size: .large, goal: 8),
        SpeedRow(name: "dates", title: "ISO 8601 dates", size: .medium, goal: 3),
        SpeedRow(name: "dates", title: "ISO 8601 dates", size: .large, goal: 3),
        SpeedRow(name: "kinds", title: "kinds tried in turn", size: .medium, goal: 1),
        SpeedRow(name: "direct", title: "direct decoding", size: .medium, goal: 11),
        SpeedRow(name: "direct", title: "direct decoding", size: .large, goal: 9),
        SpeedRow(name: "shuffled", title: "members in any order", size: .medium, goal: 7),
        SpeedRow(name: "fresh", title: "a fresh decoder", size: .small, goal: 4),
        SpeedRow(name: "encode", title: "encoding, Codable", size: .medium, goal: 3),
        SpeedRow(name: "encode", title: "encoding, Codable", size: .large, goal: 3),
        SpeedRow(name: "write", title: "encoding, direct", size: .medium, goal: 8),
        SpeedRow(name: "write", title: "encoding, direct", size: .large, goal: 8),
        SpeedRow(name: "index", title: "index pass alone", size: .medium, goal: 25),
        SpeedRow(name: "index", title: "index pass alone", size: .large, goal: 25),
    ]

    var wholeTitle: String { "\(title), \(size.title)" }

    /// The bytes that one coder reads or writes in a second of CPU time.
    func bytesPerSecond(_ coder: Coder, seconds: Double) throws -> Double {
        let figures = try Contestants.run("JSONPeer", words(coder) + ["seconds=\(seconds)"])
        guard let documents = figures["documents"], let bytes = figures["bytes"], let cpu = figures["cpu"], cpu > 0
        else { throw BenchmarkFailure.output("\(figures)") }
        return documents * bytes / (cpu / 1e9)
    }

    /// Instructions in user mode for one document.
    func instructions(_ coder: Coder) throws -> Double {
        let counts = size.counts
        let totals = try counts.map { try Contestants.instructions("JSONPeer", words(coder) + ["count=\($0)"]) }
        return Double(totals[1] - totals[0]) / Double(counts[1] - counts[0])
    }

    private func words(_ coder: Coder) -> [String] {
        ["mode=speed", "name=\(name)", "coder=\(coder.rawValue)", "size=\(size.rawValue)"]
    }
}
