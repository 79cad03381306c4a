/// One line of the table that `--check` enforces: a load, who is measured with it, and what must be reached.
struct Row: Sendable {
    /// What is requested.
    enum Load: Sendable {
        /// A small body, which is not decoded.
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
        /// A large body that is written to a file.
        case downFile
        /// A large file as the body of the request.
        case upFile
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
    /// The most instructions that the transport may take, as a part of the C program's.
    var instructionsOfCMax: Double?

    var limitsInstructions: Bool { instructionsAboveTransportMax != nil || instructionsOfCMax != nil }

    /// Whether one request takes so long that a round is one or a few of them.
    var isStreaming: Bool { [.down, .up, .downFile, .upFile].contains(load) }

    /// Whether the client sends, and bodies are decoded.
    var isTyped: Bool { contestants.contains(.client) && !isStreaming }

    /// How much is streamed each time.
    static let streamedBytes = 1 << 30

    /// WireTransport beside the C program, wrk, which reads no responses, and URLSession.
    static let transport: [Row] =
        [1, 4, 16, 64, 256].map(small) + [16, 64].map(secure) + [
            Row(
                name: "http2",
                title: "small body over HTTP/2, 64 streams on 1 connection",
                load: .small,
                connection: .http2,
                width: 64,
                contestants: [.transport, .libcurl],
                goals: [.atLeast(1.1, times: .libcurl, \.requestsPerSecond, "requests/s")],
            ),
            Row(
                name: "down",
                title: "streaming 1 GiB down",
                load: .down,
                width: 1,
                contestants: [.transport, .libcurl, .urlSession],
                goals: [
                    .atLeast(0.98, times: .libcurl, \.requestsPerSecond, "bytes/s"),
                    .atMost(1.1, times: .libcurl, \.cpuMicrosecondsPerRequest, "CPU"),
                    .memoryGrowthBelow(mebibytes: 4),
                ],
            ),
            Row(
                name: "up",
                title: "streaming 1 GiB up",
                load: .up,
                width: 1,
                contestants: [.transport, .libcurl],
                goals: [.atLeast(0.95, times: .libcurl, \.requestsPerSecond, "bytes/s")],
            ),
            Row(
                name: "downfile",
                title: "1 GiB down to a file, which is then on the disk; of APIClient a resumable one",
                load: .downFile,
                width: 1,
                contestants: [.client, .libcurl],
                goals: Goal.file(.client),
            ),
            Row(
                name: "upfile",
                title: "1 GiB up from a file",
                load: .upFile,
                width: 1,
                contestants: [.transport, .libcurl],
                goals: Goal.file(.transport),
            ),
        ]

    private static func small(width: Int) -> Row {
        let factors = [1: 1.0, 4: 1.0, 16: 1.2, 64: 1.3, 256: 1.6]
        let cpuFactors = [16: 0.85, 64: 0.75]
        return Row(
            name: "small",
            title: "small body, \(width) at once",
            load: .small,
            width: width,
            contestants: [.transport, .libcurl] + (cpuFactors[width] == nil ? [] : [.wrk])
                + (width == 1 || width == 64 ? [.urlSession] : []),
            goals: [.atLeast(factors[width] ?? 0, times: .libcurl, \.requestsPerSecond, "requests/s")]
                + (cpuFactors[width].map {
                    [
                        .atMost($0, times: .libcurl, \.cpuMicrosecondsPerRequest, "CPU a request"),
                        .atLeast(0.9, times: .wrk, \.requestsPerSecond, "requests/s"),
                    ]
                } ?? []),
            instructionsOfCMax: width == 64 || width == 1 ? 0.55 : nil,
        )
    }

    private static func secure(width: Int) -> Row {
        Row(
            name: "tls",
            title: "small body over TLS, HTTP/1.1, \(width) at once",
            load: .small,
            connection: .tls,
            width: width,
            contestants: [.transport, .libcurl],
            goals: [
                .atLeast(width == 16 ? 1.3 : 1.2, times: .libcurl, \.requestsPerSecond, "requests/s")
            ],
        )
    }
}

extension Row.Goal {
    fileprivate static func file(_ contestant: Contestant) -> [Row.Goal] {
        [
            .atLeast(0.95, times: .libcurl, \.requestsPerSecond, "bytes/s", of: contestant),
            .atMost(1.15, times: .libcurl, \.cpuMicrosecondsPerRequest, "CPU", of: contestant),
        ]
    }
}
