import Foundation

/// The rounds of one load, and what is said of them.
struct Report {
    let width: Int
    private var rounds: [[Contestant: Measurement]] = []

    init(width: Int) {
        self.width = width
    }

    mutating func add(_ round: [Contestant: Measurement]) {
        rounds.append(round)
    }

    /// One line for each contestant: medians, and medians of the rounds' ratios to the two others.
    var lines: [String] {
        Contestant.allCases.map { contestant in
            let columns = [
                value(contestant, \.requestsPerSecond, "%.0f"), value(contestant, \.cpuMicrosecondsPerRequest, "%.1f"),
                ratio(contestant, .urlSession, \.requestsPerSecond, "%.2fx"),
                ratio(contestant, .libcurl, \.requestsPerSecond, "%.2fx"),
                ratio(contestant, .libcurl, \.cpuMicrosecondsPerRequest, "%.2fx"),
            ]
            return Self.row(String(width), contestant.title, columns)
        }
    }

    static let heading = row("at once", "", ["requests/s", "CPU us/req", "vs URLSession", "vs C", "CPU vs C"])

    /// The figures that aren't reached, in words.
    var misses: [String] {
        let isOne = width == 1
        let toURLSession = medianRatio(.hikyaku, .urlSession, \.requestsPerSecond)
        let toLibcurl = medianRatio(.hikyaku, .libcurl, \.requestsPerSecond)
        let cpu = medianRatio(.hikyaku, .libcurl, \.cpuMicrosecondsPerRequest)
        var misses: [String] = []
        func expect(_ isReached: Bool, _ text: String, _ value: Double) {
            if !isReached { misses.append(String(format: "\(width) at once: \(text), measured %.2f", value)) }
        }
        expect(toURLSession >= (isOne ? 8 : 12), "at least \(isOne ? 8 : 12)x URLSession's requests/s", toURLSession)
        expect(toLibcurl >= (isOne ? 0.45 : 0.8), "at least \(isOne ? "0.45" : "0.80")x C's requests/s", toLibcurl)
        if !isOne { expect(cpu <= 1.5, "at most 1.50x C's CPU a request", cpu) }
        return misses
    }

    private func value(_ contestant: Contestant, _ path: KeyPath<Measurement, Double>, _ format: String) -> String {
        String(format: format, median(rounds.compactMap { $0[contestant]?[keyPath: path] }))
    }

    private func ratio(
        _ contestant: Contestant,
        _ other: Contestant,
        _ path: KeyPath<Measurement, Double>,
        _ format: String,
    ) -> String {
        contestant == other ? "-" : String(format: format, medianRatio(contestant, other, path))
    }

    private func medianRatio(_ one: Contestant, _ other: Contestant, _ path: KeyPath<Measurement, Double>) -> Double {
        median(
            rounds.compactMap { round in
                guard let one = round[one], let other = round[other] else { return nil }
                return one[keyPath: path] / other[keyPath: path]
            }
        )
    }

    private static func row(_ load: String, _ name: String, _ columns: [String]) -> String {
        func pad(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(width - text.count, 0)) + text
        }
        let left = pad(load, 7) + "  " + name + String(repeating: " ", count: max(14 - name.count, 0))
        return left + columns.map { pad($0, 15) }.joined()
    }
}
