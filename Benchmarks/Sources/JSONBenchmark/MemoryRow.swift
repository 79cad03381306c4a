import BenchmarkSupport
import Foundation
import JSONDocuments

/// How much memory decoding takes beyond what its values keep.
enum MemoryRow {
    static let name = "memory"
    /// In times of the document's length.
    private static let goal = 2.5

    /// One way of decoding, and whether the goal is for it.
    private static let ways = [
        (title: "JSONDecoder", words: ["name=codable", "coder=foundation"], isOurs: false),
        (title: "Codable", words: ["name=codable", "coder=hikyaku"], isOurs: true),
        (title: "direct decoding", words: ["name=direct", "coder=hikyaku"], isOurs: true),
    ]

    /// Prints a line for each way, and gives the figures that aren't reached.
    static func report(_ options: Options) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString).json")
        try Document.large().bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        print("", line(["memory of a 3 MB document", "peak MB", "stays MB", "between", "goal"]), separator: "\n")
        var misses: [String] = []
        for way in ways {
            var peaks: [Double] = []
            var stays: [Double] = []
            for _ in 0..<options.rounds {
                let figures = try Contestants.run(
                    "JSONPeer",
                    ["mode=memory", "size=large", "file=\(file.path)"] + way.words,
                )
                guard let bytes = figures["bytes"], let peak = figures["peak"], let rest = figures["stays"] else {
                    throw BenchmarkFailure.output("\(figures)")
                }
                peaks.append(peak / bytes)
                stays.append(rest / bytes)
            }
            let between = median(zip(peaks, stays).map { $0 - $1 })
            let figures = [median(peaks) * 3, median(stays) * 3].map { String(format: "%.1f", $0) }
            let text = String(format: "%.2fx", between)
            print(line([way.title] + figures + [text, way.isOurs ? "\(goal)x" : ""]))
            if way.isOurs, !(between <= goal) {
                misses.append("memory, \(way.title): at most \(goal)x the document beyond what stays, measured \(text)")
            }
        }
        return misses
    }

    private static func line(_ columns: [String]) -> String {
        Table.line(columns, widths: [26, 10, 10, 10, 7])
    }
}
