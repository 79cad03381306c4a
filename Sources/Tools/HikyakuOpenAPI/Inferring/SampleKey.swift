import HikyakuBase

/// What the keys of samples say about their values.
enum SampleKey {
    // MARK: Names of types

    /// The name of one of several: `categories` becomes `category`; a name that is not a plural stays.
    static func singular(_ key: String) -> String {
        guard let last = SwiftName.words(of: key).last?.lowercased(), key.lowercased().hasSuffix(last) else {
            return key
        }
        if let one = irregular[last] { return String(key.dropLast(last.count)) + one }
        guard last.utf8.count > 3 || last == "ids", last.hasSuffix("s") else { return key }
        if unchanged.contains(last) || last.hasSuffix("ss") { return key }
        if last.hasSuffix("ies"), last.utf8.count > 4, !["movies", "cookies", "calories", "selfies"].contains(last) {
            return String(key.dropLast(3)) + "y"
        }
        let isHissing = ["sses", "shes", "ches", "xes", "zzes", "tuses", "nuses", "iases"].contains {
            last.hasSuffix($0)
        }
        return String(key.dropLast(isHissing ? 2 : 1))
    }

    private static let irregular = [
        "children": "child", "people": "person", "indices": "index", "vertices": "vertex", "matrices": "matrix",
        "entries": "entry", "replies": "reply", "criteria": "criterion",
    ]
    private static let unchanged: Set<String> = [
        "news", "status", "canvas", "settings", "details", "series", "species", "metrics", "analytics", "statistics",
        "stats", "alias", "bonus", "atlas", "lens", "https", "campus", "focus", "virus", "basis", "axis", "analysis",
        "credentials", "preferences", "contents", "minus", "plus", "radius", "census", "corpus", "always", "previous",
        "graphics", "options", "insights", "address", "access", "success", "progress", "business", "class",
    ]

    // MARK: Sets of values

    /// Whether texts of a key may be values of a set: not what is a name, an identifier, or may be secret.
    static func canHaveValues(_ key: String) -> Bool {
        let words = SwiftName.words(of: key).map { $0.lowercased() }
        guard let last = words.last, !free.contains(last) else { return false }
        return !isSecret(key) && !words.contains { personal.contains($0) }
    }

    private static let free: Set<String> = [
        "id", "ids", "uid", "uuid", "guid", "name", "names", "title", "titles", "text", "body", "content",
        "description",
        "summary", "message", "comment", "comments", "note", "notes", "label", "slug", "code", "path", "file",
        "filename",
        "url", "uri", "href", "link", "host", "domain", "query", "value", "hash", "sha", "ref", "version", "city",
        "street",
        "street1", "street2", "address", "number", "tag", "tags", "etag", "cursor", "by",
    ]
    private static let personal: Set<String> = [
        "user", "username", "login", "email", "mail", "phone", "author", "owner", "creator", "assignee", "person",
        "nick",
        "nickname", "first", "last", "firstname", "lastname", "handle", "customer", "company", "gender", "religion",
        "blood", "diagnosis",
    ]

    // MARK: Secrets

    /// Whether a key's value is likely to be a credential.
    static func isSecret(_ key: String) -> Bool {
        let words = SwiftName.words(of: key).map { $0.lowercased() }
        if words.contains(where: secretWords.contains) { return true }
        let joined = words.joined()
        if secretTexts.contains(where: { joined.has(part: $0) }) { return true }
        return words.last == "key" && words.count > 1 && !["sort", "order", "group", "public"].contains(words[0])
    }

    private static let secretWords: Set<String> = [
        "token", "secret", "password", "passwd", "pwd", "passphrase", "pin", "otp", "auth", "authorization",
        "authentication", "credential", "credentials", "signature", "sig", "hmac", "session", "sessionid", "sid", "jwt",
        "bearer", "cookie", "csrf", "xsrf", "cvc", "cvv", "nonce", "assertion", "verifier", "ticket",
    ]
    private static let secretTexts = [
        "apikey", "accesskey", "secretkey", "privatekey", "authkey", "accesstoken", "authtoken", "appid", "appkey",
        "subscriptionkey", "password", "clientsecret", "secret", "token",
    ]

    // MARK: Maps

    /// Whether keys are those of a dictionary: identifiers, days, or short codes in capitals, rather than names that a
    /// program knows.
    ///
    /// - Parameter keys: The keys of all samples.
    /// - Returns: Whether all of them are such keys.
    static func areOfMap(_ keys: [String]) -> Bool {
        if keys.count >= 2, keys.allSatisfy(isIdentifier) { return true }
        if !keys.isEmpty, keys.allSatisfy({ isUnique($0) || isCode($0) }) { return true }
        // Currencies, countries and languages.
        return keys.count >= 8 && keys.allSatisfy { (2...5).contains($0.utf8.count) && $0.utf8.allSatisfy(isCapital) }
    }

    /// Whether a text is a UUID or an address of mail, which no program has as a name.
    private static func isUnique(_ text: String) -> Bool { SampleTexts.isUUID(text) || text.has("@") && text.has(".") }

    /// Whether a text is a long identifier, which may be a credential, or an address of mail:
    /// `sk_live_4eC39HqLyjWDarjt`.
    static func isCode(_ text: String) -> Bool {
        text.utf8.count >= 16 && isIdentifier(text) || text.utf8.dropFirst().contains(UInt8(ascii: "@"))
    }

    /// More keys than any program knows by name.
    static let membersMax = 400

    private static func isCapital(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }

    /// Whether a text is made by a machine: a number, a UUID, a date, or a long text of digits and letters.
    static func isIdentifier(_ text: String) -> Bool {
        SampleTexts.isUUID(text) || SampleTexts.isDay(text) || SampleTexts.isDateTime(text)
            || DocumentKey.isIdentifier(text)
    }
}

extension String {
    /// Whether the text contains another one, by bytes.
    func has(part: String) -> Bool {
        let (bytes, part) = (Array(utf8), Array(part.utf8))
        guard bytes.count >= part.count else { return false }
        return (0...bytes.count - part.count).contains { bytes[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
