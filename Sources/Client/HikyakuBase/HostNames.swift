extension String {
    /// Whether the text can be the host of a URL: the one rule for base URLs, redirects, links, uploads, endpoints,
    /// documents and cURL lines.
    ///
    /// It is a name, an IPv4 address, or an IPv6 address in brackets, which may have a zone.
    package var isURLHost: Bool {
        guard utf8.first == UInt8(ascii: "["), utf8.last == UInt8(ascii: "]") else { return isHostName }
        let address = String(Substring(utf8.dropFirst().dropLast()))
        return address.isIPLiteral || address.isZonedIPLiteral
    }

    /// Whether the text is the host of a URL, with a port or without.
    package var isURLAuthority: Bool {
        let isAddress = utf8.first == UInt8(ascii: "[")
        let hostEnd = isAddress ? utf8.firstIndex(of: UInt8(ascii: "]")) : utf8.startIndex
        guard let hostEnd else { return false }
        guard let colon = utf8[hostEnd...].firstIndex(of: UInt8(ascii: ":")) else { return isURLHost }
        let port = utf8[colon...].dropFirst()
        let isPort = port.isEmpty || ASCII.decimal(port).map { 1...65535 ~= $0 } ?? false
        return isPort && String(Substring(utf8[..<colon])).isURLHost
    }

    /// Whether the text can be the name or the IPv4 address of a host: all bytes are allowed in one, and no label is
    /// empty, apart from the root's after a dot at the end.
    ///
    /// OpenSSL reads a name that begins with a dot as any of its subdomains, and an empty one as any host.
    package var isHostName: Bool {
        var previous = UInt8(ascii: ".")
        for byte in utf8 {
            guard ASCII.isUnreserved(byte), byte != UInt8(ascii: ".") || byte != previous else { return false }
            previous = byte
        }
        return !isEmpty
    }

    /// Whether all bytes are allowed in an IPv6 address, without its brackets (RFC 3986, section 3.2.2).
    package var isIPLiteral: Bool {
        utf8.contains(UInt8(ascii: ":"))
            && utf8.allSatisfy { ASCII.hexadecimalValue($0) != nil || $0 == 0x3A || $0 == 0x2E }
    }

    /// Whether it is an IPv6 address with a zone, as in a URL: `fe80::1%25eth0` (RFC 6874).
    package var isZonedIPLiteral: Bool {
        let parts = utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        guard parts.count == 2, String(Substring(parts[0])).isIPLiteral, parts[1].starts(with: "25".utf8) else {
            return false
        }
        return String(Substring(parts[1].dropFirst(2))).isHostName
    }
}
