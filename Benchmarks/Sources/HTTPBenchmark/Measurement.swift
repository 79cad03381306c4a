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
        if contestant == .wrk { return try runWrk(row, servers, options) }
        let words = ["seconds=\(options.seconds)"] + servers.words(for: contestant, row, warmUp: 0.5)
        // Foundation forgets a request now and then, for which it would wait for ever.
        for _ in 0..<3 where contestant == .urlSession {
            if let figures = try? Contestants.run(contestant.program, words, secondsMax: 60),
                let measurement = Measurement(figures)
            {
                return measurement
            }
        }
        let figures = try Contestants.run(contestant.program, words)
        guard let measurement = Measurement(figures) else { throw BenchmarkFailure.output("\(figures)") }
        return measurement
    }

    /// Runs wrk, which accepts whole seconds only and reports less than the others.
    private static func runWrk(_ row: Row, _ servers: Servers, _ options: Options) throws -> Measurement {
        let seconds = "\(max(Int(options.seconds), 1))s"
        let words = ["-t1", "-c\(row.width)", "-d\(seconds)", servers.url(of: row)]
        let before = Contestants.childrenCPUMicroseconds()
        let text = try Contestants.text(ofInstalled: "wrk", words)
        let used = Contestants.childrenCPUMicroseconds() - before
        let lines = text.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
        guard let rate = lines.first(where: { $0.first == "Requests/sec:" })?.last.flatMap({ Double($0) }),
            let line = lines.first(where: { $0.dropFirst().first == "requests" }),
            let count = line.first.flatMap({ Double($0) }), count > 0, !text.contains("Non-2xx")
        else { throw BenchmarkFailure.output(text) }
        return Measurement(
            requestsPerSecond: rate,
            cpuMicrosecondsPerRequest: used / count,
            switchesPerRequest: .nan,
            p50Microseconds: .nan,
            p99Microseconds: .nan,
            memoryMebibytes: .nan,
        )
    }
}

extension Measurement {
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
