/// What the body of a cURL line is.
enum CurlBody {
    case none
    /// A document of JSON, with its media type if that is a special one.
    case json([UInt8], type: String)
    case lines([UInt8], type: String)
    case form([(name: String, value: String?)])
    case multipart([CurlPart])
    case text(type: String)
    case bytes(type: String)
}

/// A part of a multipart body, of which only the kind of its value is known.
struct CurlPart {
    enum Content {
        case text(String)
        case json([UInt8])
        case file
    }

    var name: String
    var content: Content
    var type: String?
}

/// Puts the pieces of a body together.
struct CurlBodyReader {
    /// Loads a file that a body is made of; `nil` if there is none.
    let loader: (String) -> [UInt8]?
    private(set) var notes: [CurlLine.Note] = []

    init(loader: @escaping (String) -> [UInt8]?) {
        self.loader = loader
    }

    /// The body of a line that has the given media type by a field.
    mutating func body(of line: CurlLine, type: String?) -> CurlBody {
        if !line.parts.isEmpty {
            let parts = line.parts.compactMap { part($0) }
            if parts.count < line.parts.count { note("a part of the form is only a value", "it is left out") }
            return .multipart(parts)
        }
        if line.uploadsFile { return .bytes(type: type ?? "application/octet-stream") }
        guard !line.pieces.isEmpty else { return .none }
        guard let bytes = content(of: line.pieces) else {
            return unknown(line.pieces, type: type ?? Self.defaultType(of: line))
        }
        guard !bytes.isEmpty else { return .none }
        let isObject = bytes.first { $0 > 0x20 }.map { "{[".utf8.contains($0) } ?? false
        if type == nil, !line.isJSON, isObject, Self.isJSON(bytes) {
            note("the body is JSON, and the line has no field 'Content-Type: application/json'", "it is sent as JSON")
            return .json(bytes, type: "application/json")
        }
        let name = MediaTypeName(type ?? Self.defaultType(of: line))
        switch name.kind {
        case .json: return .json(bytes, type: name.essence)
        case .jsonLines: return .lines(bytes, type: name.essence)
        case .form: return form(bytes, type: name.essence)
        case .multipart: return .multipart(Self.parts(in: bytes))
        case .text, .eventStream: return .text(type: name.essence)
        case .xml, .any, .binary: return .bytes(type: name.essence)
        }
    }

    /// The media type that curl sends for a line without one.
    private static func defaultType(of line: CurlLine) -> String {
        line.isJSON ? "application/json" : "application/x-www-form-urlencoded"
    }

    /// A form, or a text if one of its items is only a value, which may be secret.
    private mutating func form(_ bytes: [UInt8], type: String) -> CurlBody {
        let items = CurlURL.items(String(decoding: bytes, as: UTF8.self).trimmedOfSpaces)
        // Where none is written as it is, a blank in a name was encoded.
        let hasBlanks = bytes.contains(0x20)
        let isForm = items.allSatisfy {
            $0.value != nil && !CurlQuery.isNameless($0.name, $0.value)
                && Self.isFormName(hasBlanks ? $0.name : $0.name.filter { $0 != " " })
        }
        guard !isForm else { return .form(items) }
        let isLikeJSON = bytes.first { $0 > 0x20 }.map { "{[".utf8.contains($0) } ?? false
        note(
            isLikeJSON ? "the body begins like JSON, but isn't JSON" : "the body is not a form of names and values",
            "the caller gives the whole body",
        )
        return .text(type: type)
    }

    /// Whether a text before `=` is the name of a form's field, rather than a part of XML, JSON or a sentence.
    private static func isFormName(_ name: String) -> Bool {
        !name.utf8.contains { $0 <= 0x20 || "<>{}\"'".utf8.contains($0) }
    }

    /// The items of a query that `-G` or `--url-query` makes of pieces.
    mutating func items(of pieces: [CurlLine.Piece]) -> [(name: String, value: String?)] {
        var items: [(name: String, value: String?)] = []
        for piece in pieces {
            if let bytes = content(of: piece) {
                items += CurlURL.items(String(decoding: bytes, as: UTF8.self))
            } else if piece.kind == .encoded, let name = piece.text.parts(by: "@").first, !name.isEmpty {
                items.append((name, nil))
            } else {
                note("a file of the query can't be read", "its items are left out")
            }
        }
        return items
    }

    /// A body of which a file is missing: as curl, without a media type it is a form.
    private mutating func unknown(_ pieces: [CurlLine.Piece], type: String) -> CurlBody {
        note("a file of the body can't be read", "the caller gives the whole body")
        let isText = MediaTypeName(type).kind == .form && !pieces.contains { $0.kind == .binary }
        return isText ? .text(type: type) : .bytes(type: type)
    }

    private mutating func note(_ message: String, _ action: String) {
        notes.append(CurlLine.Note(message: message, action: action))
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        JSONTreeReader(file: 0, limits: ReadingLimits(), findings: Findings(countMax: 0)).readStrict(bytes) != nil
    }

