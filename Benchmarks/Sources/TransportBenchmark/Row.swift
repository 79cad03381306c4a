/// One line of the table that `--check` enforces: a load, who is measured with it, and what must be reached.
struct Row: Sendable {
    /// What must hold for the median of the rounds' ratios.
    struct Goal: Sendable {
        let text: String
        let one: Contestant
        let other: Contestant?
        let figure: KeyPath<Measurement, Double> & Sendable
        let isReached: @Sendable (Double) -> Bool

        static func atLeast(
            _ factor: Double,
            times other: Contestant,
            _ figure: KeyPath<Measurement, Double> & Sendable,
            _ name: String,
        ) -> Goal {
            let text = "at least \(factor)x \(other.title)'s \(name)"
            return Goal(text: text, one: .hikyaku, other: other, figure: figure) { $0 >= factor }
        }

        static func atMost(
            _ factor: Double,
            times other: Contestant,
            _ figure: KeyPath<Measurement, Double> & Sendable,
            _ name: String,
        ) -> Goal {
            let text = "at most \(factor)x \(other.title)'s \(name)"
            return Goal(text: text, one: .hikyaku, other: other, figure: figure) { $0 <= factor }
        }

        static func memoryGrowthBelow(mebibytes: Double) -> Goal {
            Goal(
                text: "memory grows by less than \(mebibytes) MiB",
                one: .hikyaku,
                other: nil,
                figure: \.memoryMebibytes,
            ) {
                $0 < mebibytes
            }
        }
    }

    /// What `--only` and the output call it.
    let name: String
    let title: String
    /// What the contestants are told to do.
    let mode: String
    let width: Int
    let contestants: [Contestant]
    let goals: [Goal]

    /// Whether one request takes so long that a round is one or a few of them.
    var isStreaming: Bool { mode == "down" || mode == "up" }

    /// How much is streamed each time.
    static let streamedBytes = 1 << 30

    static let all: [Row] = [
        Row(
            name: "one",
            title: "small body, 1 at a time",
            mode: "small",
            width: 1,
            contestants: [.hikyaku, .libcurl, .urlSession],
            goals: [
                .atLeast(8, times: .urlSession, \.requestsPerSecond, "requests/s"),
                .atLeast(0.5, times: .libcurl, \.requestsPerSecond, "requests/s"),
                .atMost(2.5, times: .libcurl, \.cpuMicrosecondsPerRequest, "CPU a request"),
            ],
        ),
        Row(
            name: "many",
            title: "small body, 64 at once",
            mode: "small",
            width: 64,
            contestants: [.hikyaku, .libcurl, .urlSession],
            goals: [
                .atLeast(14, times: .urlSession, \.requestsPerSecond, "requests/s"),
                .atLeast(0.9, times: .libcurl, \.requestsPerSecond, "requests/s"),
                .atMost(1.3, times: .libcurl, \.cpuMicrosecondsPerRequest, "CPU a request"),
                .atMost(1.5, times: .libcurl, \.p99Microseconds, "p99"),
            ],
        ),
        Row(
            name: "http2",
            title: "HTTP/2 over TLS, 64 streams on 1 connection",
            mode: "http2",
            width: 64,
            contestants: [.hikyaku, .libcurl],
            goals: [.atLeast(0.85, times: .libcurl, \.requestsPerSecond, "requests/s")],
        ),
        Row(
            name: "down",
            title: "streaming 1 GiB down",
            mode: "down",
            width: 1,
            contestants: [.hikyaku, .libcurl, .urlSession],
            goals: [
                .atLeast(4, times: .urlSession, \.requestsPerSecond, "bytes/s"),
                .atLeast(0.75, times: .libcurl, \.requestsPerSecond, "bytes/s"),
                .memoryGrowthBelow(mebibytes: 4),
            ],
        ),
        Row(
            name: "up",
            title: "streaming 1 GiB up",
            mode: "up",
            width: 1,
            contestants: [.hikyaku, .libcurl],
            goals: [.atLeast(0.75, times: .libcurl, \.requestsPerSecond, "bytes/s")],
        ),
    ]
}
