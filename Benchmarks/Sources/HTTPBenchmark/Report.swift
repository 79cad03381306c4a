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

    private typealias Column = (heading: String, width: Int, text: (Contestant) -> String)

    /// A title, and one line for each contestant: medians, and medians of the rounds' ratios to the others.
    var lines: [String] {
        let columns = row.isTyped ? typedColumns : untypedColumns
        let widths = [18] + columns.map(\.width)
        return ["", "\(row.title) (\(row.name))", Table.line([""] + columns.map(\.heading), widths: widths)]
            + row.contestants.map { contestant in
                Table.line([contestant.title] + columns.map { $0.text(contestant) }, widths: widths)
            }
    }

    private var untypedColumns: [Column] {
        let scale = row.isStreaming ? Double(Row.streamedBytes) / 1_048_576 : 1
        return [
            (row.isStreaming ? "MiB/s" : "requests/s", 11, { value($0, "%.0f") { $0.requestsPerSecond * scale } }),
            (row.isStreaming ? "CPU ms/GiB" : "CPU us/req", 12, { value($0, "%.1f") { cpu($0) } }),
            ("p50 us", 9, { value($0, "%.0f", \.p50Microseconds) }),
            ("p99 us", 9, { value($0, "%.0f", \.p99Microseconds) }),
            ("memory MiB", 12, { value($0, "%.1f", \.memoryMebibytes) }),
            ("vs URLSession", 15, { ratio($0, .urlSession, \.requestsPerSecond) }),
            ("vs wrk", 9, { ratio($0, .wrk, \.requestsPerSecond) }),
            ("vs C", 8, { ratio($0, .libcurl, \.requestsPerSecond) }),
            ("CPU vs C", 10, { ratio($0, .libcurl, \.cpuMicrosecondsPerRequest) }),
            ("p99 vs C", 10, { ratio($0, .libcurl, \.p99Microseconds) }),
        ]
    }

    private func cpu(_ measurement: Measurement) -> Double {
        measurement.cpuMicrosecondsPerRequest / (row.isStreaming ? 1000 : 1)
    }

    private var typedColumns: [Column] {
        [
            ("requests/s", 11, { value($0, "%.0f", \.requestsPerSecond) }),
            ("CPU us/req", 12, { value($0, "%.1f", \.cpuMicrosecondsPerRequest) }),
            ("switches/req", 14, { value($0, "%.2f", \.switchesPerRequest) }),
            ("p50 us", 9, { value($0, "%.0f", \.p50Microseconds) }),
            ("p99 us", 9, { value($0, "%.0f", \.p99Microseconds) }),
            ("vs URLSession", 15, { ratio($0, .urlSession, \.requestsPerSecond) }),
            ("vs C", 8, { ratio($0, .libcurl, \.requestsPerSecond) }),
            ("CPU vs C", 10, { ratio($0, .libcurl, \.cpuMicrosecondsPerRequest) }),
            ("CPU vs transport", 18, { ratio($0, .transport, \.cpuMicrosecondsPerRequest) }),
        ]
    }

    /// The figures that aren't reached, in words.
    var misses: [String] {
        row.goals.compactMap { goal in
            let measured = figure(of: goal)
            guard !goal.isReached(measured) else { return nil }
            return "\(row.title), \(goal.one.title): \(goal.text), measured \(String(format: "%.2f", measured))"
        }
    }

    private func figure(of goal: Row.Goal) -> Double {
        switch goal.comparison {
        case .none: median(rounds.compactMap { $0[goal.one]?[keyPath: goal.figure] })
        case .ratio(let other): pairedMedian(goal.one, other, goal.figure, /)
        case .difference(let other): pairedMedian(goal.one, other, goal.figure, -)
        }
    }

    private func value(_ contestant: Contestant, _ format: String, _ figure: (Measurement) -> Double) -> String {
        let value = median(rounds.compactMap { $0[contestant].map(figure) })
        return value.isNaN ? "-" : String(format: format, value)
    }

    private func ratio(_ one: Contestant, _ other: Contestant, _ figure: KeyPath<Measurement, Double>) -> String {
        guard one != other, row.contestants.contains(other) else { return "-" }
        let value = pairedMedian(one, other, figure, /)
        return value.isNaN ? "-" : String(format: "%.2fx", value)
    }

    private func pairedMedian(
        _ one: Contestant,
        _ other: Contestant,
        _ figure: KeyPath<Measurement, Double>,
        _ combine: (Double, Double) -> Double,
    ) -> Double {
        median(
            rounds.compactMap { round in
                guard let one = round[one], let other = round[other] else { return nil }
                return combine(one[keyPath: figure], other[keyPath: figure])
            }
        )
    }
}
