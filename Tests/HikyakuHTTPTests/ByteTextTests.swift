import Foundation
import HikyakuHTTP
import Testing

/// Texts that Swift joins or takes for equal, and programs at the other end don't.
@Suite struct ByteTextTests {
    static let marks = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20DD}", "\u{903}", "\u{1F3FD}", "\u{338}"]

    /// Texts that are equal to Swift.
    static let twins = [
        ("\u{15B}", "s\u{301}"), ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("\u{C5}", "\u{212B}"),
        ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{AC00}", "\u{1100}\u{1161}"),
    ]

    @Test(arguments: marks)
    func aMarkHidesNoDelimiter(_ mark: String) {
        let text = "a/\(mark)b/\(mark)"
        #expect(!text.contains("/" as Character))
        #expect(text.hasByte("/") && text.hasBytePrefix("a/") && !text.hasByteSuffix("/"))
        #expect(text.byteSplit(separator: "/").map { String($0) } == ["a", mark + "b", mark])
        #expect(text.byteSplit(separator: "/", maxSplits: 1).map { String($0) } == ["a", "\(mark)b/\(mark)"])
        #expect(text.firstByteIndex(of: "/") == text.utf8.index(text.startIndex, offsetBy: 1))
        #expect(" \(mark)a\t\(mark) ".trimmingSpaces.hasSameBytes(as: "\(mark)a\t\(mark)"))
    }

    @Test(arguments: ["", " ", "\t \t", "a", " a", "a ", " a b\t", "\n a \n", "\r\n"])
    func spacesAndTabsAreTrimmedAlone(_ text: String) {
        let bytes = Array(text.utf8)
        let trimmed = bytes.drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
        #expect(Array(text.trimmingSpaces.utf8) == Array(trimmed))
        #expect(Array(text[...].trimmingSpaces.utf8) == Array(trimmed))
    }

    @Test(arguments: twins)
    func textsOfOtherBytesAreOther(_ one: String, _ other: String) {
        #expect(one == other)
        #expect(!one.hasSameBytes(as: other) && one.hasSameBytes(as: one))
        #expect(ByteText(one) != ByteText(other) && ByteText(one) == ByteText(one))
        #expect(Set([ByteText(one), ByteText(other), ByteText(one)]).count == 2)
        #expect(!"\(one)x".hasBytePrefix(other) && !"x\(one)".hasByteSuffix(other))
        #expect(Secret(one) != Secret(other) && Secret(one) == Secret(one))
        #expect(HTTPMethod("M\(one)") != HTTPMethod("M\(other)"))
        #expect(HTTPHeaders(dictionaryLiteral: ("A", one)) != HTTPHeaders(dictionaryLiteral: ("A", other)))
        #expect(Set([HTTPHeaders.Field(name: "a", value: one), .init(name: "A", value: one)]).count == 1)
    }

    @Test func onlyLettersOfASCIIChangeTheirCase() {
        #expect("AZ\u{212A}İẞ@[`{".asciiLowercased.hasSameBytes(as: "az\u{212A}İẞ@[`{"))
        #expect("abc".asciiLowercased == "abc" && "".asciiLowercased == "")
    }

    @Test(arguments: marks)
    func theTablesOfHostsReadBytes(_ mark: String) {
        #expect(HostSpelling.normal("[\(mark)::1]") != "::1")
        #expect(HostSpelling.normal("a.example.\(mark)") != "a.example")
        #expect(HostSpelling.normal("A.EXAMPLE..") == "a.example")
        #expect(HostSpelling.normal("[::1]") == "::1")
    }
}
