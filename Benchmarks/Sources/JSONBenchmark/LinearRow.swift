import BenchmarkSupport
import Foundation

/// Whether a byte of a large or hostile document takes as long as one of a small document.
enum LinearRow {
    static let name = "linear"

    /// A document in several sizes or depths; the first is what the others are held against.
    private struct Shape {
        let title: String
        let name: String
        var megabytes = [1, 10, 100]
        var depths = [0]
        /// How many times as long a byte may take: what the square of the length costs is ten times or a hundred.
        let goal: Double

        /// The words of each size, with as many documents as make the largest.
        var steps: [[String]] {
            let largest = megabytes.max() ?? 1
            return megabytes.flatMap { size in
                depths.map { depth in
                    ["name=\(name)", "bytes=\(size * 1_000_000)", "depth=\(depth)", "count=\(largest / size)"]
                }
            }
        }
    }

    private static let shapes = [
        Shape(title: "items, Codable", name: "items", goal: 2),
        Shape(title: "items, direct", name: "itemsDirect", goal: 2),
        Shape(title: "items, index pass", name: "index", goal: 2),
        Shape(title: "items, encoding", name: "encode", goal: 2),
        // The table of the largest document's keys does not fit into the processor's caches. The instructions for a
        // byte stay the same.
        Shape(title: "different keys, dictionary", name: "keys", goal: 6),
        Shape(title: "different keys, struct", name: "keysForFew", goal: 6),
        Shape(title: "one key, dictionary", name: "oneKey", goal: 2),
        Shape(title: "one key, struct", name: "oneKeyForFew", goal: 2),
        Shape(title: "failures of values", name: "failures", goal: 2),
        Shape(title: "failures of objects", name: "objectFailures", goal: 2),
        Shape(title: "failures, direct", name: "directFailures", goal: 2),
        Shape(title: "failures, collected", name: "collectedFailures", goal: 2),
        Shape(title: "failures, reported as drift", name: "drifts", goal: 2),
        Shape(title: "failures below a long key", name: "longKey", goal: 2),
        Shape(title: "failures, two arrays in turn", name: "inTurn", goal: 2),
        Shape(title: "failures, keys backwards", name: "backwards", goal: 6),
        Shape(title: "a failure at the end", name: "lateFailure", goal: 2),
        Shape(title: "a string of escapes", name: "escapes", goal: 2),
        Shape(title: "a number of many digits", name: "digits", goal: 2),
        Shape(title: "search for equal keys", name: "refusedKeys", goal: 6),
        Shape(title: "trailing commas", name: "lenient", goal: 2),
        Shape(title: "JSON Lines", name: "lines", goal: 2),
        Shape(title: "snake case, one object", name: "snakeKeys", megabytes: [1, 5, 20], goal: 6),
        Shape(title: "snake case, many objects", name: "snakeObjects", megabytes: [1, 5, 20], goal: 6),
        Shape(title: "snake case, one long key", name: "snakeWords", megabytes: [1, 5, 20], goal: 2),
        Shape(title: "keys by function", name: "customKeys", megabytes: [1, 5, 20], goal: 6),
        Shape(title: "encoding, failures", name: "encodeFailures", goal: 2),
        Shape(title: "writing, failures", name: "writeFailures", goal: 2),
        Shape(title: "1 MB; 5, 50, 500 kinds", name: "kindsTried", megabytes: [1], depths: [5, 50, 500], goal: 3),
        Shape(title: "1 MB; 4, 40, 400 by turns", name: "turns", megabytes: [1], depths: [4, 40, 400], goal: 2),
        Shape(title: "500 deep; 1, 5, 20 MB", name: "nested", megabytes: [1, 5, 20], depths: [500], goal: 2),
        Shape(title: "5 MB; 5, 50, 500 deep", name: "nested", megabytes: [5], depths: [5, 50, 500], goal: 2),
    ]

    /// Prints a line for each shape, and gives the figures that aren't reached.
    static func report() -> [String] {
        print("", line(["nanoseconds a byte", "1 MB", "10 MB", "100 MB", "growth", "goal"]), separator: "\n")
        var misses: [String] = []
        for shape in shapes {
            progress(shape.title)
            let times = shape.steps.map(nanosecondsPerByte)
            let growth = times.allSatisfy(\.isFinite) ? (times.max() ?? 0) / times[0] : .infinity
            let text = String(format: "%.2fx", growth)
            print(line([shape.title] + times.map { String(format: "%.2f", $0) } + [text, "\(shape.goal)x"]))
            if !(growth <= shape.goal) {
                misses.append("\(shape.title): at most \(shape.goal)x the time for a byte, measured \(text)")
            }
        }
        return misses
    }

    /// Infinite where it takes minutes or fails.
    private static func nanosecondsPerByte(_ words: [String]) -> Double {
        do {
            let figures = try Contestants.run("JSONPeer", ["mode=shape"] + words, secondsMax: 120)
            guard let documents = figures["documents"], let bytes = figures["bytes"], let cpu = figures["cpu"] else {
                return .infinity
            }
            return cpu / (documents * bytes)
        } catch {
            progress("\(words.joined(separator: " ")): \(error)")
            return .infinity
        }
    }

    private static func line(_ columns: [String]) -> String {
        Table.line(columns, widths: [26, 10, 10, 10, 10, 7])
    }
}
