#if os(Linux)
import CNghttp2
import HikyakuBase
import HikyakuHTTP

/// The fields of a request in nghttp2's form.
///
/// Names are in lower case; connection-specific fields are left out, as HTTP/2 has none. Credentials are never added to
/// the compression table, against which an attacker could check guesses.
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

    /// - Throws: An error of the reason `url` for a target that no request may have.
    init(_ request: HTTPRequest, _ url: RequestURL) throws(TransportError) {
        let headers = request.headers
        bytes.reserveCapacity(256 + headers.count * 48)
        lines.reserveCapacity(headers.count + 5)
        add(":method", request.method.rawValue)
        add(":scheme", url.isSecure ? "https" : "http")
        if let host = headers.contains(.host) ? headers[.host] : nil {
            add(":authority", host)
        } else {
            add(":authority") { url.appendHost(to: &$0) }
        }
        if request.method == .options, url.hasNoTarget {
            add(":path", "*")
        } else {
            try add(":path") { (bytes: inout [UInt8]) throws(TransportError) in
                try url.appendTarget(to: &bytes)
            }
        }
        for field in headers where !Self.isLeftOut(field) {
            add(field.name.rawName, field.value, isSecret: field.isCredential)
        }
        if case .length(let count) = RequestHead.framing(of: request), !headers.contains(.contentLength) {
            add("content-length", String(count))
        }
    }

    private mutating func add(_ name: String, _ value: String, isSecret: Bool = false) {
        var (name, value) = (name, value)
        let start = bytes.count
        name.withUTF8 { bytes.append(contentsOf: $0) }
        let middle = bytes.count
        for index in start..<middle { bytes[index] = ASCII.lowercased(bytes[index]) }
        value.withUTF8 { value in
            // Without the white space around it, which recipients ignore in HTTP/1.1 and reject here.
            let value = UnsafeRawBufferPointer(value)
            bytes.append(contentsOf: value[value.trimmed(0, value.count)])
        }
        let valueCount = bytes.count - middle
        lines.append(Line(start: start, nameCount: middle - start, valueCount: valueCount, isSecret: isSecret))
    }

    private mutating func add<E>(_ name: StaticString, _ addValue: (inout [UInt8]) throws(E) -> Void) throws(E) {
        let start = bytes.count
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        let middle = bytes.count
        try addValue(&bytes)
        lines.append(
            Line(start: start, nameCount: middle - start, valueCount: bytes.count - middle, isSecret: false)
        )
    }

    /// Compares only names of the same length.
    private static func isLeftOut(_ field: HTTPHeaders.Field) -> Bool {
        switch field.name.rawName.utf8.count {
        case 2: field.name == "TE" && !field.value.trimmingSpaces.hasSameBytes(as: "trailers")
        case 4: field.name == .host
        case 7: field.name == "Upgrade"
        case 10: field.name == "Connection" || field.name == "Keep-Alive"
        case 14: field.name == "HTTP2-Settings"
        case 16: field.name == "Proxy-Connection"
        case 17: field.name == "Transfer-Encoding"
        default: false
        }
    }

    /// Calls a closure with the fields, which are valid only while it runs.
    func withFields<Result>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            // nghttp2 takes mutable pointers, but only copies the bytes.
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
