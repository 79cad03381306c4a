/// One line of the table that `--check` enforces: a load, who is measured with it, and what must be reached.
struct Row: Sendable {
    /// What is requested.
    enum Load: Sendable {
        /// A small body, which nobody decodes.
        case small
        /// A small body, of which a model of four members is decoded.
        case summary
        /// A small body, which is decoded with all of its eleven members.
        case item
        /// The same as the response to a POST with a small body of JSON.
        case post
        /// A list of items of 29 KB, which is decoded.
        case page
        /// A large body, piece by piece.
        case down
        /// A large body of the request, piece by piece.
        case up
    }

    enum Connection: Sendable {
        case plain
        /// HTTP/1.1.
        case tls
        /// HTTP/2 over TLS.
        case http2

        var words: String {
            switch self {
            case .plain: ""
            case .tls: " over TLS"
            case .http2: " over HTTP/2"
            }
        }
    }

    /// What must hold for the median of the rounds.
    struct Goal: Sendable {
        enum Comparison: Sendable {
            case none
            /// Divided by the other's figure.
            case ratio(Contestant)
            /// Less the other's figure.
            case difference(Contestant)
        }

        let text: String
        let one: Contestant
        let comparison: Comparison
        let figure: KeyPath<Measurement, Double> & Sendable
        let isReached: @Sendable (Double) -> Bool

        static func atLeast(
            _ factor: Double,
            times other: Contestant,
            _ figure: KeyPath<Measurement, Double> & Sendable,
            _ name: String,
            of one: Contestant = .transport,
        ) -> Goal {
            let text = "at least \(factor)x \(other.title)'s \(name)"
            return Goal(text: text, one: one, comparison: .ratio(other), figure: figure) { $0 >= factor }
        }

        static func atMost(
            _ factor: Double,
            times other: Contestant,
            _ figure: KeyPath<Measurement, Double> & Sendable,
            _ name: String,
            of one: Contestant = .transport,
        ) -> Goal {
            let text = "at most \(factor)x \(other.title)'s \(name)"
            return Goal(text: text, one: one, comparison: .ratio(other), figure: figure) { $0 <= factor }
        }

        static func memoryGrowthBelow(mebibytes: Double) -> Goal {
            let text = "memory grows by less than \(mebibytes) MiB"
            return Goal(text: text, one: .transport, comparison: .none, figure: \.memoryMebibytes) { $0 < mebibytes }
        }
    }

    /// What `--only` and the output call it.
    let name: String
    let title: String
    let load: Load
    var connection = Connection.plain
    let width: Int
    let contestants: [Contestant]
    var goals: [Goal] = []
    /// The most instructions that the client may take above the transport's.
    var instructionsAboveTransportMax: Double?

    /// Whether one request takes so long that a round is one or a few of them.
    var isStreaming: Bool { load == .down || load == .up }

    /// Whether the client sends, and bodies are decoded.
    var isTyped: Bool { contestants.contains(.client) }

    /// How much is streamed each time.
    static let streamedBytes = 1 << 30

    /// WireTransport beside the C program and URLSession.
    static let transport: [Row] = [
        Row(
            name: "one",
            title: "small body, 1 at a time",
            load: .small,
            width: 1,
            contestants: [.transport, .libcurl, .urlSession],
            goals: [
                .atLeast(8, times: .urlSession, \.requestsPerSecond, "requests/s"),
                .atLeast(0.5, times: .libcurl, \.requestsPerSecond, "requests/s"),
                .atMost(2.5, times: .libcurl, \.cpuMicrosecondsPerRequest, "CPU a request"),
            ],
        ),
        Row(
            name: "many",
            title: "small body, 64 at once",
            load: .small,
            width: 64,
            contestants: [.transport, .libcurl, .urlSession],
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
            load: .small,
            connection: .http2,
            width: 64,
            contestants: [.transport, .libcurl],
            goals: [.atLeast(0.85, times: .libcurl, \.requestsPerSecond, "requests/s")],
        ),
        Row(
            name: "down",
            title: "streaming 1 GiB down",
            load: .down,
            width: 1,
            contestants: [.transport, .libcurl, .urlSession],
            goals: [
                .atLeast(4, times: .urlSession, \.requestsPerSecond, "bytes/s"),
                .atLeast(0.75, times: .libcurl, \.requestsPerSecond, "bytes/s"),
                .memoryGrowthBelow(mebibytes: 4),
            ],
        ),
        Row(
            name: "up",
            title: "streaming 1 GiB up",
            load: .up,
            width: 1,
            contestants: [.transport, .libcurl],
            goals: [.atLeast(0.75, times: .libcurl, \.requestsPerSecond, "bytes/s")],
        ),
    ]
}
