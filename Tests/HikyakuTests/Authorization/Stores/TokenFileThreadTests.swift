import Foundation
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

private let oldToken = IssuedToken(token: Secret("old"))
private let token = IssuedToken(token: Secret("new"))

/// What a disk that doesn't answer holds up, and what it doesn't.
@Suite(.timeLimit(.minutes(10)))
final class TokenFileThreadTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "token.json").path(percentEncoded: false) }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path()) }

    @Test func moreSaversThanCoresStopNoOtherTask() async throws {
        let disk = SlowDisk()
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let stores = (0..<count).map { FileTokenStore(path: "\(path)\($0)", sync: disk.sync) }
        let savers = stores.map { store in Task { try await store.save(token) } }
        try await disk.waitForThreads(count)
        for _ in 0..<100 { await Task { await Task.yield() }.value }
        #expect(disk.begunCount == count, "all wait at once: no store holds up another")
        #expect(disk.starvedCount == 0, "others ran while they waited")
        disk.makeReady()
        for saver in savers { try await saver.value }
        for store in stores { #expect(try await store.load() == token) }
    }

    @Test func savesOfOneStoreAreDoneOneAfterTheOther() async throws {
        let disk = SlowDisk()
        let store = FileTokenStore(path: path, sync: disk.sync)
        let first = Task { try await store.save(oldToken) }
        try await disk.waitForThreads()
        let copy = store
        let second = Task { try await copy.save(token) }
        for _ in 0..<100 { await Task { await Task.yield() }.value }
        #expect(try files().count == 1, "one draft")
        disk.makeReady()
        try await first.value
        try await second.value
        #expect(try await store.load() == token)
        #expect(disk.starvedCount == 0)
    }

    @Test func aCancelledSaveReturnsAtOnceAndLeavesTheOldToken() async throws {
        try await FileTokenStore(path: path).save(oldToken)
        let disk = SlowDisk()
        let store = FileTokenStore(path: path, sync: disk.sync)
        let begun = Task { try await store.save(token) }
        try await disk.waitForThreads()
        let waiting = Task { try await store.save(token) }
        let loading = Task { try await store.load() }
        let removing = Task { try await store.remove() }
        for task in [begun, waiting, removing] {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        loading.cancel()
        await #expect(throws: CancellationError.self) { try await loading.value }
        #expect(disk.starvedCount == 0, "they returned while the disk was busy")
        disk.makeReady()
        #expect(try await store.load() == oldToken, "nothing was written or removed")
        #expect(try files() == ["token.json"])
    }

    @Test func aSaveThatWasCancelledIsNotDoneAfterALaterRemoval() async throws {
        let disk = SlowDisk()
        let store = FileTokenStore(path: path, sync: disk.sync)
        let saving = Task { try await store.save(token) }
        try await disk.waitForThreads()
        saving.cancel()
        await #expect(throws: CancellationError.self) { try await saving.value }
        // Another store of the same file, which knows nothing of that save.
        try await FileTokenStore(path: path).remove()
        disk.makeReady()
        #expect(try await store.load() == nil)
        #expect(try files() == [])
    }
}