    // MARK: Pieces

    /// All pieces with `&` between them, as curl sends them; `nil` if a file is missing.
    ///
    /// Those of `--json` follow each other.
    private func content(of pieces: [CurlLine.Piece]) -> [UInt8]? {
        var bytes: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            guard let content = content(of: piece) else { return nil }
            if index > 0, pieces[index - 1].kind != .binary || piece.kind != .binary { bytes.append(UInt8(ascii: "&")) }
            bytes += content
        }
        return bytes
    }

    private func content(of piece: CurlLine.Piece) -> [UInt8]? {
        switch piece.kind {
        case .raw: return Array(piece.text.utf8)
        case .plain:
            guard piece.text.begins(with: "@") else { return Array(piece.text.utf8) }
            return loader(String(piece.text.dropFirst()))?.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
        case .binary:
            return piece.text.begins(with: "@") ? loader(String(piece.text.dropFirst())) : Array(piece.text.utf8)
        case .encoded: return encoded(piece.text)
        }
    }

    /// `content`, `=content`, `name=content`, `@file` or `name@file`.
    private func encoded(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard let sign = bytes.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) else {
            return Self.percented(bytes)
        }
        let name = Array(bytes[..<sign])
        let tail = Array(bytes[(sign + 1)...])
        let content = bytes[sign] == UInt8(ascii: "=") ? tail : loader(String(decoding: tail, as: UTF8.self))
        return content.map { (name.isEmpty ? [] : name + [UInt8(ascii: "=")]) + Self.percented($0) }
    }

    private static func percented(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            let isPlain = 0x41...0x5A ~= byte & 0xDF || 0x30...0x39 ~= byte || "-._~".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? [byte] : Array("%\(digits.utf8.count == 1 ? "0" : "")\(digits)".utf8)
        }
    }

    // MARK: Parts

    /// `name=text`, `name=@file` or `name=<file`, with `;type=` and `;filename=`; `nil` for a value without a name.
    private func part(_ part: CurlLine.Part) -> CurlPart? {
        let pair = part.text.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return nil }
        let (name, value) = (String(Substring(pair[0])), String(Substring(pair[1])))
        guard !name.isEmpty, !CurlQuery.isNameless(name, value) else { return nil }
        if part.isPlain { return CurlPart(name: name, content: .text(value)) }
        var pieces = value.parts(by: ";")
        let type = pieces.first { $0.trimmedOfSpaces.begins(with: "type=") }
            .map { String($0.trimmedOfSpaces.dropFirst(5)) }
        let options = ["type=", "filename=", "headers=", "encoder="]
        while pieces.count > 1, options.contains(where: { pieces[pieces.count - 1].trimmedOfSpaces.begins(with: $0) }) {
            pieces.removeLast()
        }
        let text = pieces.joined(separator: ";")
        if text.begins(with: "@") { return CurlPart(name: name, content: .file, type: type) }
        let bytes = text.begins(with: "<") ? loader(String(text.dropFirst())) : Array(text.utf8)
        guard let bytes else { return CurlPart(name: name, content: .text(""), type: type) }
        if type.map({ MediaTypeName($0).kind == .json }) ?? false, Self.isJSON(bytes) {
            return CurlPart(name: name, content: .json(bytes), type: type)
        }
        return CurlPart(name: name, content: .text(String(decoding: bytes, as: UTF8.self)), type: type)
    }

    /// The parts of a whole body, as browsers copy it.
    private static func parts(in bytes: [UInt8]) -> [CurlPart] {
        let text = String(decoding: bytes.filter { $0 != 0x0D }, as: UTF8.self)
        let lines = text.parts(by: "\n")
        guard let boundary = lines.first(where: { $0.begins(with: "--") }) else { return [] }
        var parts: [CurlPart] = []
        for section in lines.split(whereSeparator: { $0.begins(with: boundary) }) {
            let head = section.prefix { !$0.isEmpty }
            guard let field = head.first(where: { $0.lowercased().begins(with: "content-disposition:") }),
                let name = attribute("name", of: field)
            else { continue }
            let value = section.dropFirst(head.count + 1).joined(separator: "\n")
            let type = head.first { $0.lowercased().begins(with: "content-type:") }
                .map { String($0.dropFirst(13)).trimmedOfSpaces }
            let isFile = attribute("filename", of: field) != nil
            parts.append(CurlPart(name: name, content: isFile ? .file : .text(value), type: isFile ? type : nil))
        }
        return parts
    }

    /// The value of `name="…"` in a field.
    private static func attribute(_ name: String, of field: String) -> String? {
        let start = field.parts(by: ";").map(\.trimmedOfSpaces).first { $0.begins(with: name + "=\"") }
        return start.map { String($0.dropFirst(name.utf8.count + 2).prefix { $0 != "\"" }) }
    }
}
