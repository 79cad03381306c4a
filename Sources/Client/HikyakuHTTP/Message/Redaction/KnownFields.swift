/// The properties of well-known header fields.
///
/// The two properties are independent. The value of an unknown field is never shown, and the field is not sent to
/// another origin.
private enum KnownFields {
    struct Traits: OptionSet {
        let rawValue: UInt8

        /// The value may be printed: it is not a secret.
        static let shown = Traits(rawValue: 1)
        /// A redirect to another origin keeps the field: it reveals nothing about the sender.
        static let crossesOrigins = Traits(rawValue: 2)
    }

    static let table: [HTTPHeaderName: Traits] = [
        "Accept": [.shown, .crossesOrigins],
        "Accept-Charset": [.shown, .crossesOrigins],
        "Accept-Encoding": [.shown, .crossesOrigins],
        "Accept-Language": [.shown, .crossesOrigins],
        "Accept-Ranges": .shown,
        "Age": .shown,
        "Allow": .shown,
        "Cache-Control": .shown,
        "Connection": .shown,
        "Content-Encoding": [.shown, .crossesOrigins],
        "Content-Language": [.shown, .crossesOrigins],
        "Content-Length": [.shown, .crossesOrigins],
        "Content-Range": .shown,
        "Content-Type": [.shown, .crossesOrigins],
        "Date": .shown,
        "Deprecation": .shown,
        "Expect": [.shown, .crossesOrigins],
        "Expires": .shown,
        "Host": .shown,
        "If-Modified-Since": .crossesOrigins,
        "If-None-Match": .crossesOrigins,
        "If-Range": .crossesOrigins,
        "Keep-Alive": .shown,
        "Last-Modified": .shown,
        "Range": [.shown, .crossesOrigins],
        "RateLimit-Limit": .shown,
        "RateLimit-Remaining": .shown,
        "RateLimit-Reset": .shown,
        "Retry-After": .shown,
        "Server": .shown,
        "Sunset": .shown,
        "Total-Count": .shown,
        "traceparent": .crossesOrigins,
        "tracestate": .crossesOrigins,
        "Transfer-Encoding": .shown,
        "Upload-Complete": .shown,
        "Upload-Draft-Interop-Version": .shown,
        "Upload-Length": .shown,
        "Upload-Limit": .shown,
        "Upload-Offset": .shown,
        "User-Agent": [.shown, .crossesOrigins],
        "Vary": .shown,
        "Via": .shown,
        "X-RateLimit-Limit": .shown,
        "X-RateLimit-Remaining": .shown,
        "X-RateLimit-Reset": .shown,
        "X-Total-Count": .shown,
    ]
}

extension HTTPHeaderName {
    /// Whether the field's value may be printed, unless it is marked as a secret.
    var isShown: Bool { KnownFields.table[self]?.contains(.shown) == true }

    /// Whether a redirect to another origin keeps the field, unless it is marked as a secret.
    package var crossesOrigins: Bool { KnownFields.table[self]?.contains(.crossesOrigins) == true }
}
