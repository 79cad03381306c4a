import HikyakuBase

/// What of a cURL line may be secret, and so must not get into code.
enum CurlSecrets {
    // MARK: Header fields

    /// What a header field has to do with the request that is made.
    enum FieldKind {
        /// The field has a credential, which a client adds by a provider.
        case credential(Code)
        /// A client, a browser or a proxy sets it.
        case automatic
        /// Its value is the same for each request, and harmless.
        case constant
        /// The caller has a value.
        case property(isSecret: Bool)
    }

    static func kind(ofField name: String, _ value: String) -> FieldKind {
        let lower = name.lowercased()
        if lower == "authorization" { return .credential(provider(of: value)) }
        if credentialFields.contains(lower) {
            return .credential(".apiKey(key, in: .header(\(Literal(name))))")
        }
        if automatic.contains(lower) || lower.begins(with: "sec-") || lower.begins(with: "proxy-") { return .automatic }
        if SampleKey.isSecret(name) { return .property(isSecret: true) }
        return isConstant(lower, value) ? .constant : .property(isSecret: false)
    }

    /// The provider for the value of an `Authorization` field.
    private static func provider(of value: String) -> Code {
        let words = value.split(separator: " ", maxSplits: 1)
        // Any other first word may be one of a password.
        guard words.count == 2, let scheme = words.first, schemes.contains(scheme.lowercased()) else {
            return ".apiKey(key, in: .authorizationValue)"
        }
        switch scheme.lowercased() {
        case "bearer": return ".bearer(token)"
        case "basic": return ".basic(user: user, password: password)"
        default: return ".apiKey(key, in: .authorization(scheme: \(Literal(String(scheme)))))"
        }
    }

    private static let schemes: Set<String> = [
        "bearer", "basic", "token", "digest", "apikey", "api-key", "key", "hawk", "oauth", "signature", "mac",
        "negotiate", "ntlm", "hoba", "mutual", "dpop", "gnap", "jwt", "sso-key", "bot", "zoho-oauthtoken",
        "genie-key", "deepl-auth-key", "privatetoken", "snowflake", "discogs", "klaviyo-api-key", "client-id",
        "aws4-hmac-sha256", "sharedkey", "vapid", "apitoken", "api-token",
    ]

    /// Whether credentials of a scheme are computed for each request.
    static func isComputed(_ value: String) -> Bool {
        let scheme = value.split(separator: " ").first?.lowercased() ?? ""
        return ["digest", "hawk", "oauth", "signature", "mac", "negotiate", "ntlm"].contains(scheme)
            || scheme.begins(with: "aws4-")
    }

    private static let credentialFields: Set<String> = [
        "x-api-key", "api-key", "apikey", "x-apikey", "x-auth-token", "x-access-token", "x-auth-key", "private-token",
        "x-goog-api-key", "x-rapidapi-key", "x-token", "x-app-token", "x-auth", "x-shopify-access-token",
        "x-figma-token",
        "ocp-apim-subscription-key", "x-vault-token", "dd-api-key", "x-functions-key", "x-subscription-token",
        "x-xsrf-authorization", "x-authorization", "job-token", "deploy-token", "circle-token", "x-cmc_pro_api_key",
    ]
    private static let automatic: Set<String> = [
        "host", "connection", "content-length", "content-type", "accept-encoding", "user-agent", "transfer-encoding",
        "te", "trailer", "upgrade", "upgrade-insecure-requests", "expect", "cache-control", "pragma", "dnt", "origin",
        "referer", "priority", "keep-alive", "if-none-match", "if-modified-since", "accept-language", "accept",
        "x-forwarded-for", "x-real-ip", "x-client-data", "x-requested-with", "cookie", "cookie2", "alt-used", "via",
    ]

    /// Whether a field has one of a few known values, or a version or a day.
    private static func isConstant(_ lowerName: String, _ value: String) -> Bool {
        switch lowerName {
        case "prefer":
            let choices = value.parts(by: ",").flatMap { $0.parts(by: ";") }.map(\.trimmedOfSpaces)
            return choices.allSatisfy { preferences.contains($0.lowercased()) }
        case "x-http-method-override": return ["PUT", "PATCH", "DELETE", "GET", "MERGE"].contains(value.uppercased())
        default: return lowerName.hasSuffix("version") && isVersion(value)
        }
    }

    private static let preferences: Set<String> = [
        "respond-async", "return=minimal", "return=representation", "handling=lenient", "handling=strict",
        "count=exact", "count=planned", "count=estimated", "resolution=merge-duplicates",
        "resolution=ignore-duplicates", "missing=default", "odata.continue-on-error",
    ]

    /// Whether a text is a version or a day, such as `v2`, `2026-03-01` or `7.1-preview.3`.
    private static func isVersion(_ text: String) -> Bool {
        guard text.utf8.count <= 20 else { return false }
        let parts = text.lowercased().utf8.split(omittingEmptySubsequences: false) { "-._".utf8.contains($0) }
        return parts.enumerated().allSatisfy { index, part in
            let word = part.prefix { !ASCII.isDigit($0) }
            let isKnown = word.isEmpty || versionWords.contains(String(Substring(word)))
            let number = part.dropFirst(word.count)
            return isKnown && number.allSatisfy(ASCII.isDigit) && number.count <= 8 && (index > 0 || !number.isEmpty)
        }
    }

    private static let versionWords: Set<String> = ["v", "preview", "beta", "alpha", "rc", "stable", "b", "p"]

    // MARK: Items

