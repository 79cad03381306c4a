import HikyakuBase

/// What a body is that is not JSON, as far as its first bytes show.
struct BodyContent {
    let kind: DecodingDiagnosis.Kind
    /// In words that follow "found".
    let words: String

    private init(_ kind: DecodingDiagnosis.Kind, _ words: String) {
        self.kind = kind
        self.words = words
    }

    /// Recognizes compressed data and multi-byte charsets, whose first bytes never begin a JSON document.
    init?(binaryIn bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.starts(with: [0x1F, 0x8B]) {
            self.init(.malformed, "gzip data that was not decompressed")
        } else if let charset = Self.markedCharset(of: bytes) {
            self.init(.wrongCharset, "text in \(charset), with a byte order mark")
        } else if let charset = Self.charset(ofFour: bytes.prefix(4).map { $0 == 0 }) {
            self.init(.wrongCharset, "text in \(charset), without a byte order mark")
        } else {
            return nil
        }
    }

    /// Recognizes markup and plain text: content that does not begin like an array or object and has words where no
    /// value can be.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - revealingValues: Whether a page's title is shown unmasked.
    ///   - showingSize: Whether the words say how long a page is.
    init?(textIn bytes: UnsafeBufferPointer<UInt8>, revealingValues: Bool, showingSize: Bool = true) {
        let content = bytes.dropFirst(Bytes.start(of: bytes)).drop(while: Byte.isSpace)
        switch content.first {
        case UInt8(ascii: "<"):
            self = Self.markup(content, bodyBytes: showingSize ? bytes.count : nil, revealingValues)
        case nil, Byte.openBrace, Byte.openBracket, Byte.quote:
            return nil
        default:
            guard Self.isText(content.prefix(256)) else { return nil }
            self.init(.plainText, "plain text")
        }
    }

    private static func markedCharset(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return "UTF-32 (little-endian)" }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32 (big-endian)" }
        if bytes.starts(with: [0xFF, 0xFE]) { return "UTF-16 (little-endian)" }
        return bytes.starts(with: [0xFE, 0xFF]) ? "UTF-16 (big-endian)" : nil
    }

    /// A document begins with ASCII, so the zeros among its first four bytes show the charset.
    private static func charset(ofFour isZero: [Bool]) -> String? {
        switch isZero {
        // The second character may be beyond ASCII, or missing.
        case [false, true, false, true], [false, true, false, false], [false, true]: "UTF-16 (little-endian)"
        case [true, false, true, false], [true, false, false, false], [true, false]: "UTF-16 (big-endian)"
        case [false, true, true, true]: "UTF-32 (little-endian)"
        case [true, true, true, false]: "UTF-32 (big-endian)"
        default: nil
        }
    }

    /// Two letters, and no control characters.
    private static func isText(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let letters = bytes.count { ASCII.isLetter($0) || $0 >= 0x80 }
        return letters >= 2 && !bytes.contains { $0 < 0x20 && !Byte.isSpace($0) }
    }

    private static let tags = [
        "!doctype html", "html", "head", "body", "title", "meta", "script", "h1", "h2", "p", "div", "center", "pre",
        "br", "table",
    ]

    private static func markup(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>,
        bodyBytes: Int?,
        _ revealingValues: Bool,
    ) -> BodyContent {
        if isWarning(bytes.prefix(1024)) {
            return BodyContent(.malformed, "a warning of the service's own program, in place of or before a document")
        }
        // XHTML begins like XML.
        let isPage = isTag(bytes, among: tags) || end(of: "<html", in: bytes.prefix(1024)) != nil
        guard isPage else { return BodyContent(.xml, "XML") }
        let size = bodyBytes.map { " of \($0) \($0 == 1 ? "byte" : "bytes")" } ?? ""
        let page = "an HTML page\(size)"
        // The title may contain a person's name.
        guard let title = title(in: bytes.prefix(64 * 1024)) else { return BodyContent(.html, page) }
        let shown = revealingValues ? VisibleText.of(title, max: 80) : ValueShape.of(title, max: 40)
        let words = ValueShape.words("title", "\"\(shown)\"", isMasked: !revealingValues)
        return BodyContent(.html, "\(page) with \(words)")
    }

    /// Whether PHP has printed a message of its own, as it does before a document.
    private static func isWarning(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard isTag(bytes, among: ["br", "b"]) else { return false }
        return ["<b>warning</b>", "<b>notice</b>", "<b>deprecated</b>", "<b>fatal error</b>"]
            .contains { end(of: $0, in: bytes) != nil }
    }

    private static func isTag(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, among names: [String]) -> Bool {
        names.contains { name in
            let rest = bytes.dropFirst()
            let next = rest.dropFirst(name.utf8.count).first ?? Byte.space
            return rest.lazy.map(ASCII.lowercased).starts(with: name.utf8) && !ASCII.isLetter(next)
        }
    }

    /// The end of a text in lower case, which is searched for without regard to case.
    private static func end(of text: String, in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        bytes.map(ASCII.lowercased).firstRange(of: text.utf8).map { bytes.startIndex + $0.upperBound }
    }

    /// The page's title on one line.
    private static func title(in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        guard let tag = end(of: "<title", in: bytes),
            let start = bytes[tag...].firstIndex(of: UInt8(ascii: ">")),
            let end = end(of: "</title", in: bytes[(start + 1)...])
        else { return nil }
        let text = String(decoding: bytes[(start + 1)..<(end - 7)].prefix(1024), as: UTF8.self)
        let words = unescaped(text).unicodeScalars.split { $0.properties.isWhitespace }
        return words.isEmpty ? nil : words.map { String($0) }.joined(separator: " ")
    }

    /// The text with its character references decoded, scalar by scalar, as in browsers.
    private static func unescaped(_ text: String) -> String {
        let entities: [(String, Unicode.Scalar)] = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&"),
        ]
        // An ampersand comes last, so that it begins no other reference.
        let scalars = entities.reduce(into: text.unicodeScalars) { scalars, entity in
            scalars.replace(entity.0.unicodeScalars, with: CollectionOfOne(entity.1))
        }
        return String(scalars)
    }
}
