import BenchmarkSupport
import Foundation
import JSONDocuments

/// The rounds of all rows of speed, and what is said of them.
struct SpeedReport {
    private var rounds: [[(foundation: Double, hikyaku: Double)]]
    private let rows: [SpeedRow]

    /// Measures all rows in every round, one coder right behind the other, so that what else the machine does meets
    /// both.
    init(_ rows: [SpeedRow], _ options: Options) throws {
        self.rows = rows
        rounds = rows.map { _ in [] }
        for round in 0..<(rows.isEmpty ? 0 : options.rounds) {
            progress("round \(round + 1) of \(options.rounds)")
            for (index, row) in rows.enumerated() {
                // The other one starts each time: a program that runs after a busy one finds the processor warm.
                let coders = round.isMultiple(of: 2) ? SpeedRow.Coder.allCases : SpeedRow.Coder.allCases.reversed()
                var speeds: [SpeedRow.Coder: Double] = [:]
                for coder in coders { speeds[coder] = try row.bytesPerSecond(coder, seconds: options.seconds) }
                rounds[index].append((speeds[.foundation] ?? .nan, speeds[.hikyaku] ?? .nan))
            }
        }
    }

    /// Medians, and the medians of the rounds' ratios.
    var lines: [String] {
        guard !rows.isEmpty else { return [] }
        let heading = ["CPU time", "Foundation MB/s", "Hikyaku MB/s", "us a document", "ratio", "goal"]
        return ["", Self.line(heading)]
            + rows.indices.map { index in
                let speed = median(rounds[index].map(\.hikyaku))
                return Self.line([
                    rows[index].wholeTitle,
                    String(format: "%.1f", median(rounds[index].map(\.foundation)) / 1e6),
                    String(format: "%.1f", speed / 1e6),
                    String(format: "%.2f", Double(rows[index].size.bytes) / speed * 1e6),
                    String(format: "%.2fx", ratio(index)),
                    "\(rows[index].goal)x",
                ])
            }
    }

    /// The figures that aren't reached, in words.
    var misses: [String] {
        rows.indices.filter { !(ratio($0) >= rows[$0].goal) }.map { index in
            let measured = String(format: "%.2f", ratio(index))
            return "\(rows[index].wholeTitle): at least \(rows[index].goal)x Foundation, measured \(measured)"
        }
    }

    private func ratio(_ index: Int) -> Double {
        median(rounds[index].map { $0.hikyaku / $0.foundation })
    }

    /// Instructions instead of time.
    static func reportInstructions(_ rows: [SpeedRow]) throws {
        guard !rows.isEmpty else { return }
        print(
            "",
            line(["instructions a document", "Foundation", "Hikyaku", "Hikyaku a byte", "ratio", ""]),
            separator: "\n",
        )
        for row in rows {
            let foundation = try row.instructions(.foundation)
            let hikyaku = try row.instructions(.hikyaku)
            let figures = [
                row.wholeTitle, String(format: "%.0f", foundation), String(format: "%.0f", hikyaku),
                String(format: "%.1f", hikyaku / Double(row.size.bytes)),
                String(format: "%.2fx", foundation / hikyaku), "",
            ]
            print(line(figures))
        }
    }

    private static func line(_ columns: [String]) -> String {
        Table.line(columns, widths: [26, 16, 14, 15, 9, 7])
    }
}

extension SpeedRow.Size {
    var bytes: Int {
        switch self {
        case .small: Document.small().bytes.count
        case .medium: Document.medium().bytes.count
        case .large: Document.large().bytes.count
        }
    }
}

/// Says on standard error how far the work is.
func progress(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}
