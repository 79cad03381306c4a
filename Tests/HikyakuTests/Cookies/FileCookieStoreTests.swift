import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@Suite final class FileCookieStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "cookies.json").path(percentEncoded: false) }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private static let now = CookieJarTests.now

    private func store(at now: Date = FileCookieStoreTests.now) throws -> FileCookieStore {
        try FileCookieStore(path: path, now: { now })
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path()) }

    @Test func lastingCookiesAreThereAgainAndThoseOfTheSessionAreNot() async throws {
        let scope = try CookieJarTests.scope("https://b.a.example/x")
        let first = try store()
        try await first.store(
            ["sid=\"q\\é\"; Max-Age=60; Secure; HttpOnly; SameSite=Strict; Domain=a.example; Path=/x", "session=1"],
            from: scope,
        )
        #expect(await first.cookies(for: scope).map(\.name) == ["sid", "session"])
        let second = try store()
        #expect(await second.cookies(for: scope) == first.cookies.filter { $0.expires != nil })
        #expect(await second.cookies.map(\.value) == ["\"q\\é\""])
        #expect(try await store(at: Self.now.addingTimeInterval(60)).cookies.isEmpty)
    }

    @Test func aNULCutsNoPath() throws {
        try Data(#"{"format":"hikyaku-cookies","version":1,"cookies":[]}"#.utf8).write(to: URL(filePath: path))
        _ = try store()
        let error = #expect(throws: StoreFileError.self) { try FileCookieStore(path: path + "\0.old") }
        #expect(error?.reason == .unreadable && error?.message == "it has a NUL in its path")
    }

    @Test func whatAServerSetsNeverMakesTheFileUnreadable() async throws {
        let deep = "https://a.example/" + String(repeating: "x", count: 100_000) + "/y"
        let edge = "https://a.example/" + String(repeating: "x", count: 1023) + "/y"
        let store = try store()
        try await store.store(["a=1; Max-Age=60"], from: CookieJarTests.scope(deep))
        try await store.store(["b=1; Max-Age=60", "c=1; Max-Age=60; Path=/"], from: CookieJarTests.scope(edge))
        #expect(await store.cookies.map(\.name) == ["b", "c"])
        #expect(try await self.store().cookies.map(\.name) == ["b", "c"])
    }

    /// A cookie without a path has that of its request, which may have a semicolon, and a host may have a zone.
    @Test(arguments: ["https://a.example/files;v=2/x", "http://[fe80::1%25eth0]/x", "http://[::1]/x", "http://127.1/"])
    func aCookieOfAnyURLIsThereAgain(url: String) async throws {
        let scope = try CookieJarTests.scope(url)
        try await store().store(["a=1; Max-Age=60"], from: scope)
        let again = try store()
        #expect(await again.cookies(for: scope).map(\.name) == ["a"])
    }

    @Test func onlyTheOwnerMayReadTheFileAndNoDraftIsLeft() async throws {
        try Data("{}".utf8).write(to: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path)
        let store = try store()
        let scope = try CookieJarTests.scope("https://a.example/")
        try await store.store(["session=1"], from: scope)
        #expect(try files() == [], "cookies of the session alone make no file")
        try await store.store(["a=1; Max-Age=60"], from: scope)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try await store.store(["b=1; Max-Age=60"], from: scope)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try files() == ["cookies.json"])
    }

    /// Seconds since 1970, and no dates: Foundation traps when it prints some of them.
    private static let dates: [Double] = [
        Date.distantPast.timeIntervalSince1970, Date.distantFuture.timeIntervalSince1970, .nan, .infinity, -.infinity,
        1e300, -1,
    ]

    @Test(arguments: dates)
    func noDateMakesTheFileUnwritableOrUnreadable(seconds: Double) async throws {
        let date = Date(timeIntervalSince1970: seconds)
        let store = try store()
        let end = Self.now.addingTimeInterval(60)
        try await store.insert(Cookie(name: "a", value: "1", domain: "a.example", expires: end, created: date))
        try? await store.insert(Cookie(name: "b", value: "1", domain: "a.example", expires: date))
        try await store.store(["c=1; Max-Age=60"], from: CookieJarTests.scope("https://a.example/"))
        let names = await store.cookies.map(\.name)
        #expect(names == (date > Self.now ? ["a", "b", "c"] : ["a", "c"]))
        let again = try self.store()
        #expect(await again.cookies.map(\.name) == names)
        let created = try #require(await again.cookies.first?.created)
        #expect(created >= Date(timeIntervalSince1970: 0) && created <= Self.now)
        let latest = Self.now.addingTimeInterval(400 * 86_400)
        #expect(await again.cookies.allSatisfy { $0.expires.map { $0 <= latest } ?? false })
    }

    @Test(arguments: dates)
    func noClockMakesTheFileUnwritableOrUnreadable(seconds: Double) async throws {
        let now = Date(timeIntervalSince1970: seconds)
        let store = try store(at: now)
        let scope = try CookieJarTests.scope("https://a.example/")
        try await store.store(["a=1; Max-Age=60", "b=1; Expires=Tue, 01 Jan 2030 00:00:00 GMT"], from: scope)
        _ = try self.store(at: now)
        _ = try self.store()
    }

    @Test func nothingIsWrittenWhereNothingChanged() async throws {
        let store = try store()
        let scope = try CookieJarTests.scope("https://a.example/")
        try await store.store(["a=1; Max-Age=60"], from: scope)
        try FileManager.default.removeItem(atPath: path)
        try await store.store(["a=1; Max-Age=60", "session=1"], from: scope)
        #expect(try files() == [])
        try await store.removeAll { $0.name == "a" }
        #expect(
            try String(contentsOfFile: path, encoding: .utf8)
                == #"{"cookies":[],"format":"hikyaku-cookies","version":1}"#
        )
    }

    private static let line =
        #"{"name":"a","value":"%","domain":"a.example","isHostOnly":true,"path":"/","isSecure":true,"isHTTPOnly":true,"#
        + #""expires":"2027-02-01T00:00:00Z","created":"2026-11-21T00:00:00Z"}"#

    private static func document(_ value: String, version: Int = 1) -> String {
        let line = line.replacingOccurrences(of: "%", with: value)
        return #"{"format":"hikyaku-cookies","version":\#(version),"cookies":[\#(line)],"later":1}"#
    }

    private static let damaged: [(String, String)] = [
        ("", "not a JSON document of cookies"), ("[]", "not a JSON document of cookies"),
        (String(document("hunter2").dropLast(20)), "not a JSON document of cookies"),
        (
            document("hunter2").replacingOccurrences(of: "\"path\"", with: "\"p\""),
            "not a JSON document of cookies, /cookies/0",
        ),
        (document("hunter2", version: 2), "its format or version is not hikyaku-cookies 1"),
        (document("hunter2;x"), "cookie 0 can't be sent: malformed"),
        (
            document("hunter2").replacingOccurrences(of: "a.example", with: "a/b"),
            "cookie 0 can't be sent: otherDomain",
        ),
    ]

    @Test(arguments: damaged)
    func aDamagedFileIsAnErrorAndStaysAsItIs(content: String, message: String) async throws {
        try Data(content.utf8).write(to: URL(filePath: path))
        let error = try await failure { () async throws -> FileCookieStore in try store() } as? StoreFileError
        #expect(error?.reason == .malformed)
        #expect(error?.message.hasPrefix(message) == true, "\(error as Any)")
        #expect(!"\(error as Any)".contains("hunter2"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }

    @Test func theDocumentedFormatIsRead() async throws {
        try Data(Self.document("v").utf8).write(to: URL(filePath: path))
        #expect(try await store().cookies(for: CookieJarTests.scope("https://a.example/")).map(\.value) == ["v"])
    }

    @Test func aFileThatCannotBeWrittenEndsTheCallAndLosesNothing() async throws {
        let store = try FileCookieStore(path: folder.appending(path: "none/cookies.json").path(), now: { Self.now })
        let transport = MockTransport { _ in HTTPResponse(status: .ok, headers: [.setCookie: "a=1; Max-Age=60"]) }
        let client = APIClient(transport: transport, options: ClientOptions(cookies: store))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(AnyRequest())
        }
        #expect(error.reason == .cookieStore)
        #expect((error.context.underlyingError as? StoreFileError)?.reason == .unwritable)
        #expect(await store.cookies.map(\.name) == ["a"])
        try FileManager.default.createDirectory(at: folder.appending(path: "none"), withIntermediateDirectories: true)
        _ = try await client.send(AnyRequest())
        #expect(try FileCookieStore(path: store.path, now: { Self.now }).path == store.path)
        #expect(FileManager.default.fileExists(atPath: store.path))
    }

    @Test func aFolderIsNotAFile() async throws {
        let error =
            try await failure { () async throws -> FileCookieStore in
                try FileCookieStore(path: folder.path())
            } as? StoreFileError
        #expect(error?.reason == .unreadable)
    }

    @Test func callsAtOnceLoseNoCookie() async throws {
        let store = try store()
        let scope = try CookieJarTests.scope("https://a.example/")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask { try await store.store(["k\(index)=1; Max-Age=60"], from: scope) }
            }
            try await group.waitForAll()
        }
        #expect(try await self.store().cookies.count == 50)
    }
}
