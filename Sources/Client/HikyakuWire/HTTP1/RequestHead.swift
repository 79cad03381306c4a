#if os(Linux)
import FoundationEssentials
import HikyakuBase
import HikyakuHTTP

/// The request line and the header lines of one request, as they are sent.
///
/// It adds `Host` as the first field unless the request has one, `Content-Length` or `Transfer-Encoding` as the last,
/// and no other field. The request was checked by `checkForWire` before.
///
/// [RFC 9112, section 3](https://www.rfc-editor.org/rfc/rfc9112#section-3)
struct RequestHead {
    /// How the body is framed.
    enum Framing: Equatable {
        case none
        /// By a length, which a field of the request may state already.
        case length(Int)
        case chunked
    }

    /// The lines, with room for a small body after them.
    private(set) var bytes: [UInt8]
    let framing: Framing
    /// Whether the request says that its connection ends with it.
    private(set) var closesConnection = false
    /// Whether the body is held back until the server agrees to it.
    private(set) var expectsContinue = false

    /// - Parameters:
    ///   - request: What to send; checked for the wire.
    ///   - url: Its URL.
    ///   - room: How many more bytes will be appended.
    /// - Throws: An error of the reason `url` for a target that no request line can have.
    init(_ request: HTTPRequest, _ url: RequestURL, room: Int) throws(TransportError) {
        let framing = Self.framing(of: request)
        self.framing = framing
        bytes = []
        bytes.reserveCapacity(url.text.utf8.count + 160 + request.headers.count * 48 + room)
        append(request.method.rawValue)
        bytes.append(0x20)
        if request.method == .options, url.hasNoTarget {
            bytes.append(UInt8(ascii: "*"))
        } else {
            try url.appendTarget(to: &bytes)
        }
        append(" HTTP/1.1\r\n")
        // Most requests have neither field.
        let (hasHost, hasLength) = (request.headers.contains(.host), request.headers.contains(.contentLength))
        if !hasHost {
            append("Host: ")
            url.appendHost(to: &bytes)
            append("\r\n")
        }
        for field in request.headers {
            append(field.name.rawName)
            append(": ")
            append(field.value)
            append("\r\n")
            switch field.name.rawName.utf8.count {
            case 10 where field.name == "Connection": noteConnection(field.value)
            // A checked request has no other expectation.
            case 6 where field.name == .expect: expectsContinue = true
            default: break
            }
        }
        switch framing {
        case .length(let count) where !hasLength: append("Content-Length: \(count)\r\n")
        case .chunked: append("Transfer-Encoding: chunked\r\n")
        case .none, .length: break
        }
        append("\r\n")
    }

    /// Adds a small body.
    mutating func append(_ body: Data) {
        bytes.append(contentsOf: body)
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func noteConnection(_ value: String) {
        let words = value.asciiLowercased.byteSplit(separator: ",")
        if words.contains(where: { $0.trimmingSpaces.hasSameBytes(as: "close") }) { closesConnection = true }
    }

    /// How a request's body is framed.
    ///
    /// POST, PUT and PATCH without a body have the length 0 (RFC 9110, section 8.6).
    static func framing(of request: HTTPRequest) -> Framing {
        if let body = request.body { return body.count.map { .length($0) } ?? .chunked }
        return request.method == .post || request.method == .put || request.method == .patch ? .length(0) : .none
    }
}

/// The parts of an absolute URL's text, found by their bytes.
struct RequestURL {
    let text: String
    /// Whether the scheme is https; in a checked request, it is http otherwise.
    let isSecure: Bool
    /// Where the authority begins.
    let authority: Int
    /// One past the authority, and so past the origin.
    let prefixEnd: Int

    init(_ text: String) {
        var text = text
        var (isSecure, authority, prefixEnd) = (false, 0, 0)
        text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            isSecure = bytes.count > 4 && bytes[4] | 0x20 == UInt8(ascii: "s")
            authority = min(isSecure ? 8 : 7, bytes.count)
            prefixEnd = authority
            while prefixEnd < bytes.count, !bytes[prefixEnd].endsAuthority { prefixEnd += 1 }
        }
        (self.text, self.isSecure, self.authority, self.prefixEnd) = (text, isSecure, authority, prefixEnd)
    }

    /// The part before the path, as it is spelled: `https://host:port`.
    func withPrefix<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = text
        return text.withUTF8 { body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[..<prefixEnd])) }
    }

    /// The scheme's default port, which has no meaning at the end of the authority (RFC 3986, section 6.2.3).
    var defaultPort: StaticString { isSecure ? ":443" : ":80" }

    /// Whether there is neither a path nor a query.
    var hasNoTarget: Bool { text.utf8.dropFirst(prefixEnd).first.map { $0 == UInt8(ascii: "#") } ?? true }

    /// Adds path and query as they are spelled, without the fragment.
    func appendTarget(to out: inout [UInt8]) throws(TransportError) {
        var text = text
        let isClean = text.withUTF8 { bytes in
            let end = bytes[prefixEnd...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
            if prefixEnd == end || bytes[prefixEnd] != UInt8(ascii: "/") { out.append(UInt8(ascii: "/")) }
            let target = bytes[prefixEnd..<end]
            out.append(contentsOf: target)
            return target.allSatisfy { 0x21...0x7E ~= $0 }
        }
        guard isClean else { throw WireCause.url.error("the URL has a character that is invalid in a request") }
    }

    /// Adds the host, and the port unless it is the scheme's default (RFC 9110, section 7.2).
    func appendHost(to out: inout [UInt8]) {
        var text = text
        text.withUTF8 { bytes in
            var host = bytes[authority..<prefixEnd]
            let ending = UnsafeBufferPointer(start: defaultPort.utf8Start, count: defaultPort.utf8CodeUnitCount)
            if host.count > ending.count, host.suffix(ending.count).elementsEqual(ending) {
                host = host.dropLast(ending.count)
            } else if host.last == UInt8(ascii: ":") {
                host = host.dropLast()
            }
            // A zone has a meaning only on this machine (RFC 6874, section 4).
            if let zone = host.firstIndex(of: UInt8(ascii: "%")), let end = host.lastIndex(of: UInt8(ascii: "]")),
                zone < end
            {
                out.append(contentsOf: host[..<zone])
                host = host[end...]
            }
            out.append(contentsOf: host)
        }
    }
}

extension UInt8 {
    fileprivate var endsAuthority: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }
}
#endif
