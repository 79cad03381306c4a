#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
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
struct CookieFile {
    private static let bytesMax = 64 * 1024 * 1024
    private static let format = "hikyaku-cookies"
    private static let version = 1

    let path: String

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

    /// Puts a new file in the place of the old one.
    func write(_ cookies: [Cookie]) throws(CookieFileError) {
        let document = Document(format: Self.format, version: Self.version, cookies: cookies.compactMap { Line($0) })
        guard let bytes = try? WebJSON.encoder.encode(document) else {
            throw CookieFileError(.unwritable, path, "a cookie can't be written as JSON")
        }
        let draft = "\(path).\(getpid())-\(UInt64.random(in: .min ... .max)).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CookieFileError(.unwritable, path, "errno \(errno)") }
        let isWritten = Self.write(bytes, to: descriptor) && fsync(descriptor) == 0
        let writeErrno = errno
        close(descriptor)
        guard isWritten, rename(draft, path) == 0 else {
            let code = isWritten ? errno : writeErrno
            unlink(draft)
            throw CookieFileError(.unwritable, path, "errno \(code)")
        }
    }

    private func contents() throws(CookieFileError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw CookieFileError(.unreadable, path, "errno \(errno)") }
        defer { close(descriptor) }
        var bytes = Data()
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = piece.withUnsafeMutableBytes { $0.readOnce(from: descriptor) }
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CookieFileError(.unreadable, path, "errno \(errno)") }
            bytes += piece.prefix(count)
            guard bytes.count <= Self.bytesMax else {
                throw CookieFileError(.malformed, path, "larger than any file of cookies")
            }
        }
    }

    private static func write(_ bytes: Data, to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = UnsafeRawBufferPointer(rebasing: rest).writeOnce(to: descriptor)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func readOnce(from descriptor: Int32) -> Int { read(descriptor, baseAddress, count) }
}

extension UnsafeRawBufferPointer {
    fileprivate func writeOnce(to descriptor: Int32) -> Int { write(descriptor, baseAddress, count) }
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
