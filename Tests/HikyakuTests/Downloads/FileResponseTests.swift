import Foundation
import Hikyaku
import HikyakuMockServer
import HikyakuTesting
import TestSupport
import Testing

private struct Export: FileRequest {
    var environment: APIEnvironment = "https://a.example"
    var path: RequestPath { "/export" }
    var destination = FileDestination.temporary
}

private struct Plain: APIRequest {
    typealias Definition = FileResponse
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/export" }
}

private struct Proxied: RequestProxy {
    var request: Export
}

/// A body that ends in a given way after its pieces.
private struct Pieces: AsyncSequence, Sendable {
    struct Broken: Error {}

    var pieces: [Data]
    var end: @Sendable () async throws -> Void = {}

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>
        let end: @Sendable () async throws -> Void

        mutating func next() async throws -> Data? {
            if let piece = rest.popFirst() { return piece }
            try await end()
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...], end: end) }
}

/// A folder that goes with the test.
private final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)/").path()

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

@Suite(.timeLimit(.minutes(10)))
struct FileResponseTests {
    private static func client(_ body: HTTPBody, status: HTTPStatus = 200) -> APIClient<Public> {
        APIClient(transport: MockTransport { _ in HTTPResponse(status: status, body: body) })
    }

    private static func contents(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    @Test func theBodyIsWrittenToTheFileThatTheRequestNames() async throws {
        let folder = try Folder()
        let destination = FileDestination.file(at: folder.path + "menu.csv")
        let pieces = (0..<40).map { Data(repeating: UInt8($0), count: 10_000) }
        let file = try await Self.client(HTTPBody(Pieces(pieces: pieces))).send(Export(destination: destination))
        #expect(file.path == folder.path + "menu.csv")
        #expect(file.count == 400_000)
        #expect(!file.isTemporary)
        #expect(try Self.contents(file.path) == pieces.reduce(Data(), +))
        #expect(try folder.names == ["menu.csv"])
    }

    @Test func aProxyKnowsOfTheDestination() async throws {
        let folder = try Folder()
        let export = Export(destination: .file(at: folder.path + "a"))
        let file = try await Self.client("abc").send(Proxied(request: export))
        #expect(file.path == folder.path + "a")
        #expect(try folder.names == ["a"])
    }

    @Test func aTemporaryFileGoesWithItsLastReference() async throws {
        var file: ResponseFile? = try await Self.client("abc").send(Plain())
        let path = try #require(file?.path)
        #expect(file?.isTemporary == true)
        #expect(try Self.contents(path) == Data("abc".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        file = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aTemporaryFileThatIsMovedStays() async throws {
        let folder = try Folder()
        let kept = folder.path + "kept"
        try Data("old".utf8).write(to: URL(filePath: kept))
        var file: ResponseFile? = try await Self.client("abc").send(Export())
        let before = try #require(file?.path)
        let error = #expect(throws: TransportError.self) { try file?.move(to: folder.path + "none/kept") }
        #expect(error?.reason == .fileNotWritten)
        #expect(file?.path == before)
        try file?.move(to: kept)
        #expect(file?.path == kept)
        file = nil
        #expect(try Self.contents(kept) == Data("abc".utf8))
        #expect(!FileManager.default.fileExists(atPath: before))
    }

    @Test func anEmptyBodyIsAnEmptyFile() async throws {
        let folder = try Folder()
        let file = try await Self.client("").send(Export(destination: .file(at: folder.path + "a")))
        #expect(file.count == 0)
        #expect(try Self.contents(file.path).isEmpty)
    }

    #if os(macOS) || os(Linux)
    private static func dieInADownload(to path: String) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path] in
            let body = HTTPBody(Pieces(pieces: [Data("half".utf8)]) { kill(getpid(), SIGKILL) })
            _ = try await FileResponse.write(HTTPResponse(status: .ok, body: body), to: .file(at: path))
        }
    }

    @Test func theNextDownloadRemovesWhatAProcessLeftThatWasKilled() async throws {
        let folder = try Folder()
        let path = folder.path + "menu.csv"
        await Self.dieInADownload(to: path)
        let left = try folder.names
        try #require(left.count == 1)
        #expect(try Self.contents(folder.path + left[0]) == Data("half".utf8))
        _ = try await Self.client("abc").send(Export(destination: .file(at: folder.path + "other.csv")))
        #expect(try folder.names == left + ["other.csv"], "it isn't that file's")
        _ = try await Self.client("abc").send(Export(destination: .file(at: path)))
        #expect(try folder.names == ["menu.csv", "other.csv"])
    }
    #endif

    @Test func twoDownloadsToOneFileLeaveEachOtherAlone() async throws {
        let folder = try Folder()
        let destination = FileDestination.file(at: folder.path + "menu.csv")
        let (hold, continuation) = AsyncStream.makeStream(of: Void.self)
        let slow = HTTPBody(Pieces(pieces: [Data("slow".utf8)]) { for await _ in hold {} })
        let first = Task { try await Self.client(slow).send(Export(destination: destination)) }
        try #require(try await holds { try !folder.names.isEmpty })
        let draft = try folder.names
        _ = try await Self.client("fast").send(Export(destination: destination))
        #expect(try folder.names == draft + ["menu.csv"])
        continuation.finish()
        #expect(try await first.value.count == 4)
        #expect(try folder.names == ["menu.csv"])
        #expect(try Self.contents(folder.path + "menu.csv") == Data("slow".utf8))
    }

    @Test func aSlashBeforeACombiningMarkEndsTheFolder() async throws {
        let folder = try Folder()
        let name = "\u{301}menu"
        _ = try await Self.client("abc").send(Export(destination: .file(at: folder.path + name)))
        #expect(try folder.names.map { Array($0.utf8) } == [Array(name.utf8)])
    }

    private static let broken = HTTPBody(Pieces(pieces: [Data("half".utf8)]) { throw Pieces.Broken() })

    @Test(arguments: [true, false])
    func whatFailsLeavesNothingBehind(wasThere: Bool) async throws {
        let folder = try Folder()
        let path = folder.path + "a"
        if wasThere { try Data("old".utf8).write(to: URL(filePath: path)) }
        let destination = FileDestination.file(at: path, bytesMax: 9)
        let tooLarge = [
            HTTPBody("0123456789"), HTTPBody(Pieces(pieces: [Data("01234".utf8), Data("56789".utf8)])),
        ]
        for body in tooLarge {
            let error = try await failure { () async throws(APIError<ProblemDetails>) in
                try await Self.client(body).send(Export(destination: destination))
            }
            #expect(error.reason == .bodyTooLarge)
        }
        _ = try await failure { () async throws(APIError<ProblemDetails>) in
            try await Self.client(Self.broken).send(Export(destination: destination))
        }
        _ = try await failure { () async throws(APIError<ProblemDetails>) in
            try await Self.client("no", status: 500).send(Export(destination: destination))
        }
        #expect(try folder.names == (wasThere ? ["a"] : []))
        if wasThere { #expect(try Self.contents(path) == Data("old".utf8)) }
    }

    @Test func aBodyOfTheLimitsSizeIsWritten() async throws {
        let folder = try Folder()
        let destination = FileDestination.file(at: folder.path + "a", bytesMax: 9)
        let body = HTTPBody(Pieces(pieces: [Data("01234".utf8), Data("5678".utf8)]))
        #expect(try await Self.client(body).send(Export(destination: destination)).count == 9)
    }

    @Test func anInvalidFolderIsReported() async throws {
        let folder = try Folder()
        for path in [folder.path + "none/a", folder.path, ""] {
            let error = try await failure { () async throws(APIError<ProblemDetails>) in
                try await Self.client("abc").send(Export(destination: .file(at: path)))
            }
            #expect(error.reason == .fileNotWritten)
            #expect(error.phase == .other)
        }
        #expect(try folder.names.isEmpty)
    }

    @Test func aCallThatIsCancelledLeavesNothingBehind() async throws {
        let folder = try Folder()
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let body = HTTPBody(
            Pieces(pieces: [Data("half".utf8)]) {
                continuation.finish()
                // A sequence that heeds cancellation by ending.
                while !Task.isCancelled { await Task.yield() }
            }
        )
        let destination = FileDestination.file(at: folder.path + "a")
        let task = Task { () -> Result<ResponseFile, APIError<ProblemDetails>> in
            do throws(APIError<ProblemDetails>) {
                return .success(try await Self.client(body).send(Export(destination: destination)))
            } catch {
                return .failure(error)
            }
        }
        for await _ in begun {}
        #expect(try folder.names.count == 1, "it is being written")
        task.cancel()
        guard case .failure(let error) = await task.value else { throw NothingThrown() }
        #expect(error.phase == .cancelled)
        #expect(try folder.names.isEmpty)
    }

    @Test func aDownloadThatIsCutOverTheWireLeavesNothingBehind() async throws {
        let server = try MockServer { _ in
            .raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbegun"), .close])
        }
        defer { server.stop() }
        let folder = try Folder()
        let environment = APIEnvironment(baseURL: server.baseURL)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient().send(
                Export(environment: environment, destination: .file(at: folder.path + "a"))
            )
        }
        #expect(error.reason == .truncatedResponse)
        #expect(try folder.names.isEmpty)
    }
}
