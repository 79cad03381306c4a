import Foundation
import HikyakuBase
import HikyakuHTTP
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

private let secret = "hunter2"
private let token = IssuedToken(token: Secret(secret))
private let newToken = IssuedToken(token: Secret("new"))
/// No process has a number as large.
private let noProcess = "2147483646"

@Suite(.timeLimit(.minutes(10)))
final class TokenFileLeftoverTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
    private var path: String { path(of: "token.json") }
    private var store: FileTokenStore { FileTokenStore(path: path) }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func path(of name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    }

    private func plant(_ names: [String]) throws {
        for name in names { try Data(secret.utf8).write(to: URL(filePath: path(of: name))) }
    }

    @Test func aSaveRemovesTheLeftoversOfItsOwnFile() async throws {
        let own = ["token.json.\(noProcess)-7.new", "token.json.\(getpid())-18446744073709551615.new"]
        let others = [
            "token.json2.\(noProcess)-7.new", "token.json.x-1.new", "token.json.1.new", "token.json.1-2-3.new",
            "token.json.1-.new", "token.json.-1.new", "token.json.1-2.new2", "token.json..new", "xtoken.json.1-2.new",
            "token.json.１-２.new",
        ]
        try plant(own + others)
        try await store.save(token)
        #expect(try files() == (others + ["token.json"]).sorted())
        #expect(try await store.load() == token)
    }

    @Test func aRemovalRemovesThemToo() async throws {
        try plant(["token.json.\(noProcess)-7.new", "token.json.\(getpid())-8.new"])
        try await store.remove()
        #expect(try files() == [])
    }

    @Test func namesAreComparedByBytes() async throws {
        // Both are "é" to people: one scalar, and two.
        let names = ["\u{E9}", "e\u{301}", "e"]
        let leftovers = names.map { "\($0).\(noProcess)-7.new" }
        for (name, leftover) in zip(names, leftovers) {
            try plant(leftovers)
            guard try files().count == 3 else { return }  // a file system to which two of them are one name
            try await FileTokenStore(path: path(of: name)).save(token)
            let left = try files()
            #expect(left.count == 3)
            #expect(!left.contains { $0.utf8.elementsEqual(leftover.utf8) })
            try await FileTokenStore(path: path(of: name)).remove()
        }
    }

    @Test func aSlashBeforeACombiningMarkEndsTheFolder() async throws {
        let name = "\u{301}token"
        try plant(["\(name).\(noProcess)-7.new"])
        try await FileTokenStore(path: path(of: "") + name).save(token)
        #expect(try files().map { Array($0.utf8) } == [Array(name.utf8)])
    }

    @Test func whatIsNotAFileIsLeft() async throws {
        let target = path(of: "target")
        try plant(["target"])
        try FileManager.default.createSymbolicLink(atPath: path(of: "token.json.1-1.new"), withDestinationPath: target)
        try FileManager.default.createDirectory(
            atPath: path(of: "token.json.1-2.new"),
            withIntermediateDirectories: false,
        )
        try #require(mkfifo(path(of: "token.json.1-3.new"), 0o600) == 0)
        try await store.save(token)
        #expect(
            try files() == ["target", "token.json", "token.json.1-1.new", "token.json.1-2.new", "token.json.1-3.new"]
        )
    }

    @Test func aDraftThatIsBeingWrittenIsLeftToItsWriter() async throws {
        let disk = SlowDisk()
        let slow = FileTokenStore(path: path, sync: disk.sync)
        let saving = Task { try await slow.save(token) }
        try await disk.waitForThreads()
        let drafts = try files()
        try #require(drafts.count == 1 && drafts[0].hasSuffix(".new"), "\(drafts)")
        // It looks like one of a process that has ended long ago.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -86_400)],
            ofItemAtPath: path(of: drafts[0]),
        )
        try await store.save(newToken)
        #expect(try files() == ["token.json"] + drafts)
        try await store.remove()
        #expect(try files() == drafts)
        disk.makeReady()
        try await saving.value
        #expect(disk.starvedCount == 0)
        #expect(try files() == ["token.json"])
        #expect(try await store.load() == token)
    }

    @Test func aDraftThatIsRemovedNeverthelessIsWrittenAgain() async throws {
        let path = path
        let folder = folder.path()
        let count = Lock(0)
        let store = FileTokenStore(path: path) { descriptor in
            count.withLock { $0 += 1 }
            if count.withLock({ $0 }) <= 2 {
                for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                    unlink("\(folder)/\(name)")
                }
            }
            return fsync(descriptor)
        }
        try await store.save(token)
        #expect(try await store.load() == token)
        #expect(try files() == ["token.json"])
    }

    @Test func aSaveEndsEvenIfItsDraftsAreAlwaysRemoved() async throws {
        let folder = folder.path()
        let store = FileTokenStore(path: path) { _ in
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                unlink("\(folder)/\(name)")
            }
            return 0
        }
        let error = await #expect(throws: StoreFileError.self) { try await store.save(token) }
        #expect(error?.reason == .unwritable)
    }

    @Test func aDiskThatFailsLeavesTheOldTokenAndNoDraft() async throws {
        try await store.save(token)
        let broken = FileTokenStore(path: path) { _ in
            errno = ENOSPC
            return -1
        }
        let error = await #expect(throws: StoreFileError.self) { try await broken.save(newToken) }
        #expect(error?.reason == .unwritable)
        #expect(error?.message.hasSuffix("(errno \(ENOSPC))") == true)
        #expect(try files() == ["token.json"])
        #expect(try await store.load() == token)
    }

    #if os(macOS) || os(Linux)
    private static func dieInASave(to path: String) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path] in
            let store = FileTokenStore(path: path) { _ in
                kill(getpid(), SIGKILL)
                return 0
            }
            try await store.save(IssuedToken(token: Secret("hunter2")))
        }
    }

    private static func saveInAnotherProcess(to path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            try await FileTokenStore(path: path).save(IssuedToken(token: Secret("new")))
        }
    }

    @Test func whatAProcessLeavesThatIsKilledInASaveIsRemovedByTheNextSave() async throws {
        try await store.save(IssuedToken(token: Secret("old")))
        await Self.dieInASave(to: path)
        let left = try files()
        try #require(left.count == 2, "\(left)")
        let draft = try #require(left.first { $0.hasSuffix(".new") })
        #expect(try String(contentsOfFile: path(of: draft), encoding: .utf8).contains(secret))
        #expect(try await store.load()?.token.reveal() == "old")
        #expect(try files().count == 2, "reading removes nothing")
        try await store.save(newToken)
        #expect(try files() == ["token.json"])
        #expect(try await store.load() == newToken)
    }

    @Test func anotherProcessLeavesADraftThatIsBeingWritten() async throws {
        let disk = SlowDisk()
        let slow = FileTokenStore(path: path, sync: disk.sync)
        let saving = Task { try await slow.save(token) }
        try await disk.waitForThreads()
        let drafts = try files()
        try #require(drafts.count == 1)
        await Self.saveInAnotherProcess(to: path)
        #expect(try files() == ["token.json"] + drafts)
        #expect(try await store.load() == newToken)
        disk.makeReady()
        try await saving.value
        #expect(try files() == ["token.json"])
        #expect(try await store.load() == token)
    }
    #endif
}
