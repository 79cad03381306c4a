import BenchmarkSupport
import Foundation

/// What all contestants talk to: one nginx, and for uploads one server that reads and counts.
struct Servers {
    private let nginx: Nginx
    private let sink: SinkServer

    /// A JSON body of 315 bytes.
    static let body: String = {
        let item = #"{"id":"c686397e4a0f4f11683d","title":"Example title","body":"","likes_count":100,"private":false"#
        return item + #","note":""# + String(repeating: "x", count: 315 - item.utf8.count - 11) + #""}"#
    }()

    static func start(for rows: [Row]) throws -> Servers {
        let sink = try SinkServer.start()
        return Servers(
            nginx: try Nginx.start(
                files: ["item.json": Data(body.utf8)],
                largeBytes: rows.contains { $0.mode == "down" } ? Row.streamedBytes : 0,
            ),
            sink: sink,
        )
    }

    func stop() {
        nginx.stop()
    }

    /// The arguments of a contestant.
    func words(for row: Row, warmUp: Double) -> [String] {
        let load = ["mode=\(row.mode)", "width=\(row.width)"]
        let small = "bytes=\(Self.body.utf8.count)"
        switch row.mode {
        case "http2":
            return load + [small, "warmup=\(warmUp)", "url=\(nginx.secureURL)/item.json", "ca=\(nginx.certificate)"]
        case "down":
            // One small request comes first, so that what is loaded only once isn't taken for growth.
            return load + ["bytes=\(Row.streamedBytes)", "url=\(nginx.url)/large", "first=\(nginx.url)/item.json"]
        case "up":
            return load + ["bytes=\(Row.streamedBytes)", "url=\(sink.url)", "first=\(sink.url)"]
        default:
            return load + [small, "warmup=\(warmUp)", "url=\(nginx.url)/item.json"]
        }
    }
}
