import HikyakuBase

/// Scans a lenient document token by token and writes its strict form.
///
/// Unknown content is left unchanged, for the strict parser to report. No replacement can form another token with
/// adjacent bytes.
struct LenientScan: ~Copyable {
    /// The last token, apart from white space and comments.
    private enum Last {
        case opening
        case colon
        case value
        /// A comma with its offset in the output, and whether a value precedes it.
        case comma(index: Int, isBehindValue: Bool)
    }

    private let base: UnsafePointer<UInt8>
    private let count: Int
    private let leniency: HikyakuJSONDecoder.Leniency
    private let isJSON5: Bool
    var output: LenientOutput
    private var place = 0
    private var last = Last.opening
    /// The offset of an unterminated comment, at which the scan stops.
    private(set) var unendedComment: Int?
    /// For each open container, whether it is an object.
    private var containers: [Bool] = []

    init(
        _ base: UnsafePointer<UInt8>,
        _ count: Int,
        _ leniency: HikyakuJSONDecoder.Leniency,
        _ output: LenientOutput,
    ) {
        self.base = base
        self.count = count
        self.leniency = leniency
        isJSON5 = leniency.isJSON5
        self.output = output
    }

    mutating func document() {
        if leniency.contains(.byteOrderMark) {
            blank(upTo: DocumentWalk.start(of: UnsafeBufferPointer(start: base, count: count)))
        }
        while place < count, unendedComment == nil { token() }
    }

    private mutating func token() {
        switch base[place] {
        case Byte.space, Byte.lineFeed, Byte.carriageReturn, Byte.tab: place += 1
        case Byte.quote: text()
        case Byte.comma: comma()
        case Byte.colon: pass(.colon)
        case Byte.openBrace: open(isObject: true)
        case Byte.openBracket: open(isObject: false)
        case Byte.closeBrace, Byte.closeBracket: close()
        case Byte.slash where leniency.contains(.comments): comment()
        default:
            if isJSON5 { tokenOfJSON5() } else { pass(.value) }
        }
    }

    /// Keeps a byte.
    private mutating func pass(_ token: Last) {
        place += 1
        last = token
    }

    private mutating func comma() {
        var isBehindValue = false
        if case .value = last { isBehindValue = true }
        pass(.comma(index: output.count(upTo: place), isBehindValue: isBehindValue))
    }

    private mutating func open(isObject: Bool) {
        containers.append(isObject)
        pass(.opening)
    }

    private mutating func close() {
        if leniency.contains(.trailingCommas), case .comma(let index, true) = last {
            output.blank(at: index, upTo: place)
        }
        _ = containers.popLast()
        pass(.value)
    }

    /// Whether a key is expected next.
    private var isBeforeKey: Bool {
        guard containers.last == true else { return false }
        switch last {
        case .opening, .comma: return true
        case .colon, .value: return false
        }
    }

    private mutating func comment() {
        guard place + 1 < count else { return pass(.value) }
        switch base[place + 1] {
        case Byte.slash:
            var end = place + 2
            while end < count, lineBreakEnd(at: end) == nil { end += 1 }
            blank(upTo: end)
        case UInt8(ascii: "*"):
            var end = place + 2
            while end + 1 < count, base[end] != UInt8(ascii: "*") || base[end + 1] != Byte.slash { end += 1 }
            guard end + 1 < count else { return unendedComment = place }
            blank(upTo: end + 2)
        default:
            pass(.value)
        }
    }

    /// Replaces each byte by a space, except for line breaks.
    private mutating func blank(upTo end: Int) {
        let part = UnsafeBufferPointer(start: base + place, count: end - place)
        let spaces = part.lazy.map { $0 == Byte.lineFeed || $0 == Byte.carriageReturn ? $0 : Byte.space }
        output.replace(place, end, by: spaces)
        place = end
    }

    /// The offset after a line break; JSON5 has two more kinds of them.
    private func lineBreakEnd(at place: Int) -> Int? {
        switch base[place] {
        case Byte.lineFeed: return place + 1
        case Byte.carriageReturn: return place + 1 < count && base[place + 1] == Byte.lineFeed ? place + 2 : place + 1
        case 0xE2 where isJSON5:
            let isBreak = ["\u{2028}", "\u{2029}"].contains { starts(with: $0, at: place) }
            return isBreak ? place + 3 : nil
        default: return nil
        }
    }

