import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPRequest {
    /// Refuses what would be misread on the wire, whoever put it there.
    ///
    /// - Throws: ``TransportError`` with a reason of the phase `.invalidRequest`; its message names the field and never
    ///   a value.
    package func checkForWire() throws(TransportError) {
        if isChecked { return }
        guard method.rawValue.isHTTPToken, method.rawValue != "CONNECT" else {
            throw TransportError(.method, "the method \(method.rawValue.tokenPart) can't be sent")
        }
        if !hasCheckedURL, !urlText.isPlainURL { try url.checkForWire() }
        guard body == nil || method != .head else {
            throw TransportError(.body, "a HEAD request can't carry a body")
        }
        if let count = body?.count, count < 0 { throw TransportError(.body, "the body's length is negative") }
        for field in headers {
            try field.checkForWire()
            try checkFraming(field)
        }
    }

    /// The request, refused as by ``checkForWire()``, which isn't checked again until it is changed.
    // A request that is consumed isn't copied when it is returned, as a variable is.
    package consuming func checkedForWire() throws(TransportError) -> HTTPRequest {
        try checkForWire()
        isChecked = true
        return self
    }

    /// Refuses fields that belong to the transport, since two opinions about where a message ends are how one request
    /// is read as two (RFC 9112, section 11.2).
    private func checkFraming(_ field: HTTPHeaders.Field) throws(TransportError) {
        switch field.name {
        case "Transfer-Encoding":
            throw TransportError(.header, "the transport chooses Transfer-Encoding")
        case "Expect":
            throw TransportError(.header, "no transport waits for an interim answer, as Expect would ask")
        case .contentLength where field.value != bodyLength || isRepeated(.contentLength):
            throw TransportError(.header, "Content-Length differs from the body's length")
        case .host where field.value.isEmpty || isRepeated(.host):
            throw TransportError(.header, "there must be one Host, and it can't be empty")
        default:
            return
        }
    }

    /// What `Content-Length` may say; `nil` for a body whose length isn't known.
    private var bodyLength: String? {
        guard let body else { return "0" }
        return body.count.map { String($0) }
    }

    private func isRepeated(_ name: HTTPHeaderName) -> Bool { headers.values(for: name).count > 1 }
}

extension URL {
    fileprivate func checkForWire() throws(TransportError) {
        guard let scheme = scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw TransportError(.url, "the URL's scheme is not http or https")
        }
        guard let host = writtenHost, !host.isEmpty else {
            throw TransportError(.url, "the URL has no host")
        }
        // Brackets are for addresses alone, and this property leaves them out.
        let isBracketed = absoluteString.utf8.dropFirst(scheme.utf8.count + 3).first == UInt8(ascii: "[")
        guard host.hasByte(":") == isBracketed,
            host.isHostName || (isBracketed && (host.isIPLiteral || host.isZonedIPLiteral))
        else {
            throw TransportError(.url, "the URL's host has a character that no host may have")
        }
        guard user(percentEncoded: true) == nil, password(percentEncoded: true) == nil else {
            throw TransportError(.url, "the URL carries credentials; send them in a header")
        }
        // A number that is too large for this property is as if there were none.
        guard port.map({ 1...65535 ~= $0 }) ?? !hasPortText else {
            throw TransportError(.url, "the URL's port is not in 1...65535")
        }
        if let problem = URLPath.problem(in: path(percentEncoded: true)) { throw TransportError(.url, "\(problem)") }
    }
}

extension URL {
    /// Whether anything stands behind the colon after the host.
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
    fileprivate func checkForWire() throws(TransportError) {
        guard name.rawName.isHTTPToken else {
            throw TransportError(.header, "a header name is not a token; it begins with \(name.rawName.tokenPart)")
        }
        guard value.utf8.allSatisfy(ASCII.isFieldContent) else {
            throw TransportError(.header, "the value of the header \(name.rawName) has a control character")
        }
    }
}

extension String {
    /// Whether the text is a token of RFC 9110, section 5.6.2.
    package var isHTTPToken: Bool {
        !isEmpty && utf8.allSatisfy(ASCII.isToken)
    }

    /// What of the text may be repeated in an error: it ends where a value may have slipped in.
    fileprivate var tokenPart: String {
        "\"\(String(decoding: utf8.prefix(while: ASCII.isToken).prefix(40), as: UTF8.self))\""
    }

    /// Whether all bytes can stand in the name or the IPv4 address of a host.
    package var isHostName: Bool {
        !isEmpty && utf8.allSatisfy(ASCII.isUnreserved)
    }

    /// Whether all bytes can stand in an IPv6 address, without its brackets (RFC 3986, section 3.2.2).
    package var isIPLiteral: Bool {
        hasByte(":") && utf8.allSatisfy { ASCII.hexadecimalValue($0) != nil || $0 == 0x3A || $0 == 0x2E }
    }

    /// Whether it is an IPv6 address with the zone in which it holds, as a URL has it: `fe80::1%25eth0` (RFC 6874).
    package var isZonedIPLiteral: Bool {
        let parts = byteSplit(separator: "%", omittingEmptySubsequences: false)
        guard parts.count == 2, String(parts[0]).isIPLiteral, parts[1].hasBytePrefix("25") else { return false }
        return String(Substring(parts[1].utf8.dropFirst(2))).isHostName
    }
}
