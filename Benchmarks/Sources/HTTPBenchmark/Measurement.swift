import BenchmarkSupport

/// What one contestant did in one round.
struct Measurement: Sendable {
    let requestsPerSecond: Double
    let cpuMicrosecondsPerRequest: Double
    let switchesPerRequest: Double
    let p50Microseconds: Double
    let p99Microseconds: Double
    let memoryMebibytes: Double

    /// How many requests a second of CPU time is enough for.
    var requestsPerCPUSecond: Double { 1_000_000 / cpuMicrosecondsPerRequest }

    /// Runs a contestant as a child process and reads its line.
    static func run(_ contestant: Contestant, _ row: Row, _ servers: Servers, _ options: Options) throws -> Measurement
    {
        let figures = try Contestants.run(
            contestant.program,
            ["seconds=\(options.seconds)"] + servers.words(for: contestant, row, warmUp: 0.5),
        )
        guard let measurement = Measurement(figures) else { throw BenchmarkFailure.output("\(figures)") }
        return measurement
    }

    private init?(_ figures: [String: Double]) {
        guard let requests = figures["requests"], let seconds = figures["seconds"], let cpu = figures["cpu"],
            let switches = figures["switches"], let p50 = figures["p50"], let p99 = figures["p99"],
            let memory = figures["memory"],
            requests > 0, seconds > 0
        else { return nil }
        requestsPerSecond = requests / seconds
        cpuMicrosecondsPerRequest = cpu / requests
        switchesPerRequest = switches / requests
        (p50Microseconds, p99Microseconds) = (p50, p99)
        memoryMebibytes = memory / 1_048_576
    }
}
