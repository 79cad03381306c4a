import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The rules for showing messages: everything that is not known to be harmless is hidden.
package enum Redaction {
    package static let placeholder = "‹redacted›"

    package static func value(of field: HTTPHeaders.Field) -> String {
        !field.isSecret && field.name.isShown ? printable(field.value) : placeholder
    }

    /// A peer's text as one line of bounded length that can't move a terminal's cursor or forge a line of a log.
    package static func printable(_ text: String, scalarsMax: Int = 500) -> String {
        let scalars = text.unicodeScalars
        let isPlain = scalars.count <= scalarsMax && scalars.allSatisfy { !isControl($0) }
        guard !isPlain else { return text }
        let shown = scalars.prefix(scalarsMax).map { isControl($0) ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(shown)) + (scalars.count > scalarsMax ? "…" : "")
    }

    /// A service's text for people in one line of bounded length.
    ///
    /// Unlike ``printable(_:scalarsMax:)``, it keeps the joiners that emoji and many scripts need, and line breaks
    /// become spaces.
    package static func readable(_ text: String, scalarsMax: Int = 1_000) -> String {
        var shown = String.UnicodeScalarView()
        var (count, endsWithSpace) = (0, true)
        for scalar in text.unicodeScalars {
            guard count < scalarsMax else { return String(shown) + "…" }
            count += 1
            let isSpace = scalar.properties.isWhitespace
            guard !isSpace || !endsWithSpace else { continue }
            shown.append(isSpace ? " " : isControl(scalar) && !isJoiner(scalar) ? "\u{FFFD}" : scalar)
            endsWithSpace = isSpace
        }
        if endsWithSpace, !shown.isEmpty { shown.removeLast() }
        return String(shown)
    }

    /// The words of a peer's text for developers, from its first 100 bytes: `too_many_pings`.
    ///
    /// What has digits, other signs or mixed case may be a secret, and so may be what follows a word for one: `…`
    /// stands for it.
    package static func words(in bytes: some Collection<UInt8>) -> String {
        var shown: [String] = []
        for part in bytes.prefix(100).split(whereSeparator: { $0 <= 0x20 }) {
            let word = part.drop { "\"(".utf8.contains($0) }.prefix { !".,:;!?\")".utf8.contains($0) }
            let text = isWord(word) ? String(decoding: word, as: UTF8.self) : "…"
            if text != "…" || shown.last != "…" { shown.append(text) }
            guard !secretWords.contains(where: { text.asciiLowercased.hasByteSuffix($0) }) else {
                return (shown + ["…"]).joined(separator: " ")
            }
        }
        if bytes.count > 100, shown.last != "…" { shown.append("…") }
        return shown.joined(separator: " ")
    }

    /// Whether it is a word as texts have them: in lower case, in upper case, or with a capital.
    private static func isWord(_ bytes: some Collection<UInt8>) -> Bool {
        let isOfLetters = bytes.allSatisfy { ASCII.isLetter($0) || "_-'".utf8.contains($0) }
        guard isOfLetters, 1...24 ~= bytes.count else { return false }
        let capitals = bytes.count(where: ASCII.isUppercase)
        return capitals == 0 || capitals == bytes.count(where: ASCII.isLetter)
            || bytes.first.map(ASCII.isUppercase) == true
                && capitals == 1
    }

    private static let secretWords = [
        "basic", "bearer", "token", "key", "password", "passwd", "secret", "cookie", "authorization", "credential",
        "credentials", "session",
    ]

    /// The joiner, the non-joiner, and the marks of direction, which affect no other text.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { 0x200C...0x200F ~= scalar.value }

    /// Also characters that change the direction of writing, and line separators that are not control characters.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Scheme, host, port, path and the names of the query's items: `https://a.example/items?page=…`.
    ///
    /// The secrets are left out of the path, and out of the names in the query.
    package static func text(of url: URL, without secrets: PathSecrets = PathSecrets()) -> String {
        guard let scheme = url.scheme, let host = url.bracketedHost else { return placeholder }
        let port = url.port.map { ":\($0)" } ?? ""
        var text = "\(scheme)://\(host)\(port)\(secrets.hidden(in: url.path(percentEncoded: true)))"
        if let query = url.query(percentEncoded: true), !query.isEmpty {
            text += "?" + secrets.hidden(in: query.byteSplit(separator: "&").map(itemName).joined(separator: "&"))
        }
        return printable(text, scalarsMax: .max)
    }

    /// The name of `name=value`; an item without a value may be a secret as a whole, as `aHVudGVyMg==` is.
    private static func itemName(_ item: Substring) -> String {
        guard let equals = item.firstByteIndex(of: "="), item[equals...].utf8.contains(where: { $0 != 0x3D }) else {
            return "…"
        }
        return item[..<equals] + "=…"
    }

    /// Whether a library's text may contain a URL, and so a password; then it is not shown.
    package static func mayHoldURL(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "@")) || text.utf8.firstRange(of: "://".utf8) != nil
    }

    /// Type and length: `application/json, 315 bytes`.
    package static func text(of body: HTTPBody, headers: HTTPHeaders) -> String {
        "\(printable(headers[.contentType] ?? "no type", scalarsMax: 100)), \(body)"
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// A line for each field, with the values of harmless fields alone.
    public var description: String {
        map(\.description).joined(separator: "\n")
    }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: map { (label: $0.name.description, value: Redaction.value(of: $0)) })
    }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// `Name: value`, the value hidden unless the field is known to be harmless.
    public var description: String { "\(name): \(Redaction.value(of: self))" }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name.description, "value": Redaction.value(of: self)])
    }
}

extension HTTPRequest {
    /// The URL without the query's values and the secrets in the path.
    package var shownURL: String { Redaction.text(of: url, without: pathSecrets) }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// `GET https://a.example/items?page=…`.
    public var description: String { "\(method) \(shownURL)" }

    /// What is shown of each part, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method.description, "url": shownURL, "headers": headers, "body": body as Any,
            ],
        )
    }
}

extension HTTPResponse: CustomStringConvertible {
    /// `200 OK, application/json, 315 bytes`.
    public var description: String { "\(status), \(Redaction.text(of: body, headers: headers))" }
}
