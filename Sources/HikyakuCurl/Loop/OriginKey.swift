#if os(Linux)
/// Scheme, host and port of an absolute URL in one form for all its spellings.
enum OriginKey {
    /// `http://host` for `HTTP://Host:80/path`.
    static func key(of url: String) -> String {
        let key = prefix(of: url).lowercased()
        if key.hasPrefix("https:") { return key.hasSuffix(":443") ? String(key.dropLast(4)) : key }
        return key.hasSuffix(":80") ? String(key.dropLast(3)) : key
    }

    /// What stands before the path, the query and the fragment, as it is spelled.
    static func prefix(of url: String) -> String {
        var slashCount = 0
        let prefix = url.utf8.prefix { byte in
            if byte == UInt8(ascii: "/") { slashCount += 1 }
            return slashCount < 3 && !isEnd(byte)
        }
        return String(Substring(prefix))
    }

    /// Whether a URL begins with that scheme, host and port, spelled in this way.
    static func hasPrefix(_ url: String, _ prefix: String) -> Bool {
        guard url.hasPrefix(prefix) else { return false }
        let rest = url.utf8.dropFirst(prefix.utf8.count).first
        return rest.map { $0 == UInt8(ascii: "/") || isEnd($0) } ?? true
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }
}
#endif
