#if os(Linux)
import Foundation
import Hikyaku
import HikyakuGenerate
import HikyakuMockServer
import HikyakuOpenAPI
import TestSupport
import Testing

@testable import HikyakuCommand

/// What is at the path of a download's file before it.
///
/// No test names a device of the machine: one that failed would replace it.
@Suite(.timeLimit(.minutes(5)), .serialized) struct DownloadTargetTests {
    private struct SameFile: FileRequest {
        var environment: APIEnvironment
        var path: RequestPath { "/new.txt" }
        var destination: FileDestination
    }

    /// Runs a download to the path `file` in a folder of its own.
    private func withServer(
        _ work: (_ folder: URL, _ path: String, _ server: MockServer) async throws -> Void
    ) async throws {
        try await Fixture.withTemporaryFolder { folder in
            let server = try MockServer { request in
                // The first part ends early, and the connection with it.
                guard request.path == "/cut.txt" || request.headers["X-Cut"] != nil else { return .text("new") }
                return .raw([.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nnew"), .close])
            }
            defer { server.stop() }
            try await work(folder, folder.appending(path: "file").path(percentEncoded: false), server)
        }
    }

    private func run(_ words: [String], _ server: MockServer, _ name: String = "new.txt") async throws(CommandFailure) {
        try await HikyakuCommand.run(["download", "--quiet"] + words + ["\(server.baseURL)/\(name)"])
    }

    private func failure(_ words: [String], _ server: MockServer) async throws -> CommandFailure {
        let failure = await #expect(throws: CommandFailure.self) { try await run(words, server) }
        return try #require(failure)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
    }

    @Test func aNewFileIsWritten() async throws {
        try await withServer { folder, path, server in
            try await run(["--output", path], server)
            #expect(try text(path) == "new" && names(folder) == ["file"])
        }
    }

    @Test func anExistingFileNeedsForce() async throws {
        try await withServer { folder, path, server in
            try Data("mine".utf8).write(to: URL(filePath: path))
            let failure = try await failure(["--output", path], server)
            #expect(failure.status == .failure && failure.message.hasPrefix("\(path) exists"), "\(failure)")
            #expect(failure.message.contains("--force"))
            #expect(try text(path) == "mine" && names(folder) == ["file"] && server.requests.isEmpty)
            try await run(["--output", path, "--force"], server)
            #expect(try text(path) == "new" && names(folder) == ["file"])
        }
    }

    /// An earlier download of the same URL, which was interrupted, has left its record.
    @Test func aFileThatADownloadHasBegunNeedsNoForce() async throws {
        try await withServer { folder, path, server in
            let environment = APIEnvironment(baseURL: server.baseURL, headers: ["X-Cut": "1"])
            let client = APIClient(options: ClientOptions(retryPolicy: .never))
            _ = try? await client.send(SameFile(environment: environment, destination: .resumable(at: path)))
            #expect(FileDestination.resumable(at: path).keptBytes == 3)
            try Data("mine".utf8).write(to: URL(filePath: path))
            let other = await #expect(throws: CommandFailure.self) {
                try await run(["--output", path], server, "other.txt")
            }
            #expect(other?.message.hasPrefix("\(path) exists") == true && server.requests.count == 1)
            try await run(["--output", path], server)
            #expect(try text(path) == "new" && names(folder) == ["file"])
        }
    }

    /// The record of an interrupted download says whether it was allowed to replace a file.
    @Test func aFileThatCameMeanwhileNeedsForce() async throws {
        try await withServer { folder, path, server in
            let environment = APIEnvironment(baseURL: server.baseURL, headers: ["X-Cut": "1"])
            let client = APIClient(options: ClientOptions(retryPolicy: .never))
            let destination = FileDestination.resumable(at: path).keepingFile()
            _ = try? await client.send(SameFile(environment: environment, destination: destination))
            #expect(FileDestination.resumable(at: path).keptBytes == 3)
            try Data("mine".utf8).write(to: URL(filePath: path))
            for _ in 0..<2 {
                let failure = try await failure(["--output", path], server)
                #expect(failure == CommandFailure("\(path) exists: move it, or use --force"))
            }
            #expect(try text(path) == "mine" && server.requests.count == 1)
            try await run(["--output", path, "--force"], server)
            #expect(try text(path) == "new" && names(folder) == ["file"])
        }
    }

    @Test func aPipeIsWrittenInto() async throws {
        try await withServer { folder, path, server in
            try #require(mkfifo(path, 0o600) == 0)
            async let read = Fixture.aside { try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() }
            try await run(["--output", path], server)
            #expect(try await read == Data("new".utf8))
            #expect(try type(path) == S_IFIFO && names(folder) == ["file"])
        }
    }

    @Test func theLinkToAPipeStays() async throws {
        try await withServer { folder, path, server in
            let link = folder.appending(path: "link").path(percentEncoded: false)
            try #require(mkfifo(path, 0o600) == 0 && symlink(path, link) == 0)
            async let read = Fixture.aside { try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() }
            try await run(["--output", link], server)
            #expect(try await read == Data("new".utf8))
            #expect(try type(path) == S_IFIFO && type(link) == S_IFLNK)
        }
    }

    @Test(.enabled(if: SpecialFile.devices.areWritable, "only root can make a device, and not on each file system"))
    func aDeviceIsWrittenInto() async throws {
        try await withServer { folder, path, server in
            try #require(SpecialFile.makeDevice(at: path))
            for words in [[], ["--force"]] {
                try await run(["--output", path] + words, server)
                #expect(try type(path) == S_IFCHR && names(folder) == ["file"])
            }
        }
    }

    @Test func anOpenFileIsWrittenIntoAtItsEnd() async throws {
        try await withServer { folder, path, server in
            try Data("mine, ".utf8).write(to: URL(filePath: path))
            let handle = try #require(FileHandle(forUpdatingAtPath: path))
            try await run(["--output", "/proc/self/fd/\(handle.fileDescriptor)"], server)
            try handle.close()
            #expect(try text(path) == "mine, new" && names(folder) == ["file"])
        }
    }

    @Test func aLinkToAFileNeedsForceAndStays() async throws {
        try await withServer { folder, path, server in
            let link = folder.appending(path: "link").path(percentEncoded: false)
            try #require(symlink(path, link) == 0)
            for words in [[], ["--force"]] {
                let failure = try await failure(["--output", link] + words, server)
                #expect(failure == CommandFailure("\(link) can't be written: it is a link to nothing"))
            }
            #expect(try names(folder) == ["link"])
            try Data("mine".utf8).write(to: URL(filePath: path))
            #expect(try await failure(["--output", link], server).message.hasPrefix("\(link) exists"))
            try await run(["--output", link, "--force"], server)
            #expect(try text(path) == "new" && type(link) == S_IFLNK && names(folder) == ["file", "link"])
        }
    }

    @Test func aFolderAndASocketCanNotBeWritten() async throws {
        try await withServer { folder, path, server in
            let itself = folder.path(percentEncoded: false)
            let refusal = try await failure(["--output", itself, "--force"], server)
            #expect(refusal.status == .failure && refusal.message.hasPrefix("\(itself) can't be written"))
            try #require(SpecialFile.makeSocket(at: path))
            let failure = try await failure(["--output", path, "--force"], server)
            #expect(failure.status == .failure && failure.message.hasPrefix("\(path) can't be written"))
            #expect(try type(path) == S_IFSOCK && server.requests.isEmpty)
        }
    }

    @Test func aDigestIsCheckedInAPipeToo() async throws {
        try await withServer { _, path, server in
            try #require(mkfifo(path, 0o600) == 0)
            async let read = Fixture.aside { try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() }
            let words = ["--output", path, "--sha256", String(repeating: "0", count: 64)]
            #expect(try await failure(words, server).message.contains("digest"))
            #expect(try await read == Data("new".utf8))
        }
    }

    private func type(_ path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status.st_mode & S_IFMT
    }
}
#endif
