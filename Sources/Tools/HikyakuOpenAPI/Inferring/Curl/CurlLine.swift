/// What a cURL line says about a request, as it is written there.
///
/// It has the values of the line, which may be secrets: only names and kinds of values get from here into code.
struct CurlLine {
    /// A piece of a body.
    struct Piece {
        var kind: CurlOption.Data
        var text: String
    }

    /// A part of a multipart body: `photo=@a.jpg;type=image/jpeg`.
    struct Part {
        var text: String
        /// Whether an `@` and a semicolon are just text.
        var isPlain: Bool
    }

    private(set) var url: String?
    private(set) var method: String?
    private(set) var fields: [(name: String, value: String)] = []
    private(set) var pieces: [Piece] = []
    private(set) var parts: [Part] = []
    /// The items that are added to the query of the URL.
    private(set) var queryPieces: [Piece] = []
    private(set) var isJSON = false
    private(set) var isGet = false
    private(set) var isHead = false
    private(set) var hasUser = false
    private(set) var hasBearer = false
    private(set) var hasCookie = false
    private(set) var uploadsFile = false
    /// Whether the response is printed while it comes, as for a stream of events.
    private(set) var isUnbuffered = false
    private(set) var timeout: String?
    /// What is left out or read in another way.
    private(set) var notes: [Note] = []

    struct Note: Equatable {
        var message: String
        var action: String
    }

    private static let notesMax = 100
    private var rest: ArraySlice<String>
    private var unquoted = UnquotedFields()
    private var hasURLOption = false
    private var isEnd = false

    /// Reads the words of a line.
    ///
    /// - Parameter words: The words, with or without `curl` as the first.
    /// - Throws: ``InferenceFailure`` if it is not a cURL line, or an option lacks its value.
    init(_ words: [String]) throws(InferenceFailure) {
        rest = words[...]
        try skipProgram()
        while !isEnd, let word = rest.popFirst() { try read(word) }
        takeUnquotedFields()
        if url == nil { throw InferenceFailure("the line has no URL: 'curl https://…' is expected") }
    }

    private static let assignment = UInt8(ascii: "=")

    /// Drops what comes before the program, such as variables, a prompt or `docker exec web`, and the program.
    private mutating func skipProgram() throws(InferenceFailure) {
        if let index = rest.firstIndex(where: Self.isCurl) {
            let others = rest[..<index].filter {
                !Self.isAssignment($0) && !["sudo", "time", "do", "if", "!"].contains($0)
            }
            if !others.isEmpty { note("there are words before curl", "they are left out") }
            rest = rest[(index + 1)...]
            return
        }
        while let word = rest.first, Self.isAssignment(word) { rest = rest.dropFirst() }
        guard let word = rest.first else { throw InferenceFailure("the line is empty: 'curl https://…' is expected") }
        let program = word.prefix { $0 != "(" }.split(separator: "/").last?.lowercased() ?? ""
        if ["wget", "http", "https", "xh", "fetch", "invoke-webrequest", "invoke-restmethod"].contains(program),
            !word.prefix(while: { $0 != "(" }).contains("/")
        {
            throw InferenceFailure("this is a line of \(program), not of curl")
        }
        // Without the program, the line is that of the shell's history, and begins with a URL or an option.
        guard word.begins(with: "-") || UnquotedFields.isLikelyURL(word) || word.hasPrefix("localhost") else {
            throw InferenceFailure("the line has no curl, and does not begin with a URL: 'curl https://…' is expected")
        }
    }

    private static func isCurl(_ word: String) -> Bool {
        let program = word.split(separator: "/").last?.lowercased() ?? ""
        return (program == "curl" || program == "curl.exe") && (!word.has("/") || "/.~".contains(word.first ?? " "))
    }

