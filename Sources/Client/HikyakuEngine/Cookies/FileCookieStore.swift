public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Cookies in a file, for a command line or an app that stays signed in.
///
/// ```swift
/// let cookies = try FileCookieStore(path: "/var/lib/reader/cookies.json")
/// let client = APIClient(options: ClientOptions(cookies: cookies))
/// ```
/// The file is read once, when the store is created, and written as a whole each time a persistent cookie changes: to a
/// new file that only its owner can read (mode 0600), which then replaces the old one, so that it is never visible half
/// written. If the process dies before that, the next write removes the leftover. Session cookies are kept only in
/// memory. Two stores, or two processes, with one file overwrite each other's cookies: share the store, or use separate
/// files.
///
/// The store writes the file on its own thread, which ends when nothing is left to write. A call that changes a cookie
/// suspends until the change is written, and occupies none of Swift's own threads. Other calls see the change at once.
/// If the task of a waiting call is cancelled, the call returns at once and without an error. The file is written
/// nevertheless; if that fails, it is written with the next change.
///
/// The file is a JSON document; unknown keys are ignored:
/// ```json
/// { "format": "hikyaku-cookies", "version": 1, "cookies": [
///   { "name": "sid", "value": "…", "domain": "a.example", "isHostOnly": true, "path": "/", "isSecure": true,
///     "isHTTPOnly": true, "sameSite": "lax", "expires": "2026-12-01T00:00:00Z",
///     "created": "2026-11-21T09:30:00Z" } ] }
/// ```
public actor FileCookieStore: CookieStore {
    /// The path of the file.
    public nonisolated var path: String { file.path }

    private var jar: CookieJar
    private let now: @Sendable () -> Date
    private let file: CookieFile
    private let worker = SerialWorker(name: "hikyaku-cookies")
    private let content: Lock<Content>

    /// The content for the file.
    private struct Content {
        var cookies: [Cookie]
        /// How often it has changed.
        var version: UInt64 = 0
        /// The version in the file.
        var writtenVersion: UInt64 = 0
        /// Whether the last write failed.
        var hasFailed = false
    }

    /// Reads a file, or starts empty if the file does not exist yet.
    ///
    /// The file is read on the caller's thread.
    ///
    /// A file with an unknown format is not changed, and none of it is used: the caller decides what to do, since
    /// starting empty would overwrite it.
    ///
    /// - Parameters:
    ///   - path: The path of the file; its folder must exist when the file is written.
    ///   - publicSuffixes: The domains that no cookie may have; `nil` for those that are evident without a list: `com`
    ///     and `co.uk`, but not `github.io`.
    ///   - now: The wall clock for expiry.
    /// - Throws: ``StoreFileError`` if the file can't be read or has another format.
    public init(
        path: String,
        publicSuffixes: (any PublicSuffixes)? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
    ) throws(StoreFileError) {
        try self.init(file: CookieFile(file: PrivateFile(path: path)), publicSuffixes: publicSuffixes, now: now)
    }

    /// Reads a file by its URL, or starts empty: see ``init(path:publicSuffixes:now:)``.
    public init(
        url: URL,
        publicSuffixes: (any PublicSuffixes)? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
    ) throws(StoreFileError) {
        try self.init(path: url.filePath, publicSuffixes: publicSuffixes, now: now)
    }

    /// For a test that replaces the disk.
    init(
        file: CookieFile,
        publicSuffixes: (any PublicSuffixes)? = nil,
        now: @escaping @Sendable () -> Date,
    ) throws(StoreFileError) {
        let cookies = try file.read()
        var jar = CookieJar(publicSuffixes: publicSuffixes)
        for (index, cookie) in cookies.enumerated() {
            do throws(CookieRefusal) {
                try jar.insert(cookie, at: now())
            } catch {
                let problem = "cookie \(index) can't be sent: \(error.rawValue)"
                throw StoreFileError(.malformed, .cookies, file.path, problem)
            }
        }
        self.file = file
        self.jar = jar
        self.now = now
        content = Lock(Content(cookies: cookies))
    }

    /// All cookies that haven't expired.
    public var cookies: [Cookie] {
        let now = now()
        return jar.cookies.filter { !$0.isExpired(at: now) }
    }

    /// `true`, even if the disk hangs.
    public nonisolated var endsOnCancellation: Bool { true }

    /// The cookies for a request.
    public func cookies(for scope: CookieScope) -> [Cookie] {
        jar.cookies(for: scope, at: now())
    }

    /// Stores the cookies of a response, and writes the file if they changed.
    ///
    /// - Throws: ``StoreFileError`` if the file can't be written; the cookies are kept in memory nevertheless, and
    ///   written with the next change.
    public func store(_ setCookies: [String], from scope: CookieScope) async throws(StoreFileError) {
        let now = now()
        for setCookie in setCookies { jar.store(setCookie, from: scope, at: now) }
        try await write()
    }

    /// Removes all cookies that could be sent to the host of a URL, and writes the file.
    ///
    /// - Throws: ``StoreFileError`` if the file can't be written; they are removed from memory nevertheless.
    public func removeCookies(for url: URL) async throws(StoreFileError) {
        jar.removeAll(for: url)
        try await write()
    }

    /// Inserts a cookie that isn't from a response, and writes the file.
    ///
    /// - Throws: ``CookieRefusal`` if it could never be sent; ``StoreFileError``.
    public func insert(_ cookie: Cookie) async throws {
        try jar.insert(cookie, at: now())
        try await write()
    }

    /// Removes the cookies that match a condition, for example to sign out, and writes the file.
    ///
    /// - Throws: ``StoreFileError`` if the file can't be written.
    public func removeAll(where shouldBeRemoved: (Cookie) -> Bool = { _ in true }) async throws(StoreFileError) {
        jar.removeAll(where: shouldBeRemoved)
        try await write()
    }

    private func write() async throws(StoreFileError) {
        let lasting = cookies.filter { $0.expires != nil }
        let changedTo: UInt64? = content.withLock { content in
            // Nothing is written if nothing has changed.
            guard lasting != content.cookies || content.hasFailed else { return nil }
            content.cookies = lasting
            content.version += 1
            content.hasFailed = false
            return content.version
        }
        guard let version = changedTo else { return }
        let outcome = await worker.run(evenIfCancelled: true) { [file, content] _ in
            Self.write(version, of: content, to: file)
        }
        switch outcome {
        case .done(let result): try result.get()
        case .cancelled: break
        case .noThread:
            content.withLock { $0.hasFailed = true }
            throw StoreFileError(.unwritable, .cookies, path, "the system could not create a thread to write it")
        }
    }

    /// Writes the latest version, unless the file already has this version or a later one.
    private static func write(
        _ version: UInt64,
        of content: Lock<Content>,
        to file: CookieFile,
    ) -> Result<Void, StoreFileError> {
        let latest = content.withLock { $0 }
        guard latest.writtenVersion < version else { return .success(()) }
        let result = Result { () throws(StoreFileError) in try file.write(latest.cookies) }
        content.withLock { content in
            if result.failure == nil { content.writtenVersion = latest.version }
            if content.version == latest.version { content.hasFailed = result.failure != nil }
        }
        return result
    }
}

