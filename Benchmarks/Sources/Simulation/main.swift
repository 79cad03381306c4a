// Simulates thousands of clients at a service that is overloaded for a while, in virtual time.
//
//   Simulation [FOLDER]
//
// It prints a table, and writes the charts into the folder if there is one. Each run gives the same.

import Foundation

enum Simulation {
    static let seed: UInt64 = 1

    /// Runs that differ in how many calls a client makes, at a service that responds to nothing but with errors.
    static func sweep() async throws -> [Run] {
        var work: [(Policy, World)] = []
        for policy in [Policy.naive, .unlimited, .standard, .breaker] {
            for callsPerMinute in [1.0, 2, 3, 6, 12, 30, 60, 120, 300, 600] {
                var world = World()
                world.callsPerMinute = callsPerMinute
                world.clientCount = Int(1200 / callsPerMinute)
                world.seconds = 180
                world.service.fault = .error
                work.append((policy, world))
            }
        }
        return try await runs(work)
    }

    /// Simulates several at once, as many as there are processors.
    static func runs(_ work: [(Policy, World)]) async throws -> [Run] {
        try await withThrowingTaskGroup(of: (Int, Run).self) { group in
            var results: [Int: Run] = [:]
            for (index, (policy, world)) in work.enumerated() {
                if index >= ProcessInfo.processInfo.activeProcessorCount, let (done, run) = try await group.next() {
                    results[done] = run
                }
                group.addTask { (index, try await Run.simulated(policy, in: world, seed: seed)) }
            }
            for try await (done, run) in group { results[done] = run }
            return results.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    static func table(_ runs: [Run]) -> String {
        let heads = [
            "policy", "successful, outage", "load, outage", "successful, 2 min after", "load, 2 min after",
            "recovered after", "p50, p95, 2 min after",
        ]
        let rows = runs.map { run in
            let after = Bucket.sum(run.buckets[run.world.service.outage.upperBound...])
            let durations = [0.5, 0.95].map {
                after.duration(quantile: $0).map { String(format: "%.2f s", $0) } ?? "-"
            }
            return [
                run.policy.name,
                percent(run.outage.successRate),
                String(format: "%.2fx", run.outage.load),
                percent(after.successRate),
                String(format: "%.2fx", after.load),
                run.secondsToRecover.map { "\($0) s" } ?? "never",
                durations.joined(separator: ", "),
            ]
        }
        let lines = [heads, heads.map { _ in "---" }] + rows
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    static func sweepTable(_ runs: [Run]) -> String {
        let rates = Set(runs.map(\.world.callsPerMinute)).sorted()
        let names = runs.reduce(into: [String]()) { if !$0.contains($1.policy.name) { $0.append($1.policy.name) } }
        let rows = names.map { name in
            [name] + runs.filter { $0.policy.name == name }.map { String(format: "%.2fx", $0.outage.load) }
        }
        let heads = ["calls a minute"] + rates.map { "\(Int($0))" }
        let lines = [heads, heads.map { _ in "---" }] + rows
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private static func percent(_ part: Double) -> String { String(format: "%.1f %%", 100 * part) }
}

do {
    let start = ContinuousClock.now
    let runs = try await Simulation.runs(Policy.all.map { ($0, World()) })
    print(Simulation.table(runs))
    let sweep = try await Simulation.sweep()
    print("\nLoad at a service that fails completely for two minutes:\n")
    print(Simulation.sweepTable(sweep))
    if let path = CommandLine.arguments.dropFirst().first {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let figures = Figures(runs: runs)
        let charts = [
            "success": figures.success, "load": figures.load, "latency": figures.durations(quantile: 0.95),
            "failing": Figures.sweep(sweep),
        ]
        for (name, chart) in charts {
            try Data(chart.svg.utf8).write(to: folder.appendingPathComponent("simulation-\(name).svg"))
        }
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    FileHandle.standardError.write(Data("simulated in \(Int(seconds)) s\n".utf8))
} catch {
    FileHandle.standardError.write(Data("Simulation: \(error)\n".utf8))
    exit(1)
}
