import BenchmarkSupport
import Foundation

/// Small requests beside many that get no answer, and the memory of requests that wait.
enum SilentRow {
    static let name = "silent"
    private static let silentCount = 2000
    private static let cpuRatioMax = 1.2
    private static let queuedKibibytesMax = 2.0
    private static let silentKibibytesMax = 24.0

    /// Prints a line for each figure, and gives those that aren't reached.
    static func report(_ servers: Servers, _ options: Options) throws -> [String] {
        print("", "beside \(silentCount) requests that get no answer", separator: "\n")
        var misses: [String] = []
        for connection in [Row.Connection.plain, .tls] {
            let what = "a small request\(connection.words)"
            var ratios: [Double] = []
            var (alone, beside): ([Double], [Double]) = ([], [])
            for _ in 0..<options.rounds {
                let one = try cpu(servers, connection, silentCount: 0, options)
                let other = try cpu(servers, connection, silentCount: silentCount, options)
                alone.append(one)
                beside.append(other)
                ratios.append(other / one)
            }
            let texts = [alone, beside, ratios].map { String(format: "%.2f", median($0)) }
            print("  \(what): CPU \(texts[0]) us alone, \(texts[1]) us beside them, \(texts[2])x")
            guard !(median(ratios) <= cpuRatioMax) else { continue }
            misses.append("\(what) beside silent ones: at most \(cpuRatioMax)x of alone, measured \(texts[2])x")
        }
        return misses + (try memory(servers))
    }

    private static func cpu(
        _ servers: Servers,
        _ connection: Row.Connection,
        silentCount: Int,
        _ options: Options,
    ) throws -> Double {
        let words = servers.silentWords(connection) + ["silent=\(silentCount)", "seconds=\(options.seconds)"]
        let figures = try Contestants.run(Contestant.transport.program, words)
        guard let cpu = figures["cpu"], let requests = figures["requests"], requests > 0 else {
            throw BenchmarkFailure.output("\(figures)")
        }
        return cpu / requests
    }

    private static func memory(_ servers: Servers) throws -> [String] {
        let words = servers.silentWords(.plain) + ["mode=waiting", "silent=\(silentCount)"]
        let figures = try Contestants.run(Contestant.transport.program, words)
        guard let queued = figures["queued"], let silent = figures["inflight"], let task = figures["task"] else {
            throw BenchmarkFailure.output("\(figures)")
        }
        let memories = [
            (what: "a request that waits for its turn", kibibytes: (queued - task) / 1024, most: queuedKibibytesMax),
            (what: "a request in flight", kibibytes: (silent - task) / 1024, most: silentKibibytesMax),
        ]
        print(String(format: "  memory of a task that sends one, left out below: %.1f KiB", task / 1024))
        var misses: [String] = []
        for memory in memories {
            let measured = String(format: "%.1f KiB", memory.kibibytes)
            print("  memory of \(memory.what): \(measured)")
            guard !(memory.kibibytes <= memory.most) else { continue }
            misses.append("memory of \(memory.what): at most \(memory.most) KiB, measured \(measured)")
        }
        return misses
    }
}
