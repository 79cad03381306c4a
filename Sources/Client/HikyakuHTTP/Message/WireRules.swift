import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPRequest {
    /// Rejects a request that a server could misread.
    ///
    /// - Throws: ``TransportError`` with a reason of the phase `.invalidRequest`; its message names the field and never
    ///   a value.
    package func checkForWire() throws(TransportError) {
        if isChecked { return }
        guard method.rawValue.isHTTPToken, method.rawValue != "CONNECT" else {
            throw HTTPCause.method.error("the method \(method.rawValue.tokenPart) can't be sent")
        }
        if !hasCheckedURL, !urlText.isPlainURL { try url.checkForWire() }
        guard body == nil || method != .head && method != .trace else {
            throw HTTPCause.bodyForHead.error("a \(method) request can't carry a body")
        }
        if let count = body?.count, count < 0 { throw HTTPCause.bodyLength.error("the body's length is negative") }
        for field in headers {
            try field.checkForWire()
            try checkFraming(field)
        }
    }

    /// Checks the request as ``checkForWire()`` does; it is not checked again until it is changed.
    // A consumed request is not copied when it is returned, unlike a variable.
    package consuming func checkedForWire() throws(TransportError) -> HTTPRequest {
        try checkForWire()
        isChecked = true
        return self
    }

    /// Rejects fields that the transport must set, since a contradictory length lets one request be read as two
    /// (RFC 9112, section 11.2).
    private func checkFraming(_ field: HTTPHeaders.Field) throws(TransportError) {
        switch field.name {
        case "Transfer-Encoding":
            throw HTTPCause.framing.error("the transport chooses Transfer-Encoding")
        case .expect where !field.value.asciiLowercased.hasSameBytes(as: "100-continue") || isRepeated(.expect):
            throw HTTPCause.field.error("the only expectation is Expect: 100-continue")
        // RFC 9110, section 10.1.1: not without content.
        case .expect where body.map { $0.count == 0 } ?? true:
            throw HTTPCause.field.error("a request without content can't have Expect: 100-continue")
        case .contentLength where field.value != bodyLength || isRepeated(.contentLength):
            throw HTTPCause.framing.error("Content-Length differs from the body's length")
        case .host where field.value.isEmpty || isRepeated(.host):
            throw HTTPCause.field.error("Host must be present once and not empty")
        default:
            return
        }
    }

    /// The only valid `Content-Length`; `nil` for a body of unknown length.
    private var bodyLength: String? {
        guard let body else { return "0" }
        return body.count.map { String($0) }
    }

    private func isRepeated(_ name: HTTPHeaderName) -> Bool { headers.values(for: name).count > 1 }
}

extension URL {
    fileprivate func checkForWire() throws(TransportError) {
        guard let scheme = scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw HTTPCause.url.error("the URL's scheme is not http or https")
        }
        guard let host = writtenHost, !host.isEmpty else {
            throw HTTPCause.url.error("the URL has no host")
        }
        // Only addresses have brackets, which this property omits.
        let isBracketed = absoluteString.utf8.dropFirst(scheme.utf8.count + 3).first == UInt8(ascii: "[")
        guard (isBracketed ? "[\(host)]" : host).isURLHost else {
            throw HTTPCause.url.error("the URL's host has an invalid character or an empty label")
        }
        guard user(percentEncoded: true) == nil, password(percentEncoded: true) == nil else {
            throw HTTPCause.url.error("the URL carries credentials; send them in a header")
        }
        // For a number that is too large, this property is `nil`.
        guard port.map({ 1...65535 ~= $0 }) ?? !hasPortText else {
            throw HTTPCause.url.error("the URL's port is not in 1...65535")
        }
        if let problem = URLPath.problem(in: path(percentEncoded: true)) { throw HTTPCause.url.error("\(problem)") }
    }
}

extension URL {
    /// Whether there is text after the colon that follows the host.
    private var hasPortText: Bool {
        // A scheme, which is `http` or `https`, has no slash.
        let parts = absoluteString.byteSplit(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return false }
        let authority = parts[2].utf8.prefix { !"/?#".utf8.contains($0) }
        let tail = authority[(authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex)...]
        return tail.firstIndex(of: UInt8(ascii: ":")).map { tail.index(after: $0) != tail.endIndex } ?? false
    }
}