extension FileCookieStore: Redacted {
    /// The path of the file.
    public nonisolated var description: String { "FileCookieStore at \(path)" }
}

/// Reads and writes the format that ``FileCookieStore`` describes.
struct CookieFile: Sendable {
    private static let bytesMax = 64 * 1024 * 1024
    private static let format = "hikyaku-cookies"
    private static let version = 1

    let file: PrivateFile

    var path: String { file.path }

    private struct Document: Codable {
        var format: String
        var version: Int
        var cookies: [Line]
    }

    fileprivate struct Line: Codable {
        var name: String
        var value: String
        var domain: String
        var isHostOnly: Bool
        var path: String
        var isSecure: Bool
        var isHTTPOnly: Bool
        var sameSite: Cookie.SameSite?
        var expires: Date
        var created: Date
    }

    /// The cookies of the file; none if it does not exist.
    func read() throws(StoreFileError) -> [Cookie] {
        let contents = Result { () throws(PrivateFile.Problem) in try file.read(upTo: Self.bytesMax) }
        guard let bytes = try contents.mapError({ StoreFileError($0, .cookies, path) }).get() else { return [] }
        let document: Document
        do {
            document = try WebJSON.decoder.decode(Document.self, from: bytes)
        } catch {
            let place = (error as? DecodingDiagnosis).map { $0.pointer.isEmpty ? "" : ", \($0.pointer)" } ?? ""
            throw StoreFileError(.malformed, .cookies, path, "not a JSON document of cookies\(place)")
        }
        guard document.format == Self.format, document.version == Self.version else {
            let problem = "its format or version is not \(Self.format) \(Self.version)"
            throw StoreFileError(.malformed, .cookies, path, problem)
        }
        return document.cookies.map { Cookie($0) }
    }

    /// Replaces the old file with a new one, and blocks until it is on the disk.
    func write(_ cookies: [Cookie]) throws(StoreFileError) {
        let document = Document(format: Self.format, version: Self.version, cookies: cookies.compactMap { Line($0) })
        guard let bytes = try? WebJSON.encoder.encode(document) else {
            throw StoreFileError(.unwritable, .cookies, path, "a cookie can't be written as JSON")
        }
        do throws(PrivateFile.Problem) {
            try file.write(bytes)
        } catch {
            throw StoreFileError(error, .cookies, path)
        }
    }
}

extension Cookie {
    fileprivate init(_ line: CookieFile.Line) {
        self.init(
            name: line.name,
            value: line.value,
            domain: line.domain,
            isHostOnly: line.isHostOnly,
            path: line.path,
            isSecure: line.isSecure,
            isHTTPOnly: line.isHTTPOnly,
            sameSite: line.sameSite,
            expires: line.expires,
            created: line.created,
        )
    }
}

extension CookieFile.Line {
    fileprivate init?(_ cookie: Cookie) {
        guard let expires = cookie.expires else { return nil }
        self.init(
            name: cookie.name,
            value: cookie.value,
            domain: cookie.domain,
            isHostOnly: cookie.isHostOnly,
            path: cookie.path,
            isSecure: cookie.isSecure,
            isHTTPOnly: cookie.isHTTPOnly,
            sameSite: cookie.sameSite,
            expires: expires,
            created: cookie.created,
        )
    }
}
