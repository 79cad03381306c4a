/// Goes through a lenient document once, token after token, and writes what a strict one has instead.
///
/// What it doesn't know it leaves as it is, for those who read the document to complain of. No token is changed so
/// that, with its neighbours, it could become another one.
struct LenientScan: ~Copyable {
    /// What came last, apart from white space and comments.
    enum Last {
        case opening
        case colon
        case value
        /// A comma, the place it has in the output, and whether a value is before it.
        case comma(index: Int, isBehindValue: Bool)
    }

    let base: UnsafePointer<UInt8>
    let count: Int
    let leniency: HikyakuJSONDecoder.Leniency
    let isJSON5: Bool
    var output: LenientOutput
    var place = 0
    var last = Last.opening
    /// Where a comment begins that doesn't end, at which the scan stops.
    private(set) var unendedComment: Int?
    /// Of each open container, whether it is an object.
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
        if leniency.contains(.byteOrderMark), isMark(at: 0) { blank(upTo: 3) }
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

    /// Leaves a byte as it is.
    mutating func pass(_ token: Last) {
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

    /// Whether a key stands where a word begins.
    var isBeforeKey: Bool {
        guard containers.last == true else { return false }
        switch last {
        case .opening, .comma: return true
        case .colon, .value: return false
        }
    }
}

extension LenientScan {
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

    /// Writes a space for each byte; lines stay lines.
    mutating func blank(upTo end: Int) {
        let part = UnsafeBufferPointer(start: base + place, count: end - place)
        let spaces = part.lazy.map { $0 == Byte.lineFeed || $0 == Byte.carriageReturn ? $0 : Byte.space }
        output.replace(place, end, by: spaces)
        place = end
    }

    /// The place behind the end of a line; JSON5 has more of them.
    func lineBreakEnd(at place: Int) -> Int? {
        switch base[place] {
        case Byte.lineFeed: return place + 1
        case Byte.carriageReturn: return place + 1 < count && base[place + 1] == Byte.lineFeed ? place + 2 : place + 1
        case 0xE2 where isJSON5:
            guard place + 2 < count, base[place + 1] == 0x80, base[place + 2] & 0xFE == 0xA8 else { return nil }
            return place + 3
        default: return nil
        }
    }

    func isMark(at place: Int) -> Bool {
        count - place >= 3 && base[place] == 0xEF && base[place + 1] == 0xBB && base[place + 2] == 0xBF
    }

    /// Makes up for what became shorter, so that what follows keeps its place: with white space behind it.
    mutating func pad(from start: Int, _ index: Int, lineFeeds: Int = 0) {
        let missing = place - start - (output.count(upTo: place) - index)
        guard missing > 0 else { return }
        let spaces = Array(repeating: Byte.space, count: max(0, missing - lineFeeds))
        output.replace(place, place, by: spaces + Array(repeating: Byte.lineFeed, count: min(missing, lineFeeds)))
    }
}