extension HTTPHeaders.Field {
    package func checkForWire() throws(TransportError) {
        guard name.rawName.isHTTPToken else {
            throw HTTPCause.field.error("a header name is not a token: it begins with \(name.rawName.tokenPart)")
        }
        guard value.utf8.allSatisfy(ASCII.isFieldContent) else {
            throw HTTPCause.field.error("the value of the header \(name.rawName) has a control character")
        }
    }
}

extension String {
    /// Whether the text is a token of RFC 9110, section 5.6.2.
    package var isHTTPToken: Bool {
        !isEmpty && utf8.allSatisfy(ASCII.isToken)
    }

    /// The part of the text that an error may show: it ends where a value may begin.
    fileprivate var tokenPart: String {
        "\"\(String(decoding: utf8.prefix(while: ASCII.isToken).prefix(40), as: UTF8.self))\""
    }
}

extension String {
    /// Whether the text is a URL of the usual form, which can't be misread: scheme, host, optional port, a path of
    /// unreserved characters in which no segment begins with a dot, optional query.
    ///
    /// Parsing a URL makes a text for each part, which takes about ten times as long as scanning its bytes once. Other
    /// URLs may be valid too; their parts have to be checked one by one.
    package var isPlainURL: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let start = PlainURL.endOfScheme(in: bytes),
                let path = PlainURL.endOfAuthority(in: bytes, from: start)
            else { return false }
            return PlainURL.isPlainPath(bytes, from: path)
        }
    }
}

private enum PlainURL {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    static func endOfScheme(in bytes: Bytes) -> Int? {
        if bytes.starts(with: "http://") { return 7 }
        return bytes.starts(with: "https://") ? 8 : nil
    }

    /// Where the path begins, after the host and an optional port.
    static func endOfAuthority(in bytes: Bytes, from start: Int) -> Int? {
        var index = start
        while index < bytes.count, ASCII.isUnreserved(bytes[index]) {
            let isDot = bytes[index] == UInt8(ascii: ".")
            guard !isDot || (index > start && bytes[index - 1] != UInt8(ascii: ".")) else { return nil }
            index += 1
        }
        guard index > start else { return nil }
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return index }
        var port = 0
        let first = index + 1
        index = first
        while index < bytes.count, ASCII.isDigit(bytes[index]), index - first < 5 {
            port = port * 10 + Int(bytes[index] - 0x30)
            index += 1
        }
        return 1...65535 ~= port ? index : nil
    }

    static func isPlainPath(_ bytes: Bytes, from start: Int) -> Bool {
        guard start < bytes.count else { return true }
        guard bytes[start] == UInt8(ascii: "/") else { return false }
        var previous: UInt8 = 0
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "?") { return bytes[index...].allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x23 } }
            guard ASCII.isUnreserved(byte) || byte == UInt8(ascii: "/"),
                byte != UInt8(ascii: ".") || previous != UInt8(ascii: "/")
            else { return false }
            previous = byte
        }
        return true
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where self[index] != text.utf8Start[index] { return false }
        return true
    }
}

/// The rules for paths.
package enum URLPath {
    /// Why a percent-encoded path is rejected: a broken triplet, a dot segment in any spelling, a NUL.
    ///
    /// Many servers decode `%2F` before they look for dot segments, and some read `\` as `/`. So the path is decoded
    /// first, and split at both.
    ///
    /// - Returns: The problem, without the path's content; `nil` if there is none.
    package static func problem(in path: String) -> String? {
        var path = path
        return path.withUTF8 { bytes in
            // The part between two separators so far: how many dots, unless there is anything else.
            var dotCount: Int? = 0
            var index = 0
            while index < bytes.count {
                var byte = bytes[index]
                index += 1
                if byte == UInt8(ascii: "%") {
                    guard let decoded = PercentCoding.byte(at: index - 1, in: bytes) else {
                        return "the path contains a % without two hexadecimal digits"
                    }
                    byte = decoded
                    index += 2
                }
                switch byte {
                case UInt8(ascii: "/"), UInt8(ascii: "\\"):
                    if let problem = dotProblem(dotCount) { return problem }
                    dotCount = 0
                case UInt8(ascii: "."): dotCount? += 1
                case 0: return "the path contains a NUL"
                default: dotCount = nil
                }
            }
            return dotProblem(dotCount)
        }
    }

    private static func dotProblem(_ dotCount: Int?) -> String? {
        guard let dotCount, 1...2 ~= dotCount else { return nil }
        return "the path contains the segment \(dotCount == 1 ? "." : ".."), which would change the path"
    }
}
