#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why a file of cookies can't be used.
public struct CookieFileError: Error, Sendable, CustomStringConvertible {
    /// What couldn't be done.
    public enum Reason: String, Sendable, Hashable {
        /// The file is there, and can't be read.
        case unreadable
        /// It isn't of this format, or of a later version of it.
        case malformed
        /// A new one can't be written in its place.
        case unwritable
    }

    /// What couldn't be done.
    public let reason: Reason
    /// Where the file is.
    public let path: String
    /// The particulars in one line, without a cookie's value.
    public let message: String

    init(_ reason: Reason, _ path: String, _ message: String) {
        self.reason = reason
        self.path = path
        self.message = message
    }

    /// The path and the particulars.
    public var description: String { "the cookie file \(path) is \(reason.rawValue): \(message)" }
}

/// Reading and writing of the format that ``FileCookieStore`` describes.
struct CookieFile: Sendable {
    private static let bytesMax = 64 * 1024 * 1024
    private static let format = "hikyaku-cookies"
    private static let version = 1

    let path: String
    var sync: PrivateFile.Sync?

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

    /// The cookies of the file; none where there is none.
    func read() throws(CookieFileError) -> [Cookie] {
        guard let bytes = try contents() else { return [] }
        let document: Document
        do {
            document = try WebJSON.decoder.decode(Document.self, from: bytes)
        } catch {
            let place = (error as? DecodingDiagnosis).map { $0.pointer.isEmpty ? "" : ", \($0.pointer)" } ?? ""
            throw CookieFileError(.malformed, path, "no JSON document of cookies\(place)")
        }
        guard document.format == Self.format, document.version == Self.version else {
            throw CookieFileError(.malformed, path, "of another format or version than \(Self.format) \(Self.version)")
        }
        return document.cookies.map { Cookie($0) }
    }

    /// Puts a new file in the place of the old one, and blocks until it is on the disk.
    func write(_ cookies: [Cookie]) throws(CookieFileError) {
        let document = Document(format: Self.format, version: Self.version, cookies: cookies.compactMap { Line($0) })
        guard let bytes = try? WebJSON.encoder.encode(document) else {
            throw CookieFileError(.unwritable, path, "a cookie can't be written as JSON")
        }
        var file = PrivateFile(path: path)
        if let sync { file.sync = sync }
        do throws(PrivateFile.Problem) {
            try file.write(bytes)
        } catch {
            throw CookieFileError(error, path)
        }
    }

    private func contents() throws(CookieFileError) -> Data? {
        do throws(PrivateFile.Problem) {
            return try PrivateFile(path: path).read(upTo: Self.bytesMax)
        } catch {
            throw CookieFileError(error, path)
        }
    }
}

extension CookieFileError {
    fileprivate init(_ problem: PrivateFile.Problem, _ path: String) {
        switch problem {
        case .unreadable(let code): self.init(.unreadable, path, "errno \(code)")
        case .tooLarge: self.init(.malformed, path, "larger than any file of cookies")
        case .isOpenToOthers, .isSomeoneElses: self.init(.unreadable, path, "not the user's alone")
        case .unwritable(let code): self.init(.unwritable, path, "errno \(code)")
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
