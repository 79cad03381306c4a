import Foundation
import HikyakuBase
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

private func scope() throws -> CookieScope { try CookieJarTests.scope("https://a.example/") }

/// What a disk that doesn't answer holds up, and what a process leaves that dies.
@Suite(.timeLimit(.minutes(10)))
final class FileCookieStoreThreadTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "cookies.json").path(percentEncoded: false) }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func store(_ sync: PrivateFile.Sync? = nil, suffix: String = "") throws -> FileCookieStore {
        var file = PrivateFile(path: path + suffix)
        if let sync { file.sync = sync }
        return try FileCookieStore(file: CookieFile(file: file)) { CookieJarTests.now }
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path()) }

    private func names() async throws -> [String] { try await store().cookies.map(\.name).sorted() }

    @Test func moreSaversThanCoresStopNoOtherTask() async throws {
        let disk = SlowDisk()
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let stores = try (0..<count).map { try store(disk.sync, suffix: "\($0)") }
        let savers = stores.map { store in
            Task { try await store.store(["a=1; Max-Age=60"], from: scope()) }
        }
        try await disk.waitForThreads(count)
        for store in stores { #expect(try await store.cookies(for: scope()).map(\.name) == ["a"]) }
        #expect(disk.begunCount == count, "all wait at once: no store holds up another")
        #expect(disk.starvedCount == 0, "others ran while they waited")
        disk.makeReady()
        for saver in savers { try await saver.value }
        #expect(try files().count == count)
    }

    @Test func changesDuringAWriteAreWrittenTogetherAfterIt() async throws {
        let disk = SlowDisk()
        let store = try store(disk.sync)
        let first = Task { try await store.store(["a=1; Max-Age=60"], from: scope()) }
        try await disk.waitForThreads()
        let others = (0..<20).map { number in
            Task { try await store.store(["k\(number)=1; Max-Age=60"], from: scope()) }
        }
        #expect(try await holds { await store.cookies.count == 21 })
        disk.makeReady()
        try await first.value
        for other in others { try await other.value }
        #expect(try await names().count == 21)
        #expect(disk.begunCount == 4, "two files, and their folder for each")
        #expect(disk.starvedCount == 0)
    }

    @Test func aChangeThatIsTakenBackDuringAWriteIsTakenBackInTheFile() async throws {
        let disk = SlowDisk()
        let store = try store(disk.sync)
        let change = Task { try await store.store(["a=1; Max-Age=60"], from: scope()) }
        try await disk.waitForThreads()
        let back = Task { try await store.removeAll() }
        #expect(try await holds { await store.cookies.isEmpty })
        disk.makeReady()
        try await change.value
        try await back.value
        #expect(try await names() == [])
        #expect(try files() == ["cookies.json"])
    }

    @Test func aCancelledCallReturnsAtOnceAndItsCookiesAreWritten() async throws {
        let disk = SlowDisk()
        let store = try store(disk.sync)
        let begun = Task { try await store.store(["a=1; Max-Age=60"], from: scope()) }
        try await disk.waitForThreads()
        let waiting = Task { try await store.store(["b=1; Max-Age=60"], from: scope()) }
        #expect(try await holds { await store.cookies.count == 2 })
        for task in [begun, waiting] {
            task.cancel()
            try await task.value
        }
        #expect(disk.starvedCount == 0, "they returned while the disk was busy")
        disk.makeReady()
        try await store.store(["c=1; Max-Age=60"], from: scope())
        #expect(try await names() == ["a", "b", "c"])
    }

    @Test func whatCouldNotBeWrittenForACancelledCallIsWrittenWithTheNextChange() async throws {
        let disk = SlowDisk()
        let isBroken = Lock(true)
        let store = try store { descriptor in
            _ = disk.sync(descriptor)
            let isBroken = isBroken.withLock { $0 }
            errno = ENOSPC
            return isBroken ? -1 : 0
        }
        let begun = Task { try await store.store(["a=1; Max-Age=60"], from: scope()) }
        try await disk.waitForThreads()
        begun.cancel()
        try await begun.value
        disk.makeReady()
        // The draft goes when the write has failed.
        #expect(try await holds { try files().isEmpty })
        isBroken.withLock { $0 = false }
        // No cookie changes from here on. The first call may still come before the failure is noted.
        repeat {
            try Task.checkCancellation()
            try await store.store(["a=1; Max-Age=60"], from: scope())
        } while try files().isEmpty
        #expect(try await names() == ["a"])
    }

    #if os(macOS) || os(Linux)
    private static func dieInAWrite(to path: String) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path] in
            let file = PrivateFile(path: path) { _ in
                kill(getpid(), SIGKILL)
                return 0
            }
            let store = try FileCookieStore(file: CookieFile(file: file)) { CookieJarTests.now }
            try await store.store(["sid=hunter2; Max-Age=60"], from: CookieJarTests.scope("https://a.example/"))
        }
    }

    @Test func whatAProcessLeavesThatIsKilledInAWriteIsRemovedByTheNext() async throws {
        await Self.dieInAWrite(to: path)
        let left = try files()
        try #require(left.count == 1 && left[0].hasSuffix(".new"), "\(left)")
        #expect(
            try String(contentsOf: folder.appending(path: left[0]), encoding: .utf8).contains("hunter2")
        )
        try await store().store(["a=1; Max-Age=60"], from: scope())
        #expect(try files() == ["cookies.json"])
        #expect(try await names() == ["a"])
    }
    #endif
}
