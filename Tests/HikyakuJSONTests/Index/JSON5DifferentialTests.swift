import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// JSON5 by our decoder and by Foundation's.
@Suite struct JSON5DifferentialTests {
    private static let ours: HikyakuJSONDecoder = {
        var decoder = HikyakuJSONDecoder()
        decoder.leniency = .json5
        return decoder
    }()

    private static var theirs: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return decoder
    }

    /// What both make of a document, as text, since NaN isn't equal to itself; an error is an error.
    private static func outcomes(_ document: Data) -> (ours: String, theirs: String) {
        func text(_ decode: () throws -> JSONAny) -> String { (try? decode()).map { "\($0.sorted)" } ?? "an error" }
        return (
            text { try ours.decode(JSONAny.self, from: document) },
            text { try theirs.decode(JSONAny.self, from: document) },
        )
    }

    private static func outcomes(_ document: String) -> (ours: String, theirs: String) {
        outcomes(Data(document.utf8))
    }

    static let same = [
        "// c\n1", "/* c */1", "1/**/", "/*/1", "/* * / */1", "1//", "/", "1/", "[1,/*x*/2]", "[1//\r,2]", "1/* */2",
        "[1/* */2]", "tr/**/ue", "/*", "/**", "1/*", "//", "[1,]", "[,]", "[1,,]", #"{"a":1,}"#,
        "{,}", "[1,/*c*/]", "[1,//c\n]", "1,", #"{"a",}"#, #"{"a":,}"#, "[1,}", "{a:1]", "'a'", #"'a"b'"#, #"'\''"#,
        #""\'""#, #""\"""#, #"'\"'"#, #"'\\'"#, #""\x41""#, #""\xe9""#, #"'\x22'"#, #"'\x5c'"#, #""\x4""#, #""\x""#,
        #""\1""#, #""\01""#, "\"a\nb\"", "'a\nb'", "'a\rb'", "\"\u{2028}\"", #"'\ud83d\ude00'"#, #"'\ud800'"#,
        #"'\ud83d\x41'"#, "'a", "'", "'a\\", "'\u{e9}飛😀'", "{a:1}", "{$a_1:1}", "{_:1}", "{a-b:1}", "{1a:1}", "{飛:1}",
        "{'a':1}", "{null:1}", "{Infinity:1}", "{NaN:1}", "{a }", "{a", "{a:1,b:2}", "{a\u{300}:1}", "{\u{300}:1}",
        "{a\u{200D}b:1}", "{a\u{203F}:1}", "{\u{203F}:1}", "{\u{2160}:1}", "{😀:1}", "{a/**/:1}", "{a :1}", "[a:1]",
        "{a:b}", "{a b:1}", "0x1F", "0X1f", "0x", "-0x10", "+0x10", "0xg", "0x8000000000000000", "0x1.8", "0x1e5",
        "00x1", "+1", "+-1", "-+1", "+ 1", "- 1", ".5", "-.5", "+.5", "5.", "5.e3", ".5e-3", "+5e3",
        ".", "+", "-", ".e3", "01", "-01", "+01", "1.5.5", "5..5", "..5", "0.", "-0.", "-0", "+0", "1e400", "1e",
        "1e-0x5", "5.0x1", "5.+1", "0xFFFFFFFFFFFFFFFF.5", "Infinity", "-Infinity", "+Infinity", "NaN", "-NaN", "+NaN",
        "[Infinity,NaN]", "infinity", "nan", "Infinityx", "NaN5", "NaN.5", "Infinity-5", "- Infinity", "-.Infinity",
        "Infinity Infinity", "[1 2]", "[1,2", "undefined", "[0x1 .5]", "[0x1.5]", "[1,2,]]", "True", "1_000", "1n",
        "a:1", "", " ", "{a:1}x", "\u{FEFF}1", "\u{B}1", "\u{C}1", "[1\u{C}]", "\u{85}1", "\u{180E}1", "[1,2,]",
        "{a:'b',}", "[.5,5.,+5,0x5,'5']", "[[[]],]", "[{},]", "{a:{b:[1,],},}", "[true,]", "[null,]", "['a',]",
    ]

    @Test(arguments: same)
    func bothMakeTheSameOfIt(_ document: String) {
        let outcomes = Self.outcomes(document)
        #expect(outcomes.ours == outcomes.theirs)
    }

    /// Where Foundation departs from https://spec.json5.org, or lets something pass; ours comes first.
    static let differences: [(name: String, document: String, ours: String, theirs: String)] = [
        ("escapes of JSON5 alone", #"'\v\0'"#, #"string("\u{0B}\0")"#, "an error"),
        ("an escaped letter is itself", #"'\a\飛'"#, #"string("a飛")"#, "an error"),
        ("a line break behind a backslash is nothing", "'a\\\nb'", #"string("ab")"#, #"string("a\nb")"#),
        ("so are those of Windows", "'a\\\r\nb'", #"string("ab")"#, #"string("a\r\nb")"#),
        ("and of Unicode", "'a\\\u{2028}b'", #"string("ab")"#, "an error"),
        ("control characters may be in texts", "'a\tb\u{1}'", #"string("a\tb\u{01}")"#, "an error"),
        ("escapes in keys without quotes", #"{\u0061:1}"#, #"["a": integer(1)]"#, #"["\\u0061": integer(1)]"#),
        ("which have to stand for letters", #"{\u0030:1}"#, "an error", #"["\\u0030": integer(1)]"#),
        ("white space beyond ASCII", "\u{A0}1\u{2028}\u{2029}\u{3000}\u{1680}", "integer(1)", "an error"),
        ("a mark of the order of bytes anywhere", "1\u{FEFF}", "integer(1)", "an error"),
        ("which may end a comment", "[1//\u{2028},2\n]", "[integer(1), integer(2)]", "[integer(1)]"),
        (
            "an exponent's sign needs digits; as a Double, the number stops Foundation's process", "1e+", "an error",
            "integer(1)",
        ),
        ("exponents of hexadecimal numbers", "0x1p3", "an error", "integer(8)"),
        ("hexadecimal numbers beyond 64 bits", "0x1FFFFFFFFFFFFFFFF", "double(3.6893488147419103e+19)", "an error"),
    ]

    @Test(arguments: differences.map(\.name))
    func theDifferencesAreThese(_ name: String) throws {
        let difference = try #require(Self.differences.first { $0.name == name })
        let outcomes = Self.outcomes(difference.document)
        #expect(outcomes.ours == difference.ours)
        #expect(outcomes.theirs == difference.theirs)
    }

    @Test func aHexadecimalNumberBeyondInt64CanBeADouble() throws {
        let document = Data("0xFFFFFFFFFFFFFFFF".utf8)
        #expect(try Self.ours.decode(Double.self, from: document) == 0x1p64)
        #expect(throws: DecodingError.self) { try Self.theirs.decode(Double.self, from: document) }
    }

    @Test func bothMakeTheSameOfWhateverIsWritten() {
        let seed = testSeed()
        var text = JSON5Text(seed: seed)
        var read = 0
        for number in 0..<6000 {
            let document = text.mutated()
            guard Self.isComparable(document) else { continue }
            let outcomes = Self.outcomes(document)
            #expect(outcomes.ours == outcomes.theirs, "\(document.debugDescription), seed \(seed), document \(number)")
            if outcomes.ours != "an error" { read += 1 }
        }
        #expect(read > 1000 && read < 5000, "seed \(seed)")
    }

    /// Whether a document has nothing of which a difference is known.
    ///
    /// Foundation's decoder stops the process for some numbers that are none, `1e+` and `0x0x` among them, and makes an
    /// integer of `1844674407370955161.5`; it has other escapes; and of two equal keys the first one wins.
    private static func isComparable(_ document: String) -> Bool {
        let otherEscape = #/\\(?!["'\\\/bfnrtu]|x[0-9a-fA-F]{2})/#
        return JSON5Text.hasKnownWords(document) && document.firstMatch(of: otherEscape) == nil
    }
}

extension JSONAny {
    /// The value as a text whose members have an order.
    fileprivate var sorted: String {
        switch self {
        case .array(let array): "[\(array.map(\.sorted).joined(separator: ", "))]"
        case .object(let object):
            "[\(object.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value.sorted)" }.joined(separator: ", "))]"
        case .double(let value) where value.isNaN: "NaN"
        default: "\(self)"
        }
    }
}
