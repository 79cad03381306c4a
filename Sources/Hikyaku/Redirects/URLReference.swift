/// A URL or a relative reference taken apart; nothing of it is decoded or judged.
///
/// Foundation resolves references by rules of its own: it keeps dot segments here and drops them there, and reads
/// `//host` by what stands before it. Where a credential goes hangs on this, so it is done by the letter.
///
/// [RFC 3986, appendix B](https://www.rfc-editor.org/rfc/rfc3986#appendix-B)
struct URLReference {
    var scheme: Substring?
    var authority: Substring?
    var path: Substring
    var query: Substring?

    /// Takes a text apart; its fragment is left out, since it never goes over the wire.
    ///
    /// - Parameter text: ASCII alone, so that no character can swallow the delimiter before it.
    init(_ text: String) {
        var rest = text.prefix { $0 != "#" }
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(where: { $0 == ":" || $0 == "/" }), rest[colon] == ":",
            Self.isScheme(rest[..<colon])
        {
            scheme = rest[..<colon]
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        path = rest
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter else { return false }
        return text.utf8.allSatisfy { $0.isASCIILetter || 0x30...0x39 ~= $0 || "+-.".utf8.contains($0) }
    }

    /// The reference as it reads from a base (RFC 3986, section 5.2.2, strictly).
    func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme == nil {
            target.scheme = base.scheme
            if authority == nil {
                target.authority = base.authority
                if path.isEmpty {
                    target.path = base.path
                    target.query = query ?? base.query
                } else if !path.hasPrefix("/") {
                    target.path = base.merged(with: path)
                }
            }
        }
        target.path = Self.withoutDotSegments(target.path)
        return target
    }

    /// Section 5.2.3.
    private func merged(with relative: Substring) -> Substring {
        if authority != nil, path.isEmpty { return "/" + relative }
        guard let slash = path.lastIndex(of: "/") else { return relative }
        return path[...slash] + relative
    }

    /// Section 5.2.4; a dot may also be written `%2e`, as browsers read it.
    private static func withoutDotSegments(_ path: Substring) -> Substring {
        guard path.hasPrefix("/") else { return path }
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment.lowercased() {
            case ".", "%2e":
                if isLast { kept.append("") }
            case "..", ".%2e", "%2e.", "%2e%2e":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    /// The whole as one text (section 5.3).
    var text: String {
        (scheme.map { "\($0):" } ?? "") + (authority.map { "//\($0)" } ?? "") + path + (query.map { "?\($0)" } ?? "")
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { 0x61...0x7A ~= asciiLowercased }
}
