#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Cookies in a file, for a command line or an app that stays signed in.
///
/// The file is read once, when the store is made, and written as a whole each time a cookie changes that lives longer
/// than the session: to a new file that only its owner may read (mode 0600), which then takes the place of the old one,
/// so that nobody sees half of it. Cookies of the session are kept in memory alone. Two stores, or two processes, with
/// one file overwrite each other's cookies: share the store, or give each a file.
///
/// The file is a JSON document, of which unknown keys are passed over:
/// ```json
/// { "format": "hikyaku-cookies", "version": 1, "cookies": [
///   { "name": "sid", "value": "…", "domain": "a.example", "isHostOnly": true, "path": "/", "isSecure": true,
///     "isHTTPOnly": true, "sameSite": "lax", "expires": "2026-12-01T00:00:00Z", "created": "2026-11-21T09:30:00Z" } ] }
/// ```
public actor FileCookieStore: CookieStore {
    /// Where the file is.
    public nonisolated let path: String

    private var jar: CookieJar
    private let now: @Sendable () -> Date
    /// What the file holds, so that nothing is written where nothing changed.
    private var written: [Cookie]

    /// Reads a file, or begins with none where there is none yet.
    ///
    /// A file that can't be understood is left as it is, and none of it is used: what to do with it is for the caller
    /// to say, since starting empty would overwrite it.
    ///
    /// - Parameters:
    ///   - path: Where the file is; its folder must exist when something is to be written.
    ///   - publicSuffixes: Which domains no cookie may be for.
    ///   - now: The wall clock, which expiry is measured by.
    /// - Throws: ``CookieFileError`` when the file can't be read or isn't one of this format.
    public init(
        path: String,
        publicSuffixes: any PublicSuffixes = .singleLabel,
        now: @escaping @Sendable () -> Date = { Date() },
    ) throws(CookieFileError) {
        let cookies = try CookieFile(path: path).read()
        var jar = CookieJar(publicSuffixes: publicSuffixes)
        for (index, cookie) in cookies.enumerated() {
            do throws(CookieRefusal) {
                try jar.insert(cookie, at: now())
            } catch {
                throw CookieFileError(.malformed, path, "cookie \(index) can't be sent: \(error.rawValue)")
            }
        }
        self.path = path
        self.jar = jar
        self.now = now
        written = cookies
    }

    /// All that haven't expired.
    public var cookies: [Cookie] {
        let now = now()
        return jar.cookies.filter { !$0.isExpired(at: now) }
    }

    /// The cookies that go with a request.
    public func cookies(for scope: CookieScope) -> [Cookie] {
        jar.cookies(for: scope, at: now())
    }

    /// Takes over what a response sets, and writes the file where that changes it.
    ///
    /// - Throws: ``CookieFileError`` when the file can't be written; the cookies are kept in memory nevertheless, and
    ///   written with the next change.
    public func store(_ setCookies: [String], from scope: CookieScope) throws(CookieFileError) {
        let now = now()
        for setCookie in setCookies { jar.store(setCookie, from: scope, at: now) }
        try write()
    }

    /// Removes all cookies that could go to the host of a URL, and writes the file.
    ///
    /// - Throws: ``CookieFileError`` when the file can't be written; they are gone from memory nevertheless.
    public func removeCookies(for url: URL) throws(CookieFileError) {
        jar.removeAll(for: url)
        try write()
    }

    /// Puts a cookie in that no response has set, and writes the file.
    ///
    /// - Throws: ``CookieRefusal`` when it could never be sent as it stands; ``CookieFileError``.
    public func insert(_ cookie: Cookie) throws {
        try jar.insert(cookie, at: now())
        try write()
    }

    /// Removes the cookies for which the condition holds, to sign out say, and writes the file.
    ///
    /// - Throws: ``CookieFileError`` when the file can't be written.
    public func removeAll(where shouldBeRemoved: (Cookie) -> Bool = { _ in true }) throws(CookieFileError) {
        jar.removeAll(where: shouldBeRemoved)
        try write()
    }

    private func write() throws(CookieFileError) {
        let lasting = cookies.filter { $0.expires != nil }
        guard lasting != written else { return }
        try CookieFile(path: path).write(lasting)
        written = lasting
    }
}

extension FileCookieStore: CustomStringConvertible, CustomReflectable {
    /// Where the file is.
    public nonisolated var description: String { "FileCookieStore at \(path)" }

    /// What ``description`` shows, for `dump` and debuggers.
    public nonisolated var customMirror: Mirror { Mirror(self, children: ["store": description]) }
}
