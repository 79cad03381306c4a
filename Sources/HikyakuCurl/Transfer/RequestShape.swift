#if os(Linux)
import HikyakuHTTP

/// What of a request is set on an easy handle, so that the next one sets only what differs.
struct RequestShape {
    /// How libcurl is told about the method; the word itself may be another.
    enum Kind {
        /// No body is sent, and one may come.
        case plain
        /// No body is sent, and none comes.
        case head
        /// A body is sent, perhaps an empty one with `Content-Length: 0`.
        case content
    }

    let kind: Kind
    /// The word on the request line where it isn't libcurl's own for the kind.
    let method: String?

    init(_ request: HTTPRequest) {
        switch request.method {
        case .head:
            (kind, method) = (.head, nil)
        case .post:
            (kind, method) = (.content, nil)
        case .put, .patch:
            (kind, method) = (.content, request.method.rawValue)
        case let other where request.body != nil:
            (kind, method) = (.content, other.rawValue)
        case .get:
            (kind, method) = (.plain, nil)
        case let other:
            (kind, method) = (.plain, other.rawValue)
        }
    }
}
#endif