    /// Whether an item of a query has a credential that a client adds.
    static func isCredential(_ name: String, _ value: String?) -> Bool {
        let words = SwiftName.words(of: name).map { $0.lowercased() }
        let joined = words.joined()
        // A cursor may be called a token.
        if ["pagetoken", "nextpagetoken", "nexttoken", "continuationtoken", "synctoken"].contains(joined) {
            return false
        }
        if joined == "key" || joined == "code" { return (value?.utf8.count ?? 0) >= 16 }
        return SampleKey.isSecret(name)
    }

    // MARK: Paths

    /// Whether a segment of a path is a value rather than a name: a number, a UUID, a day, a code, or a placeholder,
    /// and what follows a segment such as `token`.
    static func isVariable(_ segment: String, after name: String?) -> Bool {
        // A URL in a path may be encoded twice.
        var text = segment
        for _ in 0..<3 { text = CurlURL.decoded(text) }
        if text.hasSuffix("()") { text.removeLast(2) }
        if placeholder(segment) != nil || text.has("%") || isValue(text) { return true }
        let words = name.map { SwiftName.words(of: CurlURL.decoded($0)) }
        guard let last = words?.last?.lowercased() else { return false }
        return namesOfSecrets.contains(last) && !afterSecrets.contains(text.lowercased())
    }

    /// The words before a secret in a path, and what else follows them.
    private static let namesOfSecrets: Set<String> = [
        "token", "secret", "password", "passwd", "passcode", "passphrase", "apikey", "key", "otp", "pin", "jwt",
        "session", "sessionid", "credential",
    ]
    private static let afterSecrets: Set<String> = [
        "new", "create", "list", "search", "refresh", "renew", "reset", "revoke", "rotate", "verify", "validate",
        "introspect", "introspection", "info", "status", "state", "current", "me", "self", "login", "logout",
        "start", "end", "change", "forgot", "forgotten", "update", "delete", "check", "confirm", "request", "exchange",
        "generate", "policy", "policies", "settings", "types", "v1", "v2", "v3",
    ]

    /// Whether a text is a value rather than a name.
    static func isValue(_ text: String) -> Bool {
        if SampleKey.isIdentifier(text) { return true }
        if text.utf8.contains(where: { "@:;=&?#(),'\"|\\".utf8.contains($0) }) { return true }
        let runs = text.utf8.split { !(0x41...0x5A ~= $0 & 0xDF || 0x30...0x39 ~= $0) }.map(\.count)
        let digits = text.utf8.count { 0x30...0x39 ~= $0 }
        // As in `s3cr3t` and `a1b2c3`, but not in `oauth2` or `v1beta1`.
        let isMixed = text.utf8.split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }.contains { run in
            let numbers = run.split { !ASCII.isDigit($0) }
            return run.count >= 6 && numbers.count >= 2
                && !(run.first == UInt8(ascii: "v") && numbers[0].startIndex == run.index(after: run.startIndex))
        }
        if isMixed { return true }
        let hasCapitals = text.utf8.contains { 0x41...0x5A ~= $0 } && text.utf8.contains { 0x61...0x7A ~= $0 }
        // Long runs of letters with digits or mixed capitals are codes: `dQw4w9WgXcQ`.
        return runs.contains { $0 >= 20 } || runs.contains { $0 >= 8 } && digits >= 2 && (hasCapitals || digits >= 4)
            || runs.contains { $0 >= 8 } && digits > 0 && text.utf8.allSatisfy { !(0x61...0x7A ~= $0) }
    }

    /// The name in `{id}`, `:id`, `<id>`, `$ID`, `${ID}` or `ITEM_ID`; `nil` for any other segment.
    static func placeholder(_ segment: String) -> String? {
        let text = CurlURL.decoded(segment)
        return markedName(text) ?? capitals(text)
    }

    /// The name in a placeholder with signs.
    static func markedName(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count > 1, let first = bytes.first, let last = bytes.last else { return nil }
        let inner: ArraySlice<UInt8>
        // A range in brackets, `[1-9]`, is a glob of cURL.
        let isBracketed = first == UInt8(ascii: "[")
        switch (first, last) {
        case (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "<"), UInt8(ascii: ">")),
            (UInt8(ascii: "["), UInt8(ascii: "]")):
            inner = bytes.dropFirst().dropLast()
        case (UInt8(ascii: ":"), _): inner = bytes.dropFirst()
        case (UInt8(ascii: "$"), UInt8(ascii: "}")) where bytes[1] == UInt8(ascii: "{"):
            inner = bytes.dropFirst(2).dropLast()
        case (UInt8(ascii: "$"), _): inner = bytes.dropFirst()
        default: return nil
        }
        let others = isBracketed ? "_ " : "_- "
        let isName = inner.allSatisfy { 0x41...0x5A ~= $0 & 0xDF || 0x30...0x39 ~= $0 || others.utf8.contains($0) }
        guard isName, inner.contains(where: { 0x41...0x5A ~= $0 & 0xDF }) else { return nil }
        return String(decoding: inner, as: UTF8.self)
    }

    /// The name in a text such as `OWNER` or `ISSUE_NUMBER`, as documentation writes what a reader fills in.
    ///
    /// A word without an underscore may be a value, such as a currency, unless it is known.
    private static func capitals(_ text: String) -> String? {
        guard text.utf8.allSatisfy({ 0x41...0x5A ~= $0 || $0 == UInt8(ascii: "_") }), text.utf8.count <= 40 else {
            return nil
        }
        let parts = text.parts(by: "_")
        guard parts.count > 1 ? !parts.contains("") : capitalWords.contains(text) else { return nil }
        return text.lowercased()
    }

    private static let capitalWords: Set<String> = [
        "OWNER", "REPO", "ORG", "USER", "USERNAME", "ID", "NAME", "SLUG", "TEAM", "BRANCH", "REF", "SHA", "TAG",
        "EMAIL",
    ]
}
