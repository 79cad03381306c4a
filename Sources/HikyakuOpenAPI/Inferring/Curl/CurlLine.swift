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
    private(set) var isJSON = false
    private(set) var isGet = false
    private(set) var isHead = false
    private(set) var hasUser = false
    private(set) var hasBearer = false
    private(set) var hasCookie = false
    private(set) var uploadsFile = false
    private(set) var timeout: String?
    /// What is left out or read in another way.
    private(set) var notes: [Note] = []

    struct Note: Equatable {
        var message: String
        var action: String
    }

    private static let notesMax = 100
    private var rest: ArraySlice<String>
    private var isEnd = false

    /// Reads the words of a line.
    ///
    /// - Parameter words: The words, with or without `curl` as the first.
    /// - Throws: ``InferenceFailure`` if it is no cURL line, or an option lacks its value.
    init(_ words: [String]) throws(InferenceFailure) {
        rest = words[...]
        try skipProgram()
        while !isEnd, let word = rest.popFirst() { try read(word) }
        if url == nil { throw InferenceFailure("the line has no URL: 'curl https://…' is expected") }
    }

    private static let assignment = UInt8(ascii: "=")

    /// Drops variables before the program, and the program.
    private mutating func skipProgram() throws(InferenceFailure) {
        while let word = rest.first, Self.isAssignment(word) || word == "sudo" || word == "time" {
            rest = rest.dropFirst()
        }
        guard let word = rest.first else { throw InferenceFailure("the line is empty: 'curl https://…' is expected") }
        let program = word.split(separator: "/").last?.lowercased() ?? ""
        if program == "curl" || program == "curl.exe" {
            rest = rest.dropFirst()
        } else if ["wget", "http", "https", "xh", "fetch", "invoke-webrequest", "invoke-restmethod"].contains(program),
            !word.has("/")
        {
            throw InferenceFailure("this is a line of \(program), not of curl")
        }
    }

    private static func isAssignment(_ word: String) -> Bool {
        guard let end = word.utf8.firstIndex(of: assignment), end != word.utf8.startIndex else { return false }
        return word.utf8[..<end].allSatisfy { 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "_") }
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
        leaveOut(Self.isShown(name) ? "--" + name : nil, nearest: CurlOption.nearest(to: name).map { "--" + $0 })
    }

    private mutating func readShort(_ letters: [UInt8]) throws(InferenceFailure) {
        for (index, letter) in letters.enumerated() {
            guard let option = CurlOption.option(short: letter) else {
                let sign = letter < 0x7F && letter > 0x20 ? String(UnicodeScalar(letter)) : "?"
                // The letters after it may be its value.
                return leaveOut("-\(sign)", nearest: nil)
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
    ///   - name: The option; `nil` if it isn't shown.
    ///   - nearest: A known option that may be meant.
    private mutating func leaveOut(_ name: String?, nearest: String?) {
        if let next = rest.first, !next.begins(with: "-"), !Self.isURL(next) { rest = rest.dropFirst() }
        let hint = nearest.map { "; did you mean \($0)?" } ?? ""
        note("\(name ?? "a word that begins like an option") is no known option of curl", "it is left out\(hint)")
    }

    /// Whether a text can be the name of an option; any other one may have a value in it, such as `data{"pin":"1"}`.
    private static func isShown(_ name: String) -> Bool {
        (1...40).contains(name.utf8.count)
            && name.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D || $0 == 0x2E }
    }

    private static func isURL(_ text: String) -> Bool { text.has(part: "://") }

    private mutating func takeURL(_ text: String) {
        guard url != nil else { return url = text }
        note("there are several URLs", "only the first one is read")
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
        case .url: takeURL(text)
        case .upload: uploadsFile = true
        case .maxTime: timeout = text
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
            if text.hasSuffix(";") { fields.append((String(text.dropLast()), "")) }
            return
        }
        let (name, value) = (String(Substring(pair[0])).trimmedOfSpaces, String(Substring(pair[1])).trimmedOfSpaces)
        guard !name.isEmpty, !value.isEmpty else { return }
        if name.lowercased() == "cookie" { hasCookie = true } else { fields.append((name, value)) }
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
