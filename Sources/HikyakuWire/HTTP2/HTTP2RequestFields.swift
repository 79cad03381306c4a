#if os(Linux)
import CNghttp2
import HikyakuHTTP

/// The fields of a request in nghttp2's form.
///
/// Names are in lower case; fields about the connection are left out, as HTTP/2 has none. Credentials are never put into
/// the compression's table, from which a guess could be checked.
///
/// [RFC 9113, section 8.2](https://www.rfc-editor.org/rfc/rfc9113#section-8.2),
/// [RFC 7541, section 7.1.3](https://www.rfc-editor.org/rfc/rfc7541#section-7.1.3)
struct HTTP2RequestFields {
    private struct Line {
        let start: Int
        let nameCount: Int
        let valueCount: Int
        let isSecret: Bool
    }

    private var bytes: [UInt8] = []
    private var lines: [Line] = []

    init(_ request: HTTP2Request) {
        bytes.reserveCapacity(512)
        lines.reserveCapacity(request.headers.count + 5)
        add(":method", request.method.rawValue)
        add(":scheme", request.scheme)
        add(":authority", request.headers[.host] ?? request.authority)
        add(":path", request.path.isEmpty ? (request.method == .options ? "*" : "/") : request.path)
        for field in request.headers where !Self.isLeftOut(field) {
            add(field.name.rawName, field.value, isSecret: field.isCredential)
        }
        if let length = Self.length(of: request), !request.headers.contains(.contentLength) {
            add("content-length", String(length))
        }
    }

    private mutating func add(_ name: String, _ value: String, isSecret: Bool = false) {
        let start = bytes.count
        for byte in name.utf8 { bytes.append(byte.asciiLowercased) }
        let middle = bytes.count
        bytes.append(contentsOf: value.trimmingSpaces.utf8)
        lines.append(
            Line(start: start, nameCount: middle - start, valueCount: bytes.count - middle, isSecret: isSecret)
        )
    }

    private static func isLeftOut(_ field: HTTPHeaders.Field) -> Bool {
        switch field.name {
        case .host, "Connection", "Proxy-Connection", "Keep-Alive", "Transfer-Encoding", "Upgrade", "HTTP2-Settings":
            true
        case "TE": !field.value.trimmingSpaces.hasSameBytes(as: "trailers")
        default: false
        }
    }

    /// A method that is meant to have content says that there is none (RFC 9110, section 8.6).
    private static func length(of request: HTTP2Request) -> Int? {
        switch request.body {
        case .none: request.method == .post || request.method == .put || request.method == .patch ? 0 : nil
        case .whole(let bytes): bytes.count
        case .pieces(let count): count
        }
    }

    /// Calls a closure with the fields, which are valid only while it runs.
    func withFields<Result>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            // nghttp2 takes pointers to bytes that it could change, and copies them.
            let start = UnsafeMutablePointer(mutating: bytes.baseAddress)
            let fields = lines.map { line in
                nghttp2_nv(
                    name: start.map { $0 + line.start },
                    value: start.map { $0 + line.start + line.nameCount },
                    namelen: line.nameCount,
                    valuelen: line.valueCount,
                    flags: UInt8(line.isSecret ? NGHTTP2_NV_FLAG_NO_INDEX.rawValue : NGHTTP2_NV_FLAG_NONE.rawValue),
                )
            }
            return fields.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        }
    }
}
#endif
