/// The tokens of Swift source as the compiler's lexer divides it, without a parser.
///
/// It needs the standard library alone, so that a fuzzer can have the same file. It looks at bytes and scalars: a
/// combining mark after a quotation mark would hide that from characters. What generated code never has is a fault,
/// although the compiler accepts some of it: NUL, regular expressions, names in backticks with other signs.
package struct SwiftTokens {
    package enum Kind: Hashable {
        case lineComment, blockComment
        /// A part of a string literal between its quotation marks and interpolations, which are punctuation.
        case text
        case keyword, identifier, number, punctuation
    }

    package struct Token: Hashable {
        package var kind: Kind
        package var bytes: Range<Int>
        package var line: Int
    }

    package struct Fault: Hashable, CustomStringConvertible {
        package var line: Int
        package var reason: String
        package var description: String { "line \(line): \(reason)" }
    }

    package private(set) var tokens: [Token] = []
    /// What is not Swift; empty if nothing is.
    package private(set) var faults: [Fault] = []
    private let source: [UInt8]
    private var place = 0
    private var line = 1
    /// The closing brackets that are missing, from the outermost.
    private var open: [UInt8] = []
    private static let depthMax = 100
    private static let faultsMax = 20

    package init(_ text: String) { self.init(Array(text.utf8)) }

    package init(_ bytes: [UInt8]) {
        source = bytes
        if !String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) { fail("invalid UTF-8") }
        if bytes.contains(0) { fail("a NUL") }
        while readToken() {}
        if !open.isEmpty { fail("a bracket is not closed") }
    }

    package func text(_ token: Token) -> String { String(decoding: source[token.bytes], as: UTF8.self) }

    // MARK: Bytes

    private func byte(_ distance: Int = 0) -> UInt8? {
        source.indices.contains(place + distance) ? source[place + distance] : nil
    }

    private func has(_ text: StaticString, at distance: Int = 0) -> Bool {
        text.withUTF8Buffer { text in text.indices.allSatisfy { byte(distance + $0) == text[$0] } }
    }

    private var isAtLineEnd: Bool { byte() == 0x0A || byte() == 0x0D }

    private mutating func skipLineEnd() {
        place += has("\r\n") ? 2 : 1
        line += 1
    }

    private mutating func fail(_ reason: String) {
        if faults.count < Self.faultsMax { faults.append(Fault(line: line, reason: reason)) }
    }

    private mutating func add(_ kind: Kind, from start: Int, line first: Int? = nil) {
        if start < place { tokens.append(Token(kind: kind, bytes: start..<place, line: first ?? line)) }
    }

    private mutating func addPunctuation(_ count: Int) {
        let start = place
        place += count
        add(.punctuation, from: start)
    }

    // MARK: Code

    /// Reads one token or the space before it; returns whether there was something.
    private mutating func readToken() -> Bool {
        guard let byte = byte() else { return false }
        switch byte {
        case 0x0A, 0x0D: skipLineEnd()
        case 0x20, 0x09, 0x0B, 0x0C: place += 1
        case 0x22: readString(hashes: 0)
        case UInt8(ascii: "#"): readHash()
        case UInt8(ascii: "`"): readQuotedName()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): readNumber()
        case UInt8(ascii: "/"): readSlash()
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): readOpening(byte)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): readClosing(byte)
        case 0x00..<0x20, 0x7F: skipFault("a control character is not code")
        case 0x80...: readScalar()
        default: readOther(byte)
        }
        return true
    }

    private mutating func skipFault(_ reason: String) {
        fail(reason)
        place += 1
    }

    private mutating func readOther(_ byte: UInt8) {
        if Self.isNamePart(byte) || byte == UInt8(ascii: "$") { return readName() }
        // An operator ends where a comment begins.
        if has("*/"), !has("*//"), !has("*/*") { fail("a comment that has not begun is ended") }
        if has("<#") { fail("a placeholder of an editor") }
        if has("<<<<<<<") || has(">>>>>>>") { fail("a mark of a conflict") }
        addPunctuation(1)
    }

    private mutating func readOpening(_ byte: UInt8) {
        guard open.count < Self.depthMax else { return skipFault("brackets are nested too deeply") }
        let closing: [UInt8: UInt8] = [0x28: 0x29, 0x5B: 0x5D, 0x7B: 0x7D]
        if let end = closing[byte] { open.append(end) }
        addPunctuation(1)
    }

    private mutating func readClosing(_ byte: UInt8) {
        if open.last == byte { open.removeLast() } else { fail("a bracket closes nothing") }
        addPunctuation(1)
    }

    private mutating func readSlash() {
        if has("//") { return readLineComment() }
        if has("/*") { return readBlockComment() }
        fail("a slash may begin a regular expression")
        addPunctuation(1)
    }

    private mutating func readHash() {
        var count = 0
        while byte(count) == UInt8(ascii: "#") { count += 1 }
        if byte(count) == 0x22 {
            let start = place
            place += count
            add(.punctuation, from: start)
            return readString(hashes: count)
        }
        if byte(count) == UInt8(ascii: "/") { fail("a regular expression") }
        let start = place
        place += count
        while let byte = byte(), Self.isNamePart(byte) { place += 1 }
        add(.punctuation, from: start)
    }

    private mutating func readName() {
        let start = place
        while let byte = byte() {
            if byte < 0x80 {
                guard Self.isNamePart(byte) || byte == UInt8(ascii: "$") else { break }
                place += 1
            } else {
                guard let scalar = scalar(), Self.isNamePart(scalar.value) else { break }
                place += scalar.length
            }
        }
        let name = String(decoding: source[start..<place], as: UTF8.self)
        add(Self.keywords.contains(name) ? .keyword : .identifier, from: start)
    }

    /// A keyword as a name; other signs between backticks are a fault.
    private mutating func readQuotedName() {
        let start = place
        place += 1
        while let byte = byte(), byte != UInt8(ascii: "`"), !isAtLineEnd { place += 1 }
        guard byte() == UInt8(ascii: "`") else { return fail("a name in backticks is not ended") }
        place += 1
        let name = source[(start + 1)..<(place - 1)]
        if name.isEmpty || !name.allSatisfy(Self.isNamePart) { fail("a name in backticks has other signs") }
        add(.identifier, from: start)
    }

    private mutating func readNumber() {
        let start = place
        let isHex = has("0x")
        while let byte = byte() {
            let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            let exponents: [UInt8] = isHex ? [0x70, 0x50] : [0x65, 0x45]
            let isExponent = isSign && exponents.contains(source[place - 1])
            let isPoint = byte == UInt8(ascii: ".") && self.byte(1).map { 0x30...0x39 ~= $0 } ?? false
            guard Self.isNamePart(byte) || isExponent || isPoint else { break }
            place += 1
        }
        add(.number, from: start)
        if !Self.isNumber(source[start..<place], isHex) { fail("no number: \(tokens.last.map(text) ?? "")") }
    }

    private static func isNumber(_ bytes: ArraySlice<UInt8>, _ isHex: Bool) -> Bool {
        let letters = isHex ? "xabcdefABCDEFpP" : bytes.starts(with: "0b".utf8) ? "b" : "eEo"
        return bytes.allSatisfy { 0x30...0x39 ~= $0 || letters.utf8.contains($0) || "_.+-".utf8.contains($0) }
    }

    /// A name or an operator that begins with a scalar beyond ASCII.
    private mutating func readScalar() {
        guard let scalar = scalar() else { return skipFault("invalid UTF-8") }
        if Self.isNameStart(scalar.value) { return readName() }
        if scalar.value == 0xFEFF { return place += scalar.length }
        let isOperator = Self.operators.contains { $0.contains(scalar.value) }
        if !isOperator { fail("U+\(String(scalar.value, radix: 16, uppercase: true)) is not code") }
        addPunctuation(scalar.length)
    }

    /// The scalar at the place, with the number of its bytes.
    private func scalar() -> (value: UInt32, length: Int)? {
        let bytes = source[place..<min(source.count, place + 4)]
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return (scalar.value, UTF8.width(scalar))
    }

    // MARK: Comments

    private mutating func readLineComment() {
        let start = place
        while byte() != nil, !isAtLineEnd { place += 1 }
        add(.lineComment, from: start)
    }

    private mutating func readBlockComment() {
        let (start, first) = (place, line)
        var depth = 0
        repeat {
            if has("/*") {
                (depth, place) = (depth + 1, place + 2)
            } else if has("*/") {
                (depth, place) = (depth - 1, place + 2)
            } else if isAtLineEnd {
                skipLineEnd()
            } else {
                place += 1
            }
        } while depth > 0 && byte() != nil
        if depth > 0 { fail("a comment is not ended") }
        add(.blockComment, from: start, line: first)
    }

    // MARK: Literals

    private func hasHashes(_ count: Int, at distance: Int) -> Bool {
        (0..<count).allSatisfy { byte(distance + $0) == UInt8(ascii: "#") }
    }

    /// Whether three quotation marks begin lines, and don't hold a single mark: `#"""#`.
    private func beginsLines(_ hashes: Int) -> Bool {
        guard has("\"\"\"") else { return false }
        guard hashes > 0 else { return true }
        var distance = 1
        while let byte = byte(distance), byte != 0x0A, byte != 0x0D {
            if byte == 0x22, hasHashes(hashes, at: distance + 1) { return false }
            distance += 1
        }
        return true
    }

    private mutating func readString(hashes: Int) {
        let isLong = beginsLines(hashes)
        addPunctuation(isLong ? 3 : 1)
        if isLong, !isAtLineEnd { fail("the text of a literal of several lines is not on a line of its own") }
        guard readContent(hashes, isLong) else { return fail("a literal is not ended") }
        addPunctuation((isLong ? 3 : 1) + hashes)
    }

    /// Reads up to the quotation marks that end a literal; returns whether there were any.
    private mutating func readContent(_ hashes: Int, _ isLong: Bool) -> Bool {
        var (start, first) = (place, line)
        while let byte = byte() {
            switch byte {
            case 0x0A, 0x0D:
                guard isLong else { return end(start, first) }
                skipLineEnd()
            case 0x22 where (!isLong || has("\"\"\"")) && hasHashes(hashes, at: isLong ? 3 : 1):
                if isLong, !isAloneOnLine { fail("the end of a literal of several lines is not on a line of its own") }
                add(.text, from: start, line: first)
                return true
            case 0x5C where hasHashes(hashes, at: 1):
                guard self.byte(1 + hashes) == UInt8(ascii: "(") else {
                    readEscape(hashes, isLong)
                    continue
                }
                add(.text, from: start, line: first)
                guard readInterpolation(hashes, isLong) else { return false }
                (start, first) = (place, line)
            case 0x00..<0x20 where byte != 0x09 || !isLong: skipFault("a control character in a literal")
            case 0x7F: skipFault("a control character in a literal")
            default: place += 1
            }
        }
        return end(start, first)
    }

    private mutating func end(_ start: Int, _ first: Int) -> Bool {
        add(.text, from: start, line: first)
        return false
    }

    private var isAloneOnLine: Bool {
        let before = source[..<place].reversed().prefix { $0 != 0x0A && $0 != 0x0D }
        return before.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    private mutating func readEscape(_ hashes: Int, _ isLong: Bool) {
        place += 1 + hashes
        guard let byte = byte() else { return }
        if isLong, byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09 {
            while self.byte() == 0x20 || self.byte() == 0x09 { place += 1 }
            return isAtLineEnd ? skipLineEnd() : fail("no escape")
        }
        if byte == UInt8(ascii: "u") { return readScalarEscape() }
        if "0\\tnr\"'".utf8.contains(byte) { place += 1 } else { fail("no escape") }
    }

    private mutating func readScalarEscape() {
        guard byte(1) == UInt8(ascii: "{"), let end = (2...10).first(where: { byte($0) == UInt8(ascii: "}") }) else {
            place += 1
            return fail("no escape")
        }
        let digits = String(decoding: source[(place + 2)..<(place + end)], as: UTF8.self)
        let value = digits.first == "+" || digits.first == "-" ? nil : UInt32(digits, radix: 16)
        if value.flatMap(Unicode.Scalar.init) == nil { fail("no scalar: \(digits)") }
        place += end + 1
    }

    /// Reads code from a backslash to the parenthesis that ends it.
    private mutating func readInterpolation(_ hashes: Int, _ isLong: Bool) -> Bool {
        guard open.count < Self.depthMax else { return false }
        let depth = open.count
        addPunctuation(2 + hashes)
        open.append(UInt8(ascii: ")"))
        while open.count > depth {
            if !isLong, isAtLineEnd { return closeInterpolation(depth) }
            guard readToken() else { return closeInterpolation(depth) }
        }
        return true
    }

    private mutating func closeInterpolation(_ depth: Int) -> Bool {
        fail("an interpolation is not ended")
        open.removeLast(open.count - depth)
        return false
    }

    // MARK: Names

    private static func isNamePart(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte & 0xDF || byte == UInt8(ascii: "_")
    }

    private static func isNamePart(_ value: UInt32) -> Bool {
        isNameStart(value) || marks.contains { $0.contains(value) }
    }

    private static func isNameStart(_ value: UInt32) -> Bool {
        let isSurrogate = 0xD800...0xF8FF ~= value
        guard !isSurrogate, !marks.contains(where: { $0.contains(value) }) else { return false }
        if value >= 0x10000 { return value & 0xFFFF <= 0xFFFD && value < 0xF0000 }
        return names.contains { $0.contains(value) }
    }

    /// The ranges of The Swift Programming Language, Lexical Structure.
    private static let names: [ClosedRange<UInt32>] = [
        0xA8...0xA8, 0xAA...0xAA, 0xAD...0xAD, 0xAF...0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE, 0xC0...0xD6,
        0xD8...0xF6, 0xF8...0x167F, 0x1681...0x180D, 0x180F...0x1FFF, 0x200B...0x200D, 0x202A...0x202E,
        0x203F...0x2040, 0x2054...0x2054, 0x2060...0x218F, 0x2460...0x24FF, 0x2776...0x2793, 0x2C00...0x2DFF,
        0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x302F, 0x3031...0xD7FF, 0xF900...0xFD3D, 0xFD40...0xFDCF,
        0xFDF0...0xFE44, 0xFE47...0xFFFD,
    ]
    private static let marks: [ClosedRange<UInt32>] = [
        0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
    ]
    private static let operators: [ClosedRange<UInt32>] = [
        0xA1...0xA7, 0xA9...0xA9, 0xAB...0xAC, 0xAE...0xAE, 0xB0...0xB1, 0xB6...0xB6, 0xBB...0xBB, 0xBF...0xBF,
        0xD7...0xD7, 0xF7...0xF7, 0x2016...0x2017, 0x2020...0x2027, 0x2030...0x203E, 0x2041...0x2053,
        0x2055...0x205E, 0x2190...0x23FF, 0x2500...0x2775, 0x2794...0x2BFF, 0x2E00...0x2E7F, 0x3001...0x3003,
        0x3008...0x3020, 0x3030...0x3030,
    ]

    private static let keywords: Set<String> = [
        "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "nonisolated", "operator", "package", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
