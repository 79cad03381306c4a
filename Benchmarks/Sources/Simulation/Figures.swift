/// The charts that the documentation shows.
struct Figures {
    /// How a policy is drawn.
    private struct Pen {
        let color: Int
        var isDashed = false
        var isWide = false
    }

    let runs: [Run]

    private var world: World { runs[0].world }

    private static let pens: [String: Pen] = [
        Policy.none.name: Pen(color: 0),
        Policy.naive.name: Pen(color: 1),
        Policy.unlimited.name: Pen(color: 2),
        Policy.standard.name: Pen(color: 3, isWide: true),
        Policy.breaker.name: Pen(color: 4),
        Policy.limits.name: Pen(color: 5),
        Policy.breakerAlone.name: Pen(color: 4, isDashed: true),
        Policy.limitsAlone.name: Pen(color: 5, isDashed: true),
        Policy.together.name: Pen(color: 3, isDashed: true),
    ]

    /// The part of the calls that succeed.
    var success: LineChart {
        chart(
            "Calls that succeed",
            "The part of the calls that succeed, by the second in which they begin, for each policy.",
            LineChart.Axis(
                title: "successful calls",
                range: 0...1,
                ticks: [0, 0.25, 0.5, 0.75, 1].map { ($0, "\(Int($0 * 100)) %") },
            ),
        ) { $0.callCount > 0 ? $0.successRate : nil }
    }

    /// The requests at the service for each call.
    var load: LineChart {
        let calls = world.callsPerSecond
        return chart(
            "Load at the service",
            "The requests that arrive at the service in each second, for each call of the clients.",
            LineChart.Axis(
                title: "requests for each call",
                range: 0...6,
                ticks: (0...6).map { (Double($0), "\($0)x") },
            ),
        ) { Double($0.requestCount) / calls }
    }

    /// The durations of the successful calls.
    func durations(quantile: Double) -> LineChart {
        chart(
            "Duration of the successful calls, p\(Int(quantile * 100))",
            "The duration of the successful calls by the second in which they begin, for each policy.",
            LineChart.Axis(
                title: "seconds",
                range: 0.01...10,
                ticks: [(0.01, "10 ms"), (0.1, "100 ms"), (1, "1 s"), (10, "10 s")],
                isLogarithmic: true,
            ),
        ) { $0.duration(quantile: quantile) }
    }

    private func chart(
        _ title: String,
        _ description: String,
        _ y: LineChart.Axis,
        _ value: (Bucket) -> Double?,
    ) -> LineChart {
        let outage = world.service.outage
        return LineChart(
            title: title,
            description: description,
            x: LineChart.Axis(
                title: "seconds",
                range: 0...Double(world.seconds),
                ticks: stride(from: 0, through: world.seconds, by: 30).map { (Double($0), "\($0)") },
            ),
            y: y,
            band: (Double(outage.lowerBound)...Double(outage.upperBound), "a third of the capacity"),
            lines: runs.compactMap { run in
                guard let pen = Self.pens[run.policy.name], !pen.isDashed else { return nil }
                return line(run.policy.name, pen, run.buckets.enumerated().map { ($0.offset, value($0.element)) })
            },
        )
    }

    private func line(_ name: String, _ pen: Pen, _ points: [(Int, Double?)]) -> LineChart.Line {
        var parts: [[(x: Double, y: Double)]] = [[]]
        for (second, value) in points {
            if let value {
                parts[parts.count - 1].append((Double(second) + 0.5, value))
            } else if parts.last?.isEmpty == false {
                parts.append([])
            }
        }
        return LineChart.Line(
            name: name,
            color: pen.color,
            isDashed: pen.isDashed,
            parts: parts.filter { !$0.isEmpty },
        )
    }

    /// The load at a service that fails completely, by how many calls a client makes.
    static func sweep(_ runs: [Run]) -> LineChart {
        let names = runs.reduce(into: [String]()) { if !$0.contains($1.policy.name) { $0.append($1.policy.name) } }
        return LineChart(
            title: "Load at a service that fails completely for two minutes",
            description: "The requests for each call during the outage, by the calls of each client in a minute.",
            x: LineChart.Axis(
                title: "calls of each client in a minute",
                range: 1...600,
                ticks: [1, 3, 10, 30, 60, 100, 300, 600].map { ($0, "\(Int($0))") },
                isLogarithmic: true,
            ),
            y: LineChart.Axis(
                title: "requests for each call",
                range: 0...5,
                ticks: (0...5).map { (Double($0), "\($0)x") },
            ),
            lines: names.compactMap { name in
                guard let pen = pens[name] else { return nil }
                let points = runs.filter { $0.policy.name == name }
                    .map { (x: $0.world.callsPerMinute, y: $0.outage.load) }
                return LineChart.Line(
                    name: name,
                    color: pen.color,
                    isDashed: pen.isDashed,
                    isWide: pen.isWide,
                    parts: [points],
                )
            },
        )
    }
}
