import HikyakuBase

/// The parts of a cURL line's URL.
struct CurlURL {
    /// Scheme, host and port.
    private(set) var origin = ""
    /// The host alone.
    private(set) var host = ""
    /// The segments of the path, percent-encoded, without empty ones at the ends.
    private(set) var segments: [String] = []
    private(set) var endsWithSlash = false
    /// Names and values of the query, decoded.
    var items: [(name: String, value: String?)] = []
    private(set) var hasUser = false
    private(set) var notes: [CurlLine.Note] = []

    /// - Throws: ``InferenceFailure`` if it is not a URL of the web; the text isn't shown, since it may have secrets.
    init(_ text: String) throws(InferenceFailure) {
        let fragment = text.parts(by: "#")
        let query = (fragment.first ?? "").utf8.split(
            separator: UInt8(ascii: "?"),
            maxSplits: 1,
            omittingEmptySubsequences: false,
        )
        var address = query.first.map { String(Substring($0)) } ?? ""
        var scheme = "https"
        // A path may have another URL in it.
        if let range = address.utf8.firstRange(of: "://".utf8), Self.isScheme(address.utf8[..<range.lowerBound]) {
            scheme = String(Substring(address.utf8[..<range.lowerBound])).lowercased()
            address = String(Substring(address.utf8[range.upperBound...]))
        } else {
            notes.append(.init(message: "the URL has no scheme", action: "https is used"))
        }
        guard scheme == "https" || scheme == "http" else {
            // Any other word may be what somebody pasted in front of a URL.
            let isKnown = Self.otherSchemes.contains(scheme)
            let name = isKnown ? "the URL's scheme is \(scheme)" : "the URL has another scheme"
            throw InferenceFailure("\(name); only http and https have requests")
        }
        var parts = address.parts(by: "/")[...]
        var authority = parts.popFirst() ?? ""
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            hasUser = true
            authority = String(Substring(authority.utf8[at...].dropFirst()))
        }
        origin = "\(scheme)://\(authority.lowercased())"
        host = authority.lowercased().parts(by: ":").first ?? ""
        // What looks like a port may be a password.
        guard authority.isURLAuthority, EnvironmentPlanner.isURL(origin) else {
            throw InferenceFailure("the URL has no valid host: 'https://host/path' is expected, in ASCII")
        }
        endsWithSlash = parts.last == "" && parts.count > 1
        segments = parts.map { $0.parts(by: ";").first ?? "" }.filter { !$0.isEmpty }
        if parts.contains(where: { $0.has(";") }) {
            // Such as `;jsessionid=…`, which servers write into URLs.
            let action = "add what is not a credential to the 'path'"
            notes.append(.init(message: "the path has parameters after ';', which are left out", action: action))
        }
        if query.count == 2 { items = Self.items(String(Substring(query[1]))) }
    }

    private static let otherSchemes: Set<String> = [
        "ftp", "ftps", "sftp", "scp", "file", "ws", "wss", "ldap", "ldaps", "smtp", "imap", "pop3", "mqtt", "gopher",
        "dict", "telnet", "rtsp", "smb", "tftp", "data", "mailto", "ipfs",
    ]

    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, 0x41...0x5A ~= first & 0xDF, text.count <= 40 else { return false }
        return text.allSatisfy { 0x41...0x5A ~= $0 & 0xDF || 0x30...0x39 ~= $0 || "+.-".utf8.contains($0) }
    }

    /// The items of a query or of a form.
    static func items(_ text: String) -> [(name: String, value: String?)] {
        text.parts(by: "&").filter { !$0.isEmpty }.map { item in
            let pair = item.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = decoded(String(Substring(pair[0])), plusIsSpace: true)
            return (name, pair.count == 2 ? decoded(String(Substring(pair[1])), plusIsSpace: true) : nil)
        }
    }

    /// A text without percent-encoding; a triplet that is none stays.
    static func decoded(_ text: String, plusIsSpace: Bool = false) -> String {
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = ASCII.hexadecimalValue(source[index + 1]),
                let low = ASCII.hexadecimalValue(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(plusIsSpace && source[index] == UInt8(ascii: "+") ? 0x20 : source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Environment

    /// How many segments of the path belong to the base URL: those to the last one of the first three that is `api`,
    /// `rest` or a version, as long as one is left for the request.
    var baseCount: Int {
        let first = segments.prefix(3)
        guard let last = first.lastIndex(where: Self.isOfBase), last + 1 < segments.count else { return 0 }
        // A path may have what an environment can't.
        guard EnvironmentPlanner.isURL(([origin] + first[...last]).joined(separator: "/")) else { return 0 }
        // What is before a version must be the same for all requests.
        return (0...last).contains { CurlSecrets.isVariable(segments[$0], after: segments[..<$0].last) } ? 0 : last + 1
    }

    private static func isOfBase(_ segment: String) -> Bool {
        let text = segment.lowercased()
        if text == "api" || text == "rest" { return true }
        guard text.first == "v" else { return false }
        let number = text.dropFirst()
        return number.first.map { "0"..."9" ~= $0 } ?? false
            && number.utf8.allSatisfy { 0x30...0x39 ~= $0 || ".abeltph".utf8.contains($0) }
    }

    /// The name of the service in its host: `github` of `api.github.com`.
    var serviceName: String {
        // An address of IPv6.
        if host.begins(with: "[") { return "server" }
        let labels = host.parts(by: ".").filter { !$0.isEmpty }
        if labels.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) || labels.count == 1 {
            return labels.count == 1 && labels[0].utf8.first.map { $0 > 0x39 } == true ? labels[0] : "server"
        }
        var rest = labels.dropLast()
        // `co.uk`, `com.au`
        if rest.count > 1, let last = rest.last, ["co", "com", "org", "net", "ac", "gov", "or", "ne"].contains(last) {
            rest = rest.dropLast()
        }
        return rest.last ?? "server"
    }
}
