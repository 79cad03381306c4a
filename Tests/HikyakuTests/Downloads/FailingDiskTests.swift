import Foundation
import HikyakuBase
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A disk that loses what was written: `fsync` fails once, and succeeds from then on, since the system has dropped the
/// pages.
@Suite struct FailingDiskTests {
    private let folder: TestFolder
    private static let content = Data("0123456789".utf8)

    init() throws {
        folder = try TestFolder()
    }

    private var path: String { folder.path + "file" }

    private func draft() throws -> ResumableDraft {
        let destination = FileDestination.resumable(at: path)
        return try #require(try ResumableDraft.take(for: destination, at: path, resource: "r"))
    }

    private static func response() -> HTTPResponse {
        HTTPResponse(status: .ok, headers: ["ETag": "\"v1\""], body: HTTPBody(content))
    }

    /// Fails the sync with this number.
    private static func failing(at number: Int) -> PrivateFile.Sync {
        let count = Lock(0)
        return { descriptor in
            let now = count.withLock { count in
                count += 1
                return count
            }
            guard now == number else { return Disk.sync(descriptor) }
            errno = EIO
            return -1
        }
    }

    @Test func aFileWhoseBytesMayBeLostGetsNoName() throws {
        let draft = try draft()
        try draft.begin(Self.response())
        draft.sync = Self.failing(at: 1)
        try draft.append(Self.content)
        #expect(throws: TransportError.self) { try draft.finish() }
        // The next sync says nothing about the bytes that the first one has lost.
        try? draft.keep()
        #expect(draft.count == 0 && draft.range == nil)
        #expect(try !folder.names.contains("file"))
        #expect(FileDestination.resumable(at: path).keptBytes == nil)
    }

    @Test func aFolderIsNotADestination() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let error = #expect(throws: TransportError.self) { try draft() }
        #expect(error?.message == "the destination is a folder")
        #expect(try folder.names == ["file"])
    }

    @Test func whatWasSyncedBeforeIsKept() throws {
        let draft = try draft()
        try draft.begin(Self.response())
        draft.sync = Self.failing(at: 2)
        try draft.append(Self.content.prefix(4))
        try draft.keep()
        try draft.append(Self.content.dropFirst(4))
        #expect(throws: TransportError.self) { try draft.keep() }
        #expect(draft.count == 4 && draft.range?.offset == 4)
        #expect(FileDestination.resumable(at: path).keptBytes == 4)
        try draft.append(Self.content.dropFirst(4))
        #expect(try draft.finish().count == 10)
        #expect(try folder.contents("file") == Self.content)
    }
}
