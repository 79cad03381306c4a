import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

@Suite final class TokenStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "token.json").path(percentEncoded: false) }
    private var store: FileTokenStore { FileTokenStore(path: path) }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private static let secret = "hunter2"
    private static let token = IssuedToken(token: Secret(secret), refreshToken: Secret(secret))

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path()) }

    private func mode() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func write(_ content: String, mode: Int = 0o600) throws {
        try Data(content.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func errorOfLoading() async throws -> StoreFileError? {
        try await failure { () async throws -> IssuedToken? in try await store.load() } as? StoreFileError
    }

    @Test func allStoresConform() async {
        let memory = await TokenStoreConformance.run { MemoryTokenStore() }
        #expect(memory.isConformant, "\(memory)")
        let file = await TokenStoreConformance.run { [folder] in
            FileTokenStore(path: folder.appending(path: UUID().uuidString).path(percentEncoded: false))
        }
        #expect(file.isConformant, "\(file)")
        #expect(file.results.count == 10)
    }

    #if canImport(Security)
    @Test func theKeychainConforms() async {
        let keychain = await TokenStoreConformance.run {
            KeychainTokenStore(service: "hikyaku.tests", account: UUID().uuidString)
        }
        #expect(keychain.isConformant, "\(keychain)")
    }
    #endif

    @Test func onlyTheOwnerMayReadTheFileAndNoDraftIsLeft() async throws {
        try await store.save(Self.token)
        #expect(try mode() == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        try await store.save(Self.token)
        #expect(try mode() == 0o600, "the new file has nothing of the old one")
        #expect(try files() == ["token.json"])
        try await store.remove()
        #expect(try files() == [])
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o601, 0o777])
    func aFileThatIsOpenToOthersIsRejected(mode: Int) async throws {
        try await store.save(Self.token)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let error = try #require(try await errorOfLoading())
        #expect(error.reason == .notPrivate)
        #expect(error.message.contains("chmod 600"))
        #expect("\(error)".contains(path))
        #expect(try self.mode() == mode, "it is left as it is")
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        #expect(try await store.load() == Self.token)
    }

    @Test func theDocumentIsAsItIsDescribed() async throws {
        let end = Date(timeIntervalSince1970: 1_795_257_000)
        try await store.save(
            IssuedToken(
                token: Secret("t"),
                refreshToken: Secret("r"),
                expiresAt: end,
                scopes: ["write", "read"],
                idToken: Secret("i"),
            )
        )
        #expect(
            try String(contentsOfFile: path, encoding: .utf8)
                == #"{"expiresAt":"2026-11-21T10:30:00Z","format":"hikyaku-token","idToken":"i","refreshToken":"r","#
                + #""scheme":"Bearer","scopes":["read","write"],"token":"t","version":1}"#
        )
        try write(#"{"format":"hikyaku-token","version":1,"token":"t","scheme":"Bearer","later":[1]}"#)
        #expect(try await store.load() == IssuedToken(token: Secret("t")))
    }

    private static let damaged: [(String, String)] = [
        ("", "not a JSON document of a token"), (secret, "not a JSON document of a token"),
        (#"{"format":"hikyaku-token","version":1,"token":["\#(secret)"]}"#, "not a JSON document of a token, /token"),
        (
            #"{"format":"hikyaku-token","version":2,"secret":"\#(secret)"}"#,
            "its format or version is not hikyaku-token 1",
        ),
        (
            #"{"format":"hikyaku-cookies","version":1,"token":"\#(secret)"}"#,
            "its format or version is not hikyaku-token 1",
        ),
        (String(repeating: " ", count: 4 * 1024 * 1024 + 1), "the file is too large for a token"),
    ]

    @Test(arguments: damaged.indices)
    func aDamagedFileIsAnErrorAndStaysAsItIs(index: Int) async throws {
        let (content, message) = Self.damaged[index]
        try write(content)
        let error = try #require(try await errorOfLoading())
        #expect(error.reason == .malformed)
        #expect(error.message.hasPrefix(message), "\(error)")
        #expect(!"\(error)".contains(Self.secret))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }

    @Test func aFolderIsNotAFile() async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        #expect(try await errorOfLoading()?.reason == .unreadable)
        await #expect { try await self.store.save(Self.token) } throws: {
            ($0 as? StoreFileError)?.reason == .unwritable
        }
        await #expect { try await self.store.remove() } throws: { ($0 as? StoreFileError)?.reason == .unwritable }
        #expect(try files() == ["token.json"], "and no draft is left")
    }

    /// Seconds since 1970, and what is read again.
    private static let dates: [(Double, Double?)] = [
        (.nan, nil), (.infinity, nil), (1e300, nil), (-.infinity, 0), (-1e300, 0), (-1, 0), (1.5, 1.5),
        (253_402_300_799, 253_402_300_799), (253_402_300_800, nil),
    ]

    @Test(arguments: dates.indices)
    func noDateMakesTheFileUnwritable(index: Int) async throws {
        let (seconds, expected) = Self.dates[index]
        var token = Self.token
        token.expiresAt = Date(timeIntervalSince1970: seconds)
        try await store.save(token)
        #expect(try await store.load()?.expiresAt?.timeIntervalSince1970 == expected)
    }

    @Test(arguments: [
        ("~/token.json", "~ is not expanded"), ("/nowhere/at/all/token.json", "its folder does not exist"),
    ])
    func aMissingFolderIsReportedWithASuggestion(path: String, advice: String) async throws {
        let store = FileTokenStore(path: path)
        #expect(try await store.load() == nil)
        let error = await #expect(throws: StoreFileError.self) { try await store.save(Self.token) }
        #expect(error?.message.hasPrefix("No such file or directory (errno 2): \(advice)") == true)
    }

    @Test func aLinkIsFollowedWhenItIsReadAndReplacedWhenItIsWritten() async throws {
        let target = folder.appending(path: "target.json").path(percentEncoded: false)
        let old = IssuedToken(token: Secret("old"))
        try await FileTokenStore(path: target).save(old)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(try await store.load() == old)
        try await store.save(Self.token)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeRegular)
        #expect(try await store.load() == Self.token)
        #expect(try await FileTokenStore(path: target).load() == old)
    }

    private static let changes: [@Sendable (FileTokenStore) async throws -> Void] = [
        { try await $0.save(token) }, { try await $0.remove() },
    ]

    @Test func aPipeIsNotReplacedByATokenFile() async throws {
        try #require(mkfifo(path, 0o600) == 0)
        for work in Self.changes {
            let error = try await failure { () async throws in try await work(store) } as? StoreFileError
            #expect(error?.reason == .unwritable && error?.message == "it is a pipe")
        }
        let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        #expect(type != .typeRegular)
        #expect(try files() == ["token.json"])
    }

    @Test func aNULCutsNoPath() async throws {
        try await store.save(Self.token)
        let cut = FileTokenStore(path: path + "\0.old")
        let error = try await failure { () async throws in _ = try await cut.load() } as? StoreFileError
        #expect(error?.reason == .unreadable && error?.message == "it has a NUL in its path")
        for work in Self.changes {
            let error = try await failure { () async throws in try await work(cut) } as? StoreFileError
            #expect(error?.reason == .unwritable && error?.message == "it has a NUL in its path")
        }
        #expect(try await store.load() == Self.token)
    }

    @Test func noTextShowsAToken() async throws {
        let memory = MemoryTokenStore(Self.token)
        try await store.save(Self.token)
        for subject in [memory, store, StoredToken(in: memory), Self.token] as [Any] {
            var text = "\(subject) \(String(reflecting: subject))"
            dump(subject, to: &text)
            #expect(!text.contains(Self.secret), "\(text)")
        }
        #expect("\(memory)" == "MemoryTokenStore with a token")
    }

    @Test func twoProvidersWithOneFileShareTheirToken() async throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        try await store.save(IssuedToken(token: Secret("old"), refreshToken: Secret("r"), expiresAt: now))
        let count = Lock(0)
        let providers = (0..<2).map { _ in
            RefreshingToken(store: store, options: RefreshOptions(now: { now })) { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return IssuedToken(token: Secret("new \(number)"), expiresAt: now.addingTimeInterval(3600))
            }
        }
        for provider in providers {
            let token = try await provider.token(for: .shop).ready(for: Shop.AddDish(dish: .sample))
            #expect(token.reveal() == "new 1")
        }
    }
}
