import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Request line and header fields, parsed strictly: any mistake of a client is rejected.
///
/// [RFC 9112, sections 3 and 5](https://www.rfc-editor.org/rfc/rfc9112#section-3)
struct RequestHead: Sendable {
    /// The framing of the body.
    enum Framing: Hashable {
        case none
        case length(Int)
        case chunked
    }

    let method: HTTPMethod
    let target: String
    let minorVersion: Int
    let headers: HTTPHeaders
    let framing: Framing
    /// The received bytes, including the empty line.
    let raw: Data

    /// Whether the client waits for `100 Continue` before it sends the body.
    var expectsContinue: Bool {
        minorVersion > 0 && framing != .none && headers.hasToken("100-continue", in: "Expect")
    }

    /// Whether the connection may stay open after the answer.
    var keepsConnection: Bool {
        if headers.hasToken("close", in: "Connection") { return false }
        return minorVersion > 0 || headers.hasToken("keep-alive", in: "Connection")
    }

    /// The properties that the answer depends on.
    var occasion: AnswerPlan.Occasion {
        AnswerPlan.Occasion(method: method, minorVersion: minorVersion, keepsConnection: keepsConnection)
    }

    /// Parses lines with their line ends; the last one is empty.
    init(lines: [[UInt8]]) throws(RequestDefect) {
        raw = Data(lines.joined())
        guard let first = lines.first else { throw RequestDefect("the request line is missing") }
        let words = first.dropLast(2).split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3 else { throw RequestDefect("the request line is not method, target and version") }
        let method = String(decoding: words[0], as: UTF8.self)
        guard method.isHTTPToken else { throw RequestDefect("the method is not a token") }
        guard !words[1].isEmpty, words[1].allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw RequestDefect("the request target is empty or has characters that must be percent-encoded")
        }
        let version = String(decoding: words[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            let isHTTP = version.hasPrefix("HTTP/")
            throw RequestDefect(status: isHTTP ? 505 : .badRequest, "the version is neither HTTP/1.1 nor HTTP/1.0")
        }
        self.method = HTTPMethod(method)
        target = String(decoding: words[1], as: UTF8.self)
        minorVersion = version == "HTTP/1.1" ? 1 : 0
        var headers = HTTPHeaders()
        for line in lines.dropFirst().dropLast() {
            let field = try Self.field(line: line)
            headers.append(field.name, field.value)
        }
        self.headers = headers
        framing = try Self.framing(headers: headers, minorVersion: minorVersion)
        guard minorVersion == 0 || headers.values(for: .host).count == 1 else {
            throw RequestDefect("an HTTP/1.1 request must have exactly one Host field")
        }
    }

    /// Parses one field with its line end; also for trailers.
    static func field(line: [UInt8]) throws(RequestDefect) -> HTTPHeaders.Field {
        let content = line.dropLast(2)
        guard let colon = content.firstIndex(of: 0x3A) else { throw RequestDefect("a header line has no colon") }
        let name = String(decoding: content[..<colon], as: UTF8.self)
        guard name.isHTTPToken else { throw RequestDefect("the header name \(name.debugDescription) is not a token") }
        let value = content[(colon + 1)...]
        guard value.allSatisfy(ASCII.isFieldContent) else {
            throw RequestDefect("the value of the header \(name) has a control character")
        }
        return HTTPHeaders.Field(name: HTTPHeaderName(name), value: String(text(of: value).trimmingSpaces))
    }

    /// The bytes as UTF-8, or as Latin-1 if they are invalid as UTF-8.
    private static func text(of bytes: ArraySlice<UInt8>) -> String {
        String(bytes: bytes, encoding: .utf8)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }

    private static func framing(headers: HTTPHeaders, minorVersion: Int) throws(RequestDefect) -> Framing {
        let lengths = headers.values(for: .contentLength).flatMap { $0.byteSplit(separator: ",") }
            .map { String($0.trimmingSpaces) }
        if let coding = headers["Transfer-Encoding"] {
            guard minorVersion > 0, lengths.isEmpty else {
                throw RequestDefect("Transfer-Encoding is not allowed with Content-Length or in HTTP/1.0")
            }
            guard coding.asciiLowercased == "chunked" else {
                throw RequestDefect(status: 501, "chunked is the only supported transfer coding")
            }
            return .chunked
        }
        guard headers.contains(.contentLength) else { return .none }
        guard let length = lengths.first, Set(lengths).count == 1, length.utf8.allSatisfy(ASCII.isDigit) else {
            throw RequestDefect("Content-Length is not a single number")
        }
        // There are only digits, so the number is too large.
        guard let count = Int(length) else { throw RequestDefect.bodyTooLarge }
        return count == 0 ? .none : .length(count)
    }
}

extension MockRequest {
    init(head: RequestHead, body: Data, trailers: HTTPHeaders, connectionNumber: Int) {
        self.init(
            head.method,
            target: head.target,
            headers: head.headers,
            rawHead: head.raw,
            body: body,
            trailers: trailers,
            connectionNumber: connectionNumber,
        )
    }
}

/// Why a request is rejected, with the status.
struct RequestDefect: Error, Hashable {
    let status: HTTPStatus
    let message: String

    static let bodyTooLarge = RequestDefect(status: 413, "the body is larger than the limit")
    static let headTooLarge = RequestDefect(status: 431, "the header block is larger than the limit")

    init(status: HTTPStatus = .badRequest, _ message: String) {
        self.status = status
        self.message = message
    }
}

extension HTTPHeaders {
    /// Whether a comma-separated field contains a lower-case token, ignoring case.
    func hasToken(_ token: String, in name: HTTPHeaderName) -> Bool {
        values(for: name).contains { value in
            value.byteSplit(separator: ",").contains { $0.trimmingSpaces.asciiLowercased == token }
        }
    }
}
