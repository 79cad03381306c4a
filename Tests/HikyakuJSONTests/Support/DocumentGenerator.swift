import TestSupport

/// Random documents of all kinds, written in odd ways, and the same for the same seed.
struct DocumentGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// A document that all decoders have to read alike: no key comes twice, and each number has a type that holds it.
    mutating func next() -> String {
        space() + value(depth: Int.random(in: 0...5, using: &random)) + space()
    }

    /// A text as it is.
    mutating func plainText() -> String {
        (0..<Int.random(in: 0...20, using: &random)).map { _ in character().text }.joined()
    }

    private mutating func value(depth: Int) -> String {
        let kind = Int.random(in: 0..<(depth > 0 ? 12 : 7), using: &random)
        switch kind {
        case 0: return random.pick(["null", "true", "false"])
        case 1, 2: return integer()
        case 3: return decimal()
        case 4, 5, 6: return text()
        case 7, 8, 9: return object(depth)
        default: return array(depth)
        }
    }

    private mutating func array(_ depth: Int) -> String {
        let elements = (0..<count()).map { _ in space() + value(depth: depth - 1) + space() }
        return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
    }

    private mutating func object(_ depth: Int) -> String {
        var keys: Set<String> = []
        let members = (0..<count()).compactMap { _ -> String? in
            let (key, written) = name()
            guard keys.insert(key).inserted else { return nil }
            return space() + written + space() + ":" + space() + value(depth: depth - 1) + space()
        }
        return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    }

    /// Few mostly, and sometimes as many as need a table.
    private mutating func count() -> Int {
        random.isOne(of: 25) ? Int.random(in: 20...60, using: &random) : Int.random(in: 0...5, using: &random)
    }

    private mutating func space() -> String {
        random.pick(["", "", "", " ", "\n", "\r\n\t", "   "])
    }

    private mutating func integer() -> String {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return random.pick(["0", "-0", "-1", "1"])
        case 1: return random.pick(["\(Int64.max)", "\(Int64.min)", "\(UInt64.max)", "9007199254740993"])
        case 2: return "\(UInt64.random(in: 0...UInt64.max, using: &random))"
        default: return "\(Int64.random(in: -100_000...100_000, using: &random))"
        }
    }

    private mutating func decimal() -> String {
        let sign = random.pick(["", "-"])
        // A long fraction after large digits would have parts that a `Double` loses, by which some detect integers.
        let isLong = random.isOne(of: 3)
        let large = "\(UInt32.random(in: 1...UInt32.max, using: &random))"
        let whole = random.pick(isLong ? ["0", "7"] : ["0", "7", large])
        let long = ".\(UInt64.random(in: 1...UInt64.max, using: &random))"
        let fraction = isLong ? long : random.pick(["", ".0", ".5", ".0625"])
        let exponents = ["", "e-7", "e0", "E-00", "e250", "e-250"] + (isLong ? [] : ["e5", "E+12"])
        let exponent = random.pick(exponents)
        return sign + whole + (fraction.isEmpty && exponent.isEmpty ? ".25" : fraction) + exponent
    }

    /// A text with its quotes.
    private mutating func text() -> String {
        let count =
            random.isOne(of: 10) ? Int.random(in: 0...100, using: &random) : Int.random(in: 0...14, using: &random)
        return "\"" + (0..<count).map { _ in character().written }.joined() + "\""
    }

    /// A key, and how it is written, with its quotes.
    private mutating func name() -> (String, String) {
        let characters = (0..<Int.random(in: 0...10, using: &random)).map { _ in character() }
        return (characters.map(\.text).joined(), "\"" + characters.map(\.written).joined() + "\"")
    }

    private mutating func character() -> (text: String, written: String) {
        switch Int.random(in: 0..<14, using: &random) {
        case 0:
            return random.pick([
                ("\"", "\\\""), ("\\", "\\\\"), ("/", "\\/"), ("/", "/"), ("\n", "\\n"), ("\u{8}", "\\b"),
                ("\t", "\\t"), ("\r", "\\r"), ("\u{C}", "\\f"),
            ])
        case 1:
            return random.pick([
                ("é", "é"), ("é", "\\u00e9"), ("飛", "飛"), ("飛", "\\u98DB"), ("ß", "ß"), ("\u{7F}", "\u{7F}"),
            ])
        case 2:
            return random.pick([
                ("😀", "😀"), ("😀", "\\ud83d\\uDE00"), ("\u{10FFFF}", "\\udbff\\udfff"), ("\u{FFFD}", "\u{FFFD}"),
            ])
        case 3:
            return random.pick([
                ("\0", "\\u0000"), ("\u{1F}", "\\u001f"), ("a", "\\u0061"), ("\u{2028}", "\u{2028}"),
            ])
        case 4:
            return random.pick([
                ("{", "{"), ("}", "}"), ("[", "["), (",", ","), (":", ":"), ("_", "_"), ("'", "'"),
            ])
        default:
            let letter = random.pick(["a", "b", "c", "X", "Y", "0", "7", " ", "-"])
            return (letter, letter)
        }
    }
}
