#if os(Linux)
import Foundation
import Glibc
import Hikyaku
import HikyakuTesting
import Testing

/// A file system of a few pages, which only root can mount.
private final class TinyDisk: Sendable {
    let path: String

    static let isMountable: Bool = {
        guard let disk = try? TinyDisk(bytes: 65_536) else {
            print("no small file system can be mounted here: the tests of a full disk need root and tmpfs")
            return false
        }
        return !disk.path.isEmpty
    }()

    init(bytes: Int) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)/").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            rmdir(path)
            throw POSIXError(.EPERM)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

@Suite(.timeLimit(.minutes(10)), .enabled(if: TinyDisk.isMountable, "only root can mount a disk"))
struct FullDiskTests {
    private static let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    private let disk: TinyDisk
    private let server: RangeServer

    init() throws {
        disk = try TinyDisk(bytes: 128 * 1024)
        server = try RangeServer(Self.content)
    }

    private func failure(to destination: FileDestination) async throws -> APIError<ProblemDetails> {
        try await HikyakuTests.failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient().send(ServedFile(from: server, to: destination))
        }
    }

    @Test(arguments: [true, false])
    func aFileThatDoesNotFitIsReportedBeforeItsBody(isResumable: Bool) async throws {
        let path = disk.path + "file"
        let error = try await failure(to: isResumable ? .resumable(at: path) : .file(at: path))
        #expect(error.reason == .diskFull && error.phase == .limit)
        #expect(error.failureReason == "the file needs 200000 more bytes, but only 131072 are free on its disk")
        #expect(try disk.names.isEmpty)
    }

    @Test func aFileOfUnknownSizeIsReportedWhenTheDiskIsFull() async throws {
        server.state.withLock { $0.isChunked = true }
        let error = try await failure(to: .file(at: disk.path + "file"))
        #expect(error.reason == .diskFull)
        #expect(error.failureReason?.contains("the disk is full") == true)
        #expect(try disk.names.isEmpty)
    }

    @Test func whatFitsIsKeptForALargerDisk() async throws {
        server.state.withLock { $0.isChunked = true }
        let destination = FileDestination.resumable(at: disk.path + "file")
        #expect(try await failure(to: destination).reason == .diskFull)
        let kept = try #require(destination.keptBytes)
        #expect(kept > 0 && kept < 131_072)
        #expect(try !disk.names.contains("file"))
        #expect(mount("tmpfs", disk.path, "tmpfs", UInt(MS_REMOUNT), "size=1m") == 0)
        let file = try await APIClient().send(ServedFile(from: server, to: destination))
        #expect(try Data(contentsOf: URL(filePath: file.path)) == Self.content)
        #expect(server.offsets == [nil, kept])
    }

    @Test func aLimitOfTheProcessIsReported() async throws {
        let path = disk.path + "file"
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do {
                _ = try await FileResponse.write(
                    HTTPResponse(status: .ok, body: HTTPBody(Data(count: 8192))),
                    to: .file(at: path),
                )
                exit(1)
            } catch let error as TransportError {
                exit(error.reason == .diskFull && error.message.contains("limit") ? 0 : 2)
            }
        }
    }
}
#endif
