#if os(Linux)
import Foundation
import Hikyaku
import HikyakuWire
import TestSupport
import Testing

/// Downloads from nginx, which knows ranges, `If-Range`, entity tags and dates.
@Suite(.serialized, .enabled(if: Certificates.isPossible && Nginx.isInstalled), .timeLimit(.minutes(5)))
struct ResumedDownloadTests {
    private struct Served: FileRequest {
        let port: Int
        let destination: FileDestination
        var environment: APIEnvironment { APIEnvironment(baseURL: "https://127.0.0.1:\(port)") }
        var path: RequestPath { "/file" }
    }

    private static let slow = "if ($http_range = \"\") { set $limit_rate 8m; } gzip on; gzip_types *;"
    private static func content(_ factor: Int) -> Data {
        Data((0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* factor &+ $0 >> 11) })
    }

    private let folder: URL
    private let client: APIClient<Public>

    init() async throws {
        folder = try Program.makeFolder()
        client = APIClient(transport: try await WireTransport.trusting(Certificates.shared))
    }

    /// Serves a file that was changed some time ago, so that its date is a validator too.
    private func serve(_ content: Data, by nginx: Nginx, age: Double = 3600) throws {
        try nginx.addFile("file", content)
        let date = Date(timeIntervalSinceNow: -age)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: nginx.path(of: "file"))
    }

    private func request(_ nginx: Nginx) -> Served {
        Served(port: nginx.port, destination: .resumable(at: folder.appending(path: "file").path()))
    }

    /// Downloads the file, and cancels the call when some of it is there.
    private func cut(_ request: Served) async throws -> Int {
        let call = client.call(request)
        for await progress in call.progress where progress.bytesDone > 1 << 20 { break }
        call.cancel()
        _ = await call.result
        // Writing ends a moment after the call.
        #expect(try await holds { request.destination.keptBytes != nil })
        return try #require(request.destination.keptBytes)
    }

    private func expectFile(_ content: Data) throws {
        #expect(try Data(contentsOf: folder.appending(path: "file")) == content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["file"])
        try FileManager.default.removeItem(at: folder)
    }

    @Test(arguments: ["", "etag off;"])
    func theRestIsRequestedByTagOrDate(settings: String) async throws {
        let (nginx, content) = (try await Nginx(Self.slow + settings), Self.content(31))
        try serve(content, by: nginx)
        let request = request(nginx)
        let kept = try await cut(request)
        let response = try await client.bind(request).response()
        #expect(response.status == 206)
        let log = try await nginx.log(of: 2)
        #expect(log.map { $0[3] } == ["200", "206"])
        let sizes = log.compactMap { Int($0[4]) }
        // With the head. How much was written before the cut depends on the machine.
        #expect(kept > 0 && sizes[1] < content.count - kept + 1024, "\(sizes), \(kept)")
        try expectFile(content)
    }

    @Test(arguments: ["", "etag off;"])
    func aChangedFileIsSentAsAWhole(settings: String) async throws {
        let (nginx, content) = (try await Nginx(Self.slow + settings), Self.content(37))
        try serve(Self.content(31), by: nginx)
        let request = request(nginx)
        _ = try await cut(request)
        try serve(content, by: nginx, age: 1800)
        let response = try await client.bind(request).response()
        #expect(response.status == 200)
        try expectFile(content)
    }

    @Test func aNewFileWithoutATagIsNotKept() async throws {
        let (nginx, content) = (try await Nginx(Self.slow + "etag off;"), Self.content(31))
        try serve(content, by: nginx, age: 0)
        let request = request(nginx)
        let call = client.call(request)
        for await progress in call.progress where progress.bytesDone > 1 << 20 { break }
        call.cancel()
        _ = await call.result
        #expect(try await client.bind(request).response().status == 200)
        try expectFile(content)
    }

    @Test func aCompleteDraftIsConfirmedByOneByte() async throws {
        let (nginx, content) = (try await Nginx(Self.slow), Self.content(31))
        try serve(content, by: nginx)
        let request = request(nginx)
        _ = try await cut(request)
        // As if the process had been killed between the last byte and the new name.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        let draft = try #require(names.first { $0.hasSuffix(".part") })
        #expect(
            try await holds {
                (try? content.write(to: folder.appending(path: draft))) != nil
                    && request.destination.keptBytes == content.count
            }
        )
        #expect(try await client.bind(request).response().status == 206)
        #expect(try await nginx.log(of: 2)[1][4] == "1")
        try expectFile(content)
    }

    @Test func aShorterFileIsSentAsAWhole() async throws {
        let (nginx, content) = (try await Nginx(Self.slow), Data("short".utf8))
        try serve(Self.content(31), by: nginx)
        let request = request(nginx)
        _ = try await cut(request)
        try serve(content, by: nginx, age: 1800)
        #expect(try await client.bind(request).response().status == 200)
        try expectFile(content)
    }
}
#endif
