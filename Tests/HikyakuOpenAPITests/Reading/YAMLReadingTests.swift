#if YAML
import Testing

@testable import HikyakuOpenAPI

@Suite("Trees of YAML")
struct YAMLReadingTests {
    @Test(arguments: [
        ("a: no\nb: on\nc: yes\nd: Off", #"{a: "no", b: "on", c: "yes", d: "Off"}"#),
        ("a: true\nb: False\nc: TRUE\nd: 'true'\ne: tRue", #"{a: true, b: false, c: true, d: "true", e: "tRue"}"#),
        ("a: ~\nb:\nc: null\nd: ''\ne: nil", #"{a: null, b: null, c: null, d: "", e: "nil"}"#),
        (
            "a: 1.0e3\nb: 0x1F\nc: -7\nd: .5\ne: 1_000\nf: .inf",
            #"{a: 1.0e3, b: 0x1F, c: -7, d: .5, e: "1_000", f: .inf}"#,
        ),
        ("a: 2024-01-01\nb: 12:30:00\nc: 1.2.3\nd: 0o17", #"{a: "2024-01-01", b: "12:30:00", c: "1.2.3", d: 0o17}"#),
        ("a: !!str 123\nb: !!int '7'\nc: !custom x\nd: ! 5", #"{a: "123", b: 7, c: "x", d: "5"}"#),
        ("200: a\n1.0: b\ntrue: c\n~: d\n'': e", #"{200: "a", 1.0: "b", true: "c", ~: "d", : "e"}"#),
        ("{a: 1, b: [x, 'y'], c: {d: }}", #"{a: 1, b: ["x", "y"], c: {d: null}}"#),
        ("{a: 1, # one\n 'b': 0x1F,}", "{a: 1, b: 0x1F}"),
        ("a: {b: [1, 'x', null,], c: {}}", #"{a: {b: [1, "x", null], c: {}}}"#),
        ("a: |\n  x\n  y\nb: >-\n  x\n  y\nc: \"x\\ty\\/z\"", "{a: \"x\ny\n\", b: \"x y\", c: \"x\ty/z\"}"),
    ])
    func readsScalarsByTheCoreSchema(text: String, expected: String) throws {
        let (node, diagnostics) = readTree(text)
        #expect(try #require(node).short == expected)
        #expect(diagnostics == [])
    }

    @Test(arguments: [
        ("0x1F", 31), ("0o17", 15), ("+12", 12), ("1.0e3", 1000), ("1.", 1), ("007", 7), ("-0", 0),
    ])
    func convertsNumbersOfYAML(text: String, expected: Int) {
        #expect(DocumentNode(.number(text), at: SourcePosition()).number?.int == expected)
    }

    @Test func numbersThatJSONLacksAreNotNumbers() {
        for text in [".inf", "-.inf", ".nan", "0xFFFFFFFFFFFFFFFFF"] {
            #expect(DocumentNode(.number(text), at: SourcePosition()).number == nil)
        }
    }

    @Test func keepsPositions() throws {
        let (node, _) = readTree("a:\n  - é: 1\n    b: [x, y]\n")
        let element = try #require(node?["a"]?.array?.first)
        #expect(element.position == SourcePosition(file: 0, line: 2, column: 5))
        let member = try #require(element.object?.last)
        #expect(member.keyPosition == SourcePosition(file: 0, line: 3, column: 5))
        #expect(member.value.array?.last?.position == SourcePosition(file: 0, line: 3, column: 12))
    }

    @Test func expandsAliasesAndMergeKeys() throws {
        let text = """
            base: &base {a: 1, b: 2}
            other: &other {b: 3, c: 4}
            one: {<<: *base, b: 9}
            two: {<<: [*base, *other], d: 5}
            three: *base
            four: {'<<': 1}
            five: {<<: 2}
            &key k: v
            ? *key
            : w
            """
        let (node, diagnostics) = readTree(text)
        #expect(node?["one"]?.short == "{b: 9, a: 1}")
        #expect(node?["two"]?.short == "{d: 5, a: 1, b: 2, c: 4}")
        #expect(node?["three"]?.short == "{a: 1, b: 2}")
        #expect(node?["four"]?.short == "{<<: 1}")
        #expect(node?["five"]?.short == "{<<: 2}")
        #expect(node?["k"]?.short == "\"w\"")
        #expect(diagnostics.map(\.code) == [.duplicateKey])
    }

    @Test func diagnosesAliasesWithoutAnchors() {
        let (node, diagnostics) = readTree("a: *b\nc: &c [*c]\n")
        #expect(node?.short == "{a: null, c: [null]}")
        #expect(diagnostics.map(\.code) == [.invalidAlias, .invalidAlias])
    }

    @Test func boundsAliasesOfAliases() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...40 {
            text +=
                "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
                + "]\n"
        }
        let (node, diagnostics) = readTree(text)
        #expect(node != nil)
        #expect(diagnostics.map(\.code) == [.limitExceeded])
    }

    @Test func keepsTheLastOfRepeatedKeys() {
        let (node, diagnostics) = readTree("a: 1\nb: 2\na: 3\n")
        #expect(node?.short == "{a: 3, b: 2}")
        #expect(
            diagnostics.map(\.description) == [
                "api.yaml:3:1: warning: the key 'a' is also at line 1; the last value is used"
            ]
        )
    }

    @Test func readsTheFirstOfSeveralDocuments() {
        let (node, diagnostics) = readTree("%YAML 1.2\n---\na: 1\n---\nb: 2\n")
        #expect(node?.short == "{a: 1}")
        #expect(diagnostics.map(\.code) == [.furtherDocument])
    }

    @Test func mendsTabsInIndentation() {
        let (node, diagnostics) = readTree("a:\n\tb: 1\n\tc: 2\n")
        #expect(node?.short == "{a: {b: 1, c: 2}}")
        #expect(diagnostics.map(\.code) == [.invalidSyntax])
        #expect(diagnostics.first?.severity == .warning)
    }

    @Test func keepsTabsElsewhere() {
        let (node, diagnostics) = readTree("a: |\n  x\n  \ty\nb:\t1\n")
        #expect(node?.short == "{a: \"x\n\ty\n\", b: 1}")
        #expect(diagnostics == [])
    }

    @Test func joinsSurrogateEscapes() {
        let text = #"a: "\uD83D\uDE00!\u00e9"\#nb: '\uD83D\uDE00'\#nc: \uD83D\#nd: "\\uD83D"\#ne: "x\ud83dy\udE00""#
        let (node, diagnostics) = readTree(text)
        #expect(node?["a"]?.string == "😀!é")
        #expect(node?["b"]?.string == #"\uD83D\uDE00"#)
        #expect(node?["c"]?.string == #"\uD83D"#)
        #expect(node?["d"]?.string == #"\uD83D"#)
        #expect(node?["e"]?.string == "x\u{FFFD}y\u{FFFD}")
        #expect(diagnostics.map(\.code) == [.invalidText])
    }

    @Test func replacesWhatIsNotText() throws {
        let (node, diagnostics) = readTree(Array("a: x".utf8) + [0x07, 0xFF] + Array("y\nb: \u{FEFF}z\n".utf8))
        #expect(node?.short == "{a: \"x \u{FFFD}y\", b: \"z\"}")
        #expect(diagnostics.map(\.code) == [.invalidText])
        let utf16: [UInt8] =
            [0xFF, 0xFE] + "a: é".utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        #expect(readTree(utf16).node?.short == "{a: \"é\"}")
        #expect(readTree([0xEF, 0xBB, 0xBF] + Array("a: 1".utf8)).node?.short == "{a: 1}")
    }

    @Test func keepsWhatPrecedesAnError() {
        let (node, diagnostics) = readTree("a: 1\nb:\n  c: 2\n  d: [1, 2\ne: }\n")
        #expect(node?["a"]?.short == "1")
        #expect(node?["b"]?["c"]?.short == "2")
        #expect(diagnostics.map(\.code) == [.invalidSyntax])
        #expect(diagnostics.first?.severity == .error)
    }

    @Test func leavesOutComplexKeys() {
        let (node, diagnostics) = readTree("? [a, b]\n: 1\n? {c: {d: e}}\n: [2]\nf: 3\n")
        #expect(node?.short == "{f: 3}")
        #expect(diagnostics.map(\.code) == [.unusualKey, .unusualKey])
    }

    @Test func limitsDepth() {
        let (node, diagnostics) = readTree(String(repeating: "[", count: 300) + String(repeating: "]", count: 300))
        #expect(node != nil)
        #expect(diagnostics.map(\.code) == [.limitExceeded])
    }

    @Test func limitsTheDepthOfAliases() {
        var text = "a0: &a0 [x]\n"
        for level in 1...100 { text += "a\(level): &a\(level) [[[[[*a\(level - 1)]]]]]\n" }
        let (node, diagnostics) = readTree(text)
        #expect(node?.object?.count == 101)
        #expect(diagnostics.map(\.code) == [.limitExceeded, .limitExceeded])
    }

    @Test func limitsSize() {
        var limits = ReadingLimits()
        limits.fileBytesMax = 10
        #expect(readTree("a: 12345678901", limits: limits).diagnostics.map(\.code) == [.limitExceeded])
        limits = ReadingLimits()
        limits.nodesMax = 5
        let (node, diagnostics) = readTree("[1, 2, 3, 4, 5, 6, 7, 8]", limits: limits)
        #expect(node?.array?.count ?? 0 <= 6)
        #expect(diagnostics.map(\.code) == [.limitExceeded])
    }
}
#endif
