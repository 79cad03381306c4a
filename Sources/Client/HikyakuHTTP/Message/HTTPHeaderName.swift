import HikyakuBase

/// The name of a header field, equal to any other spelling of itself in upper and lower case.
///
/// ```swift
/// nonisolated extension HTTPHeaderName {
///     static let requestID: HTTPHeaderName = "X-Request-ID"
/// }
/// let response = try await client.bind(Shop.Dishes()).response()
/// log(response.headers[.requestID], response.headers[.contentType])
/// ```
/// The spelling that was given is the one that is sent.
///
/// [RFC 9110, section 5.1](https://www.rfc-editor.org/rfc/rfc9110#section-5.1)
public struct HTTPHeaderName: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name in the spelling that was given.
    public let rawName: String

    /// Makes a name of any text.
    ///
    /// A name that is not a token is rejected as `.invalidRequest` when it is sent.
    public init(_ name: String) {
        rawName = name
    }

    /// Makes a name of a literal, as ``init(_:)`` does.
    public init(stringLiteral value: String) {
        rawName = value
    }

    /// The name in the spelling that was given, with each control character replaced by U+FFFD.
    public var description: String { Redaction.printable(rawName) }

    /// Media types that the client understands (RFC 9110, section 12.5.1).
    public static let accept: HTTPHeaderName = "Accept"
    /// Content codings that the client understands (section 12.5.3).
    public static let acceptEncoding: HTTPHeaderName = "Accept-Encoding"
    /// Languages that the user prefers (section 12.5.4).
    public static let acceptLanguage: HTTPHeaderName = "Accept-Language"
    /// The credential of the request (section 11.6.2).
    public static let authorization: HTTPHeaderName = "Authorization"
    /// What caches may do (RFC 9111, section 5.2).
    public static let cacheControl: HTTPHeaderName = "Cache-Control"
    /// The content codings of the body (RFC 9110, section 8.4).
    public static let contentEncoding: HTTPHeaderName = "Content-Encoding"
    /// The body's size in bytes (section 8.6).
    public static let contentLength: HTTPHeaderName = "Content-Length"
    /// The body's media type (section 8.3).
    public static let contentType: HTTPHeaderName = "Content-Type"
    /// The cookies that the client returns to the server (RFC 6265, section 5.4).
    public static let cookie: HTTPHeaderName = "Cookie"
    /// When the message was made (RFC 9110, section 6.6.1).
    public static let date: HTTPHeaderName = "Date"
    /// The version of the representation (section 8.8.3).
    public static let etag: HTTPHeaderName = "ETag"
    /// `100-continue` holds the body back until the server agrees (RFC 9110, section 10.1.1).
    public static let expect: HTTPHeaderName = "Expect"
    /// The host of the request; the transport takes it from the URL (section 7.2).
    public static let host: HTTPHeaderName = "Host"
    /// Related resources, pages among them (RFC 8288).
    public static let link: HTTPHeaderName = "Link"
    /// The URL of a redirect or of the new resource (RFC 9110, section 10.2.2).
    public static let location: HTTPHeaderName = "Location"
    /// How long to wait before the next request, in seconds or as a date (section 10.2.3).
    public static let retryAfter: HTTPHeaderName = "Retry-After"
    /// A cookie for the client; the field is repeated, and its values must not be joined (RFC 6265, section 4.1).
    public static let setCookie: HTTPHeaderName = "Set-Cookie"
    /// The client's program (RFC 9110, section 10.1.5).
    public static let userAgent: HTTPHeaderName = "User-Agent"
    /// The authentication schemes that the server accepts (section 11.6.1).
    public static let wwwAuthenticate: HTTPHeaderName = "WWW-Authenticate"
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether another text of the same length has the same bytes, without regard to ASCII case.
    @inline(__always)
    func isEqualIgnoringCase(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in indices {
            let (byte, another) = (self[index], other[index])
            guard byte == another || ASCII.lowercased(byte) == ASCII.lowercased(another) else { return false }
        }
        return true
    }
}

extension HTTPHeaderName: Hashable {
    /// Compares without regard to ASCII case.
    public static func == (left: Self, right: Self) -> Bool {
        guard left.rawName.utf8.count == right.rawName.utf8.count else { return false }
        let isEqual = left.rawName.utf8.withContiguousStorageIfAvailable { left in
            right.rawName.utf8.withContiguousStorageIfAvailable { left.isEqualIgnoringCase(to: $0) }
        }
        if let isEqual, let isEqual { return isEqual }
        return left.rawName.asciiLowercased.hasSameBytes(as: right.rawName.asciiLowercased)
    }

    /// Feeds the lower-case bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in rawName.utf8 {
            hasher.combine(ASCII.lowercased(byte))
        }
    }
}
