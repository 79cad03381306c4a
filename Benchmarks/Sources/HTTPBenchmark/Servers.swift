import BenchmarkSupport
import Foundation
import JSONDocuments

/// What all contestants talk to: one nginx, and for uploads one server that reads and counts.
struct Servers {
    private let nginx: Nginx
    private let sink: SinkServer
    /// Where files are written: in memory on Linux, so that the disk's speed isn't measured.
    private let fileFolder: URL
    /// The words that have a contestant send what the client sends: for a GET, and for a POST.
    private var shown: (get: [String], post: [String]) = ([], [])

    static let item = Document.small()
    private static let page = Document.medium()

    static func start(for rows: [Row]) throws -> Servers {
        let sink = try SinkServer.start()
        let memory = "/dev/shm"
        let isThere = FileManager.default.isWritableFile(atPath: memory)
        let folder = (isThere ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory)
            .appendingPathComponent("hikyaku-bench-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let nginx = try Nginx.start(
            files: ["item.json": item.bytes, "page.json": page.bytes],
            largeBytes: rows.contains { $0.isStreaming && $0.load != .up } ? Row.streamedBytes : 0,
        )
        var servers = Servers(nginx: nginx, sink: sink, fileFolder: folder)
        guard rows.contains(where: \.isTyped) else { return servers }
        do {
            servers.shown = (try shownWords(nginx, []), try shownWords(nginx, ["body=draft"]))
        } catch {
            nginx.stop()
            throw error
        }
        return servers
    }

    func stop() {
        nginx.stop()
        try? FileManager.default.removeItem(at: fileFolder)
    }

    private static func shownWords(_ nginx: Nginx, _ words: [String]) throws -> [String] {
        let text = try Contestants.text(of: "ClientPeer", ["mode=shown", "url=\(nginx.url)/item.json"] + words)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let fields = lines.prefix { !$0.isEmpty }
        let body = lines.dropFirst(fields.count + 1).joined(separator: "\n").trimmingCharacters(in: .newlines)
        return fields.map { "field=\($0)" } + (body.isEmpty ? [] : ["body=\(body)"])
    }

    /// The URL of the small body of a row.
    func url(of row: Row) -> String { "\(origin(row.connection))/item.json" }

    /// The arguments of a contestant.
    func words(for contestant: Contestant, _ row: Row, warmUp: Double) -> [String] {
        switch row.load {
        case .down:
            // One small request comes first, so that what is loaded only once isn't taken for growth.
            let words = ["mode=down", "bytes=\(Row.streamedBytes)", "url=\(nginx.url)/large"]
            return words + ["first=\(nginx.url)/item.json"]
        case .up:
            return ["mode=up", "bytes=\(Row.streamedBytes)", "url=\(sink.url)", "first=\(sink.url)"]
        case .downFile:
            let file = fileFolder.appendingPathComponent("down").path
            return ["mode=file", "bytes=\(Row.streamedBytes)", "url=\(nginx.url)/large", "file=\(file)"]
                + ["first=\(nginx.url)/item.json"]
        case .upFile:
            return ["mode=upfile", "bytes=\(Row.streamedBytes)", "url=\(sink.url)", "file=\(nginx.largeFile)"]
        case .small, .summary, .item, .post, .page:
            let url = row.load == .page ? "page.json" : "item.json"
            return ["width=\(row.width)", "warmup=\(warmUp)", "url=\(origin(row.connection))/\(url)"]
                + (row.connection == .plain ? [] : ["ca=\(nginx.certificate)"])
                + (row.isTyped && contestant.decodes ? decoding(contestant, row) : sending(row))
        }
    }

    /// The arguments for small requests beside silent ones.
    func silentWords(_ connection: Row.Connection) -> [String] {
        let origin = origin(connection)
        return ["mode=small", "width=1", "url=\(origin)/item.json", "silenturl=\(origin)/silent"]
            + ["bytes=\(Self.item.bytes.count)"] + (connection == .plain ? [] : ["ca=\(nginx.certificate)"])
    }

    private func decoding(_ contestant: Contestant, _ row: Row) -> [String] {
        let fields = contestant == .urlSession ? shown.get : []
        switch row.load {
        case .page:
            let mode = contestant == .directClient ? "direct" : "codable"
            return fields + ["mode=\(mode)", "bytes=\(Self.page.itemCount)"]
        case .post: return fields + ["mode=post", "bytes=1"]
        case .summary: return fields + ["mode=summary", "bytes=1"]
        case .small, .item, .down, .up, .downFile, .upFile: return fields + ["mode=item", "bytes=1"]
        }
    }

    private func sending(_ row: Row) -> [String] {
        let document = row.load == .page ? Self.page : Self.item
        let mode = row.connection == .http2 ? "http2" : "small"
        let words = row.load == .post ? shown.post : shown.get
        return (row.isTyped ? words : []) + ["mode=\(mode)", "bytes=\(document.bytes.count)"]
    }

    private func origin(_ connection: Row.Connection) -> String {
        switch connection {
        case .plain: nginx.url
        case .tls: nginx.secureURL
        case .http2: nginx.http2URL
        }
    }
}
