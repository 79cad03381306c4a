/// Texts of a document as lines of documentation.
enum Documentation {
    /// The first sentence of a text, on one line without markup that a lint rejects; `nil` if there is none.
    static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        var line = ""
        var isSpace = false
        var scalars = withoutTags(text).prefix(2000).makeIterator()
        while let scalar = scalars.next() {
            // Markup that is replaced by something else would leave gaps.
            if scalar == "`" || scalar == "{" || scalar == "}" || scalar == "*" { continue }
            let isControl = scalar.value < 0x20 || scalar.value == 0x7F
            if isControl || scalar == " " || !scalar.isASCII && scalar.properties.isWhitespace {
                if scalar == "\n", line.unicodeScalars.last == ".", line.count > 3 { break }
                isSpace = true
                continue
            }
            if isSpace, !line.isEmpty {
                let last = line.unicodeScalars.last ?? " "
                if ".?!".unicodeScalars.contains(last), !endsWithAbbreviation(line) { break }
                line += " "
            }
            if scalar.isInvisible { continue }
            isSpace = false
            line.unicodeScalars.append(scalar)
        }
        line = withoutAbbreviations(line.trimmed)
        guard line.unicodeScalars.contains(where: { $0.properties.isAlphabetic }) else { return nil }
        while let last = line.last, ".?!:;,… ".contains(last) { line.removeLast() }
        return "。！？".contains(line.last ?? " ") ? line : line + "."
    }

    /// A text without the tags of HTML, of which those of a block end a line, and with the characters of its entities.
    private static func withoutTags(_ text: String) -> String.UnicodeScalarView {
        let scalars = text.unicodeScalars
        guard scalars.contains("<") || scalars.contains("&") else { return scalars }
        var result = String.UnicodeScalarView()
        var rest = scalars.prefix(4000)
        while let scalar = rest.popFirst() {
            if scalar == "<", let next = rest.first, next == "/" || next == "!" || next.properties.isAlphabetic,
                let end = rest.prefix(500).firstIndex(of: ">")
            {
                let name = rest.drop { $0 == "/" }.prefix {
                    $0.properties.isAlphabetic || $0.isASCII && $0.value > 0x2F
                }
                let isBlock = blockTags.contains(String(name.prefix { $0 != ">" }).lowercased())
                // A sentence ends with its paragraph.
                if isBlock, let last = result.last, last.properties.isAlphabetic { result.append(".") }
                if isBlock { result.append("\n") }
                rest = rest[rest.index(after: end)...]
            } else if scalar == "&", let entity = entities.first(where: { rest.starts(with: $0.name.unicodeScalars) }) {
                result.append(entity.scalar)
                rest = rest.dropFirst(entity.name.unicodeScalars.count)
            } else {
                result.append(scalar)
            }
        }
        return result
    }

    private static let blockTags: Set<String> = ["p", "br", "li", "ul", "ol", "div", "h1", "h2", "h3", "tr", "table"]
    private static let entities: [(name: String, scalar: Unicode.Scalar)] = [
        ("lt;", "<"), ("gt;", ">"), ("amp;", "&"), ("quot;", "\""), ("#39;", "'"), ("apos;", "'"), ("nbsp;", " "),
    ]

    /// A text on one line, without what can't be seen; what it is called in the document.
    static func words(_ text: String) -> String {
        var words = text.unicodeScalars.prefix(2000).split { $0.value <= 0x20 || $0.properties.isWhitespace }.map {
            word in
            String(String.UnicodeScalarView(word.filter { $0.value != 0x7F && !$0.isInvisible }))
        }
        words.removeAll(where: \.isEmpty)
        let line = words.joined(separator: " ")
        return line.isEmpty ? "an OpenAPI document" : line
    }

    private static func withoutAbbreviations(_ line: String) -> String {
        // Most lines have none, and the search takes long.
        guard line.utf8.dropLast().contains(UInt8(ascii: ".")) || line.hasSuffix("etc.") else { return line }
        var line = line
        for (short, long) in [
            ("e.g.", "for example"), ("i.e.", "that is"), (" etc.", " and so on"), ("E.g.", "For example"),
            ("I.e.", "That is"),
        ] {
            line = line.replacing(short + ",", with: long).replacing(short, with: long)
        }
        return line
    }

    private static func endsWithAbbreviation(_ line: String) -> Bool {
        let end = String(decoding: line.utf8.suffix(8), as: UTF8.self).lowercased()
        return ["e.g.", "i.e.", "etc.", "vs.", "cf.", "incl.", "approx."].contains { end.hasSuffix($0) }
    }
}

extension String {
    /// The text without markup at its beginning.
    fileprivate var trimmed: String {
        var text = self[...]
        while let first = text.first, first == "#" || first == " " || first == "*" && text.dropFirst().first == " " {
            text = text.dropFirst()
        }
        return String(text)
    }
}