    private static func isAssignment(_ word: String) -> Bool {
        guard let end = word.utf8.firstIndex(of: assignment), end != word.utf8.startIndex else { return false }
        return word.utf8[..<end].allSatisfy { 0x41...0x5A ~= $0 & 0xDF || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "_") }
    }

    // MARK: Words

    private mutating func read(_ word: String) throws(InferenceFailure) {
        let word = Self.hyphenated(word)
        if word == "--" {
            for word in rest { takeURL(word) }
            rest = []
        } else if word.begins(with: "--") {
            try readLong(String(Substring(word.utf8.dropFirst(2))))
        } else if word.begins(with: "-"), word.utf8.count > 1 {
            try readShort(Array(word.utf8.dropFirst()))
        } else if word == "curl", url != nil {
            note("there is a second command", "only the first one is read")
            isEnd = true
        } else if !word.isEmpty {
            takeURL(word)
        }
    }

    /// The word with plain hyphens: word processors make dashes of them.
    private static func hyphenated(_ word: String) -> String {
        guard let first = word.unicodeScalars.first, first == "\u{2013}" || first == "\u{2014}" else { return word }
        return (first == "\u{2014}" || word.unicodeScalars.count > 2 ? "--" : "-")
            + String(word.unicodeScalars.drop { $0 == "\u{2013}" || $0 == "\u{2014}" || $0 == "-" })
    }

    private mutating func readLong(_ text: String) throws(InferenceFailure) {
        if let option = CurlOption.option(long: text) {
            return try apply(option, "--" + text, value: nil)
        }
        if text.begins(with: "no-"), CurlOption.option(long: String(text.dropFirst(3))) != nil { return }
        let pair = text.utf8.split(separator: Self.assignment, maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(Substring(pair[0]))
        if pair.count == 2, let option = CurlOption.option(long: name), option.takesValue {
            note("curl takes '--\(name) VALUE', not '--\(name)=VALUE'", "it is read as if there were a space")
            return try apply(option, "--" + name, value: String(Substring(pair[1])))
        }
        let nearest = CurlOption.nearest(to: name)
        if let start = CurlOption.start(of: text) {
            return leaveOut("a word that begins with --\(start)", meant: "--\(nearest ?? start + " VALUE")")
        }
        let isShown = Self.isShown(name, isNear: nearest != nil)
        leaveOut(isShown ? "--" + name : "a word that begins like an option", meant: nearest.map { "--" + $0 })
    }

    private mutating func readShort(_ letters: [UInt8]) throws(InferenceFailure) {
        for (index, letter) in letters.enumerated() {
            guard let option = CurlOption.option(short: letter) else {
                let sign = letter < 0x7F && letter > 0x20 ? String(UnicodeScalar(letter)) : "?"
                // The letters after it may be its value.
                return leaveOut("-\(sign)", meant: nil)
            }
            let tail = letters[(index + 1)...]
            let value = option.takesValue && !tail.isEmpty ? String(decoding: tail, as: UTF8.self) : nil
            try apply(option, "-" + String(UnicodeScalar(letter)), value: value)
            if option.takesValue || isEnd { return }
        }
    }

    /// Leaves an unknown option out, with what looks like its value.
    ///
    /// - Parameters:
    ///   - text: The option in words that show no value.
    ///   - meant: A known option that may be meant.
    private mutating func leaveOut(_ text: String, meant: String?) {
        if let next = rest.first, !next.begins(with: "-"), !Self.isURL(next) { rest = rest.dropFirst() }
        let hint = meant.map { "; did you mean \($0)?" } ?? ""
        note("\(text) is not a known option of curl", "it is left out\(hint)")
    }

    /// Whether a text can be the name of an option; any other one may have a value in it, such as `tokenhunter2`.
    private static func isShown(_ name: String, isNear: Bool) -> Bool {
        let isPlain = name.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D || $0 == 0x2E }
        let hasDigits = name.utf8.contains { 0x30...0x39 ~= $0 }
        return (1...40).contains(name.utf8.count) && isPlain && (isNear || !hasDigits && !SampleKey.isSecret(name))
    }

    private static func isURL(_ text: String) -> Bool { text.has(part: "://") }

    /// Takes the first URL; a text with a scheme is preferred, since any other one may be a word that lacks its quotes.
    private mutating func takeURL(_ text: String) {
        guard let first = url else { return url = text }
        if !Self.isURL(first), Self.isURL(text) { url = text }
        guard Self.isURL(first), Self.isURL(text) else {
            return noteWord()
        }
        note("there are several URLs", "only the first one is read")
    }

    private mutating func noteWord() {
        note("a word belongs to no option, and is not the URL", "it is left out; values with spaces need quotes")
    }

    // MARK: Options

    private mutating func apply(_ option: CurlOption, _ name: String, value: String?) throws(InferenceFailure) {
        var text = ""
        if option.takesValue {
            guard let value = value ?? rest.popFirst() else {
                throw InferenceFailure("curl's option \(name) needs a value")
            }
            text = value
        }
        switch option.effect {
        case .method: method = text
        case .header: takeField(text)
        case .data(let kind): pieces.append(Piece(kind: kind, text: text))
        case .json:
            isJSON = true
            pieces.append(Piece(kind: .binary, text: text))
        case .form: parts.append(Part(text: text, isPlain: false))
        case .formString: parts.append(Part(text: text, isPlain: true))
        case .get: isGet = true
        case .head: isHead = true
        case .user: hasUser = true
        case .bearer: hasBearer = true
        case .cookie: takeCookie(text)
        case .userAgent: fields.append(("User-Agent", text))
        case .referer: fields.append(("Referer", text))
        case .url:
            hasURLOption = true
            takeURL(text)
        case .upload: uploadsFile = true
        case .unbuffered: isUnbuffered = true
        case .maxTime: timeout = text
        case .query:
            // After a plus sign, the item is encoded already.
            let isRaw = text.begins(with: "+")
            queryPieces.append(Piece(kind: isRaw ? .raw : .encoded, text: isRaw ? String(text.dropFirst()) : text))
        case .next:
            note("--next begins a second request", "only the first one is read")
            isEnd = true
        case .none: break
        case .elsewhere(let reason): note("\(name) is left out", reason)
        }
    }

    /// Reads `Name: value`, `Name;` for an empty value, and `Name:`, which removes a field.
    private mutating func takeField(_ text: String) {
        let pair = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else {
            if text.begins(with: "@") { return note("header fields in a file are not read", "they are left out") }
            let name = String(text.dropLast()).trimmedOfSpaces
            if text.hasSuffix(";"), !CurlQuery.isNameless(name, nil) {
                fields.append((name, ""))
            } else {
                note("a header field has no ':'", "it is left out")
            }
            return
        }
        let (name, value) = (String(Substring(pair[0])).trimmedOfSpaces, String(Substring(pair[1])).trimmedOfSpaces)
        guard !name.isEmpty else { return }
        guard !value.isEmpty else { return takeWords(after: name) }
        if name.lowercased() == "cookie" { hasCookie = true } else { fields.append((name, value)) }
    }

    /// Takes the words after `Name:` as the value of the field: they lack their quotes.
    private mutating func takeWords(after name: String) {
        let words = rest.prefix { !$0.begins(with: "-") && !Self.isURL($0) }
        guard !words.isEmpty else { return }
        rest = rest.dropFirst(words.count)
        unquoted.add(name, Array(words), at: fields.count)
    }

    /// Adds the fields without quotes, after the URL is found among their words if the line has no other one.
    ///
    /// A word elsewhere that isn't written like a URL is none: it may be a part of a credential.
    private mutating func takeUnquotedFields() {
        guard !unquoted.isEmpty else { return }
        if !hasURLOption, url.map({ !UnquotedFields.isLikelyURL($0) }) ?? true {
            let found = unquoted.takeURL()
            if url != nil || found?.wordsAfter ?? 0 > 0 { noteWord() }
            url = found?.url
        }
        let texts = unquoted.fields
        if !texts.isEmpty {
            let action = "the words up to the next option or URL are its value"
            notes.insert(Note(message: "a header field has no quotes around its value", action: action), at: 0)
        }
        // A cookie and an empty field add nothing, so the last ones are inserted first.
        for text in texts.reversed() {
            let after = fields[text.index...]
            fields.removeLast(after.count)
            takeField(text.text)
            fields += after
        }
    }

    private mutating func takeCookie(_ text: String) {
        if text.has("=") { hasCookie = true } else { note("a file of cookies is not read", "it is left out") }
    }

    private mutating func note(_ message: String, _ action: String) {
        let note = Note(message: message, action: action)
        if notes.count < Self.notesMax, !notes.contains(note) { notes.append(note) }
    }
}

extension String {
    /// The text without spaces and tabs around it.
    var trimmedOfSpaces: String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
        let start = utf8.drop(while: isSpace)
        let end = start.reversed().drop(while: isSpace).count
        return String(Substring(start.prefix(end)))
    }
}
