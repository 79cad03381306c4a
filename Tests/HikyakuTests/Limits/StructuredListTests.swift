import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// The syntax of RFC 9651, by the examples of its sections and by what they forbid.
@Suite struct StructuredListTests {
    private typealias Item = StructuredList.BareItem

    private static func items(_ text: String) -> [Item?]? { StructuredList(list: text)?.members.map(\.item) }

    @Test func eachTypeOfItem() {
        #expect(
            Self.items("42, -7, 0, 999999999999999") == [
                .integer(42), .integer(-7), .integer(0), .integer(999_999_999_999_999),
            ]
        )
        #expect(Self.items("4.5,-0.125") == [.decimal(4.5), .decimal(-0.125)])
        #expect(Self.items(#""hello \"world\"", """#) == [.string(#"hello "world""#), .string("")])
        #expect(Self.items("foo123/456, *a:b") == [.token("foo123/456"), .token("*a:b")])
        #expect(Self.items(":aGVsbG8=:, ::") == [.bytes("aGVsbG8"), .bytes("")])
        #expect(Self.items("?1, ?0") == [.boolean(true), .boolean(false)])
        #expect(Self.items("@1659578233, @-1") == [.date(1_659_578_233), .date(-1)])
        #expect(Self.items(#"%"f%c3%bc""#) == [.displayString("f%c3%bc")])
        #expect(Self.items(#"("a" 1;x);q, ()"#) == [nil, nil])
        #expect(Self.items("") == [] && Self.items("  ") == [])
    }

    @Test func whiteSpace() {
        #expect(Self.items("  1 \t,\t 2  ") == [.integer(1), .integer(2)])
        #expect(Self.items("1; a=2") == [.integer(1)])
        #expect(Self.items("\t1") == nil)
    }

    @Test func parameters() {
        let member = StructuredList(list: #"abc;a=1;b=2; c;a=?0;*d.e-f_1="x""#)?.members.first
        // The last of equal ones counts.
        #expect(
            member?.parameters == [
                "a": .boolean(false), "b": .integer(2), "c": .boolean(true), "*d.e-f_1": .string("x"),
            ]
        )
    }

    @Test func dictionaries() {
        let dictionary = StructuredList(dictionary: "a=1;x=2, b, c=(1 2);y, a=3")
        #expect(dictionary?["a"] == .integer(3) && dictionary?["b"] == .boolean(true))
        #expect(dictionary?["c"] == nil && dictionary?.members.count == 4)
        #expect(StructuredList(dictionary: "A=1") == nil && StructuredList(dictionary: "a=1,") == nil)
        #expect(StructuredList(dictionary: "a=") == nil && StructuredList(dictionary: "1") == nil)
    }

    @Test(arguments: [
        "1,", ",1", "1 2", "1,,2", "-", "1.", "1.2345", "1234567890123.1", "1000000000000000", "--1", ".5", "+1",
        "\"", #""a"#, #""\a""#, "\"\u{1}\"", "\"é\"", "a b", ":a:", ":a", ":a_b:", ":YQ===:", "?2", "?", "@1.5", "@",
        "%\"%C3\"", "%\"%c\"", "%a", "(1", "(1,2)", "(\"a\"\"b\")", "1;", "1;=2", "1;A=2", "1;a=", "1;a =2", "é", "=1",
    ])
    func malformedLists(_ text: String) {
        #expect(StructuredList(list: text) == nil, "\(text)")
    }

    @Test func longFieldsTakeLinearTime() {
        let many = (0..<20_000).map { "a;p\($0)=1" }.joined(separator: ",")
        #expect(StructuredList(list: many)?.members.count == 20_000)
        let parameters = "a" + (0..<20_000).map { ";p\($0)" }.joined()
        #expect(StructuredList(list: parameters)?.members.first?.parameters.count == 20_000)
    }
}