    /// Pads a shorter replacement with white space, so that later bytes keep their offsets.
    private mutating func pad(from start: Int, _ index: Int, lineFeeds: Int = 0) {
        let missing = place - start - (output.count(upTo: place) - index)
        guard missing > 0 else { return }
        let spaces = Array(repeating: Byte.space, count: max(0, missing - lineFeeds))
        output.replace(place, place, by: spaces + Array(repeating: Byte.lineFeed, count: min(missing, lineFeeds)))
    }

    /// A string, in single quotes too in JSON5.
    ///
    /// [JSON5, section 5](https://spec.json5.org/#strings)
    private mutating func text() {
        let (start, index) = (place, output.count(upTo: place))
        let quote = base[place]
        var lineFeeds = 0
        if quote != Byte.quote { output.replace(place, place + 1, by: CollectionOfOne(Byte.quote)) }
        place += 1
        while place < count {
            let byte = base[place]
            if byte == quote {
                if quote != Byte.quote { output.replace(place, place + 1, by: CollectionOfOne(Byte.quote)) }
                place += 1
                break
            }
            switch byte {
            case Byte.backslash: lineFeeds += escape()
            case Byte.quote: character(Byte.quote, place + 1)
            case ..<0x20: controlCharacter()
            default: place = stop(in: quote)
            }
        }
        pad(from: start, index, lineFeeds: lineFeeds)
        last = .value
    }

    /// The next byte that has to be checked.
    private func stop(in quote: UInt8) -> Int {
        if quote == Byte.quote {
            return max(place + 1, TextScan.firstStop(from: base + place, to: base + count) - base)
        }
        var next = place + 1
        while next < count, base[next] >= 0x20, base[next] != quote, base[next] != Byte.quote,
            base[next] != Byte.backslash
        { next += 1 }
        return next
    }

    /// JSON5 allows control characters other than line breaks in strings, RFC 8259 none.
    private mutating func controlCharacter() {
        let byte = base[place]
        guard isJSON5, byte != Byte.lineFeed, byte != Byte.carriageReturn else { return place += 1 }
        character(byte, place + 1)
    }

