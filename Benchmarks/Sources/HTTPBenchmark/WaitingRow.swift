import BenchmarkSupport
import Foundation

/// The memory of calls that wait for a transport that never answers.
enum WaitingRow {
    static let name = "waiting"
    private static let callCount = 2000
    private static let kibibytesMax = 6.0

    /// Prints a line, and gives the figure if it isn't reached.
    static func report() throws -> [String] {
        let words = ["mode=waiting", "url=http://127.0.0.1/item.json", "requests=\(callCount)"]
        let figures = try Contestants.run(Contestant.client.program, words)
        guard let call = figures["call"], let first = figures["first"], let transport = figures["transport"] else {
            throw BenchmarkFailure.output("\(figures)")
        }
        let kibibytes = (call - transport) / 1024
        print("", "memory of a typed call that waits, of \(callCount), without the transport's part", separator: "\n")
        let texts = [kibibytes, (first - transport) / 1024, transport / 1024].map { String(format: "%.1f KiB", $0) }
        print("  \(texts[0]); before a response of the type was read \(texts[1]); a task in the transport \(texts[2])")
        guard !(kibibytes <= kibibytesMax) else { return [] }
        return ["a waiting call: at most \(kibibytesMax) KiB, measured \(String(format: "%.1f", kibibytes))"]
    }
}
