import BenchmarkSupport
import Foundation

/// The rounds of one row, and what is said of them.
struct Report {
    let row: Row
    private var rounds: [[Contestant: Measurement]] = []

    init(row: Row) {
        self.row = row
    }

    mutating func add(_ round: [Contestant: Measurement]) {
        rounds.append(round)
    }

    /// A title, and one line for each contestant: medians, and medians of the rounds' ratios to the others.
    var lines: [String] {
        let names = ["", row.isStreaming ? "MiB/s" : "requests/s", row.isStreaming ? "CPU ms/GiB" : "CPU us/req"]
        let heading = names + ["p50 us", "p99 us", "memory MiB", "vs URLSession", "vs C", "CPU vs C", "p99 vs C"]
        return ["", "\(row.title) (\(row.name))", Self.line(heading)]
            + row.contestants.map { contestant in
                let scale = row.isStreaming ? Double(Row.streamedBytes) / 1_048_576 : 1
                return Self.line([
                    contestant.title,
                    value(contestant, "%.0f") { $0.requestsPerSecond * scale },
                    value(contestant, "%.1f") { $0.cpuMicrosecondsPerRequest / (row.isStreaming ? 1000 : 1) },
                    value(contestant, "%.0f", \.p50Microseconds), value(contestant, "%.0f", \.p99Microseconds),
                    value(contestant, "%.1f", \.memoryMebibytes),
                    ratio(contestant, .urlSession, \.requestsPerSecond),
                    ratio(contestant, .libcurl, \.requestsPerSecond),
                    ratio(contestant, .libcurl, \.cpuMicrosecondsPerRequest),
                    ratio(contestant, .libcurl, \.p99Microseconds),
                ])
            }
    }

    /// The figures that aren't reached, in words.
    var misses: [String] {
        row.goals.compactMap { goal in
            let measured = figure(of: goal)
            guard !goal.isReached(measured) else { return nil }
            return "\(row.title): \(goal.text), measured \(String(format: "%.2f", measured))"
        }
    }

    private func figure(of goal: Row.Goal) -> Double {
        guard let other = goal.other else {
            return median(rounds.compactMap { $0[goal.one]?[keyPath: goal.figure] })
        }
        return medianRatio(goal.one, other, goal.figure)
    }

    private func value(_ contestant: Contestant, _ format: String, _ figure: (Measurement) -> Double) -> String {
        String(format: format, median(rounds.compactMap { $0[contestant].map(figure) }))
    }

    private func ratio(_ one: Contestant, _ other: Contestant, _ figure: KeyPath<Measurement, Double>) -> String {
        guard one != other, row.contestants.contains(other) else { return "-" }
        return String(format: "%.2fx", medianRatio(one, other, figure))
    }

    private func medianRatio(_ one: Contestant, _ other: Contestant, _ figure: KeyPath<Measurement, Double>) -> Double {
        median(
            rounds.compactMap { round in
                guard let one = round[one], let other = round[other] else { return nil }
                return one[keyPath: figure] / other[keyPath: figure]
            }
        )
    }

    private static func line(_ columns: [String]) -> String {
        Table.line(columns, widths: [15, 11, 12, 9, 9, 12, 15, 8, 10, 10])
    }
}