    /// Converts an escape.
    ///
    /// - Returns: The number of removed line breaks.
    private mutating func escape() -> Int {
        guard isJSON5, place + 1 < count else {
            place = min(place + 2, count)
            return 0
        }
        if let end = lineBreakEnd(at: place + 1) {
            output.replace(place, end, by: EmptyCollection())
            place = end
            return 1
        }
        switch base[place + 1] {
        case Byte.quote, Byte.backslash, Byte.slash, UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "u"):
            place += 2
        case UInt8(ascii: "v"): character(0x0B, place + 2)
        case UInt8(ascii: "x"): hexadecimalEscape()
        case Byte.zero where place + 2 == count || !ASCII.isDigit(base[place + 2]): character(0, place + 2)
        // Not an escape in JSON5 either.
        case Byte.zero...Byte.nine: place += 2
        default:
            // Any other escaped character represents itself, and is scanned next.
            output.replace(place, place + 1, by: EmptyCollection())
            place += 1
            if base[place] == UInt8(ascii: "'") { place += 1 }
        }
        return 0
    }

    /// `\x41`, a character up to U+00FF.
    private mutating func hexadecimalEscape() {
        guard place + 3 < count, let high = ASCII.hexadecimalValue(base[place + 2]),
            let low = ASCII.hexadecimalValue(base[place + 3])
        else { return place += 2 }
        character(high << 4 | low, place + 4)
    }

    /// Writes a character as strict JSON requires it.
    private mutating func character(_ code: UInt8, _ end: Int) {
        switch code {
        case Byte.quote, Byte.backslash: output.replace(place, end, by: [Byte.backslash, code])
        case ..<0x20:
            let digits = String(code, radix: 16)
            output.replace(place, end, by: (#"\u00"# + (digits.count == 1 ? "0" : "") + digits).utf8)
        case ..<0x80: output.replace(place, end, by: CollectionOfOne(code))
        default: output.replace(place, end, by: [0xC0 | code >> 6, 0x80 | code & 0x3F])
        }
        place = end
    }

    /// A number in JSON5 ([section 6](https://spec.json5.org/#numbers)).
    private mutating func number() {
        let hasSign = base[place] == Byte.plus || base[place] == Byte.minus
        let start = hasSign ? place + 1 : place
        if nonFinite(from: start) { return }
        if count - start >= 2, base[start] == Byte.zero, base[start + 1] | 0x20 == UInt8(ascii: "x") {
            hexadecimal(from: start)
        } else {
            decimal(from: start)
        }
    }

    private mutating func decimal(from start: Int) {
        let whole = start..<digitsEnd(from: start)
        var end = whole.upperBound
        let hasPoint = end < count && base[end] == Byte.point
        if hasPoint { end = digitsEnd(from: end + 1) }
        let hasFraction = hasPoint && end > whole.upperBound + 1
        let hasDigits = !whole.isEmpty || hasFraction
        let exponentStart = end
        end = exponentEnd(from: end)
        let isStandIn = !hasFraction && isStandIn(whole, exponentStart..<end)
        let pointEnd = hasFraction ? end : whole.upperBound + (hasPoint ? 1 : 0)
        write(upTo: hasDigits ? end : nil) { output in
            if whole.isEmpty { output.replace(start, start, by: CollectionOfOne(Byte.zero)) }
            if hasPoint, !hasFraction { output.replace(whole.upperBound, pointEnd, by: EmptyCollection()) }
            // The same number, which is not taken for a placeholder.
            if isStandIn { output.replace(exponentStart, exponentStart + 1, by: CollectionOfOne(UInt8(ascii: "E"))) }
        }
    }

    private mutating func hexadecimal(from start: Int) {
        var end = start + 2
        while end < count, ASCII.hexadecimalValue(base[end]) != nil { end += 1 }
        let digits = decimalDigits(start + 2..<end)
        write(upTo: digits == nil ? nil : end) { output in
            if let digits { output.replace(start, end, by: digits) }
        }
    }

    /// `Infinity` and `NaN`, which are replaced by placeholder numbers.
    ///
    /// - Returns: Whether one of them was found.
    private mutating func nonFinite(from start: Int) -> Bool {
        guard start < count, base[start] == UInt8(ascii: "I") || base[start] == UInt8(ascii: "N"),
            let number = LenientNumber.allCases.first(where: { starts(with: $0.word, at: start) })
        else { return false }
        let end = start + number.word.utf8.count
        write(upTo: end) { $0.replace(start, end, by: number.rawValue.utf8) }
        return true
    }

    /// Writes a number without its plus.
    ///
    /// An invalid number, or one directly followed by a part of a word, is left unchanged.
    private mutating func write(upTo end: Int?, _ body: (inout LenientOutput) -> Void) {
        guard let end, end == count || !Self.isWordPart(base[end]) else { return leaveWord() }
        let (start, index) = (place, output.count(upTo: place))
        if base[place] == Byte.plus { output.replace(place, place + 1, by: CollectionOfOne(Byte.space)) }
        body(&output)
        place = end
        pad(from: start, index)
        last = .value
    }

    private func digitsEnd(from start: Int) -> Int {
        var end = start
        while end < count, ASCII.isDigit(base[end]) { end += 1 }
        return end
    }

    private func exponentEnd(from start: Int) -> Int {
        guard start < count, base[start] | 0x20 == UInt8(ascii: "e") else { return start }
        var digits = start + 1
        if digits < count, base[digits] == Byte.plus || base[digits] == Byte.minus { digits += 1 }
        let end = digitsEnd(from: digits)
        return end == digits ? start : end
    }

    /// Whether a number equals a placeholder after a trailing point is removed.
    private func isStandIn(_ whole: Range<Int>, _ exponent: Range<Int>) -> Bool {
        guard whole.count == 1, exponent.count > 1 else { return false }
        let text = [base[whole.lowerBound]] + UnsafeBufferPointer(start: base, count: exponent.upperBound)[exponent]
        return LenientNumber.allCases.contains { text.elementsEqual($0.rawValue.utf8) }
    }

    private func starts(with word: String, at place: Int) -> Bool {
        UnsafeBufferPointer(start: base + place, count: count - place).starts(with: word.utf8)
    }

    /// Converts a hexadecimal number to decimal digits; `nil` for one without a digit or of more than 128 bits.
    ///
    /// The time for the conversion grows with the square of the length.
    private func decimalDigits(_ range: Range<Int>) -> [UInt8]? {
        guard !range.isEmpty else { return nil }
        let significant = range.drop { base[$0] == Byte.zero }
        guard significant.count <= 32 else { return nil }
        // The last digit first.
        var digits: [UInt8] = [0]
        for place in significant {
            var carry = Int(ASCII.hexadecimalValue(base[place]) ?? 0)
            for index in digits.indices {
                carry += Int(digits[index]) * 16
                digits[index] = UInt8(carry % 10)
                carry /= 10
            }
            while carry > 0 {
                digits.append(UInt8(carry % 10))
                carry /= 10
            }
        }
        return digits.reversed().map { Byte.zero + $0 }
    }
}

/// Placeholders for `Infinity` and `NaN` in the strict form of a lenient document.
///
/// They are out of every type's range, so that only such numbers need a check. A document's own number of this text is
/// rewritten with a capital E.
enum LenientNumber: String, CaseIterable {
    case infinity = "9e99999999"
    case notANumber = "8e99999999"

    fileprivate var word: String {
        switch self {
        case .infinity: "Infinity"
        case .notANumber: "NaN"
        }
    }
}

extension HikyakuJSONDecoder {
    /// Whether a number means `Infinity` or `NaN`.
    func isNonFinite(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        nonFinite(Double.self, start, count) != nil
    }

    /// The value of a placeholder, for a number that is out of its type's range.
    func nonFinite<Value: BinaryFloatingPoint>(
        _ type: Value.Type,
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
    ) -> Value? {
        guard leniency.isJSON5 else { return nil }
        let isNegative = start.pointee == Byte.minus
        let text = UnsafeBufferPointer(start: start, count: count).dropFirst(isNegative ? 1 : 0)
        guard let number = LenientNumber.allCases.first(where: { text.elementsEqual($0.rawValue.utf8) }) else {
            return nil
        }
        switch number {
        case .infinity: return isNegative ? -.infinity : .infinity
        case .notANumber: return .nan
        }
    }
}

extension LenientScan {
    /// A token that JSON does not have.
    private mutating func tokenOfJSON5() {
        switch base[place] {
        case UInt8(ascii: "'"): text()
        case Byte.plus, Byte.minus, Byte.point, Byte.zero...Byte.nine: number()
        case 0x0B, 0x0C: blank(upTo: place + 1)
        default:
            if let end = spaceEnd() {
                blank(upTo: end)
            } else if isBeforeKey, let end = identifierEnd() {
                key(upTo: end)
            } else if !nonFinite(from: place) {
                leaveWord()
            }
        }
    }

    /// A key without quotes ([JSON5, section 3](https://spec.json5.org/#objects)).
    private mutating func key(upTo end: Int) {
        let quote = CollectionOfOne(Byte.quote)
        output.replace(place, place, by: quote)
        output.replace(end, end, by: quote)
        place = end
        last = .value
    }

    /// Keeps `true`, `false`, `null` and unknown words with all adjacent characters, no part of which may become a
    /// number.
    private mutating func leaveWord() {
        repeat {
            pass(.value)
        } while place < count
            && (Self.isWordPart(base[place]) || base[place] == Byte.plus || base[place] == Byte.minus)
    }

    /// Whether a byte continues a number or a word.
    private static func isWordPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "$"), Byte.point, Byte.backslash: true
        default: ASCII.isLetter(byte) || ASCII.isDigit(byte)
        }
    }

    /// The end of a space beyond ASCII: those of the category Zs, a byte order mark, line separators ([JSON5, section
    /// 8](https://spec.json5.org/#white-space)).
    private func spaceEnd() -> Int? {
        guard base[place] >= 0x80, let (scalar, end) = scalar(at: place) else { return nil }
        let isSpace =
            ["\u{FEFF}", "\u{2028}", "\u{2029}"].contains(scalar)
            || scalar.properties.generalCategory == .spaceSeparator
        return isSpace ? end : nil
    }

    /// The end of the identifier of ECMAScript 5.1 that begins here; `nil` if there is none.
    private func identifierEnd() -> Int? {
        var end = place
        while end < count, let next = identifierPartEnd(at: end, isFirst: end == place) { end = next }
        return end == place ? nil : end
    }

    private func identifierPartEnd(at place: Int, isFirst: Bool) -> Int? {
        let found = base[place] == Byte.backslash ? escapedScalar(at: place) : scalar(at: place)
        guard let (scalar, end) = found, Self.isIdentifierPart(scalar, isFirst: isFirst) else { return nil }
        return end
    }

    private static func isIdentifierPart(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            true
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation:
            !isFirst || scalar == "_"
        default:
            scalar == "$" || !isFirst && (scalar == "\u{200C}" || scalar == "\u{200D}")
        }
    }

    /// The character that begins at an offset, and the offset after it; `nil` if the bytes are not UTF-8.
    private func scalar(at place: Int) -> (Unicode.Scalar, Int)? {
        let (scalar, length) = TextToken.scalar(in: UnsafeBufferPointer(start: base, count: count), at: place)
        return length == 1 && base[place] >= 0x80 ? nil : (scalar, place + length)
    }

    private func escapedScalar(at place: Int) -> (Unicode.Scalar, Int)? {
        guard place + 1 < count, base[place + 1] == UInt8(ascii: "u"),
            let unit = try? EscapeScan.unit(from: base + place, to: base + count)
        else { return nil }
        return Unicode.Scalar(unit).map { ($0, place + 6) }
    }
}
