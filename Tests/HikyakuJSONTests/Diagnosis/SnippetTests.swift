import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct SnippetTests {
    private static func snippet(_ body: String, at offset: Int, revealing: Bool = false) -> String? {
        let error = DecodingError.dataCorrupted(.at(offset))
        return DecodingDiagnosis(error, body: Data(body.utf8), revealingValues: revealing).snippet
    }

    @Test(arguments: [
        (#"{"Key 1":"Value 2"}"#, #"{"Aaa 9":"Aaaaa 9"}"#),
        ("[-12.5e+7, true, false, null]", "[-99.9e+9, true, false, null]"),
        ("{\n\t\"a\" :\r\n   1\n}\n", "{ \"a\" : 9 }"), (#"{"a\nb":"a\nb\"c"}"#, #"{"a?a":"a?a"a"}"#),
        // Looks like a key, and is none.
        (#"["hunter2:","x"]"#, #"["aaaaaa9:","a"]"#), (#"{"飛":"飛","é😀":"é😀"}"#, #"{"飛":"a","a?":"a?"}"#),
        ("{\"a\u{202E}\":\"\u{202E}\"}", "{\"a?\":\"?\"}"),
    ])
    func namesAreShownAndValuesMasked(_ body: String, _ snippet: String) {
        #expect(Self.snippet(body, at: 0) == snippet)
    }

    @Test(arguments: [
        (#"{"a1":null}"#, false), ("[true, []]", false), (#"{"a":""}"#, false), (#"["-", {}]"#, false),
        ("[1]", true), ("[9]", true), (#"["a"]"#, true), (#"["?"]"#, true), (#"{"a":"b"}"#, true),
    ])
    func theDescriptionSaysWhetherValuesAreMasked(_ body: String, _ isMasked: Bool) {
        let error = DecodingError.dataCorrupted(.at(0))
        let diagnosis = DecodingDiagnosis(error, body: Data(body.utf8))
        #expect(diagnosis.isSnippetMasked == isMasked)
        #expect(diagnosis.description.hasSuffix("`" + (isMasked ? " (values masked)" : "")))
        let revealed = DecodingDiagnosis(error, body: Data(body.utf8), revealingValues: true)
        #expect(!revealed.isSnippetMasked && !revealed.description.contains("masked"))
    }

    /// What is cut off is not shown, and so isn't masked either.
    @Test func onlyWhatIsShownIsMasked() {
        let body = "[1" + String(repeating: ",null", count: 100) + "]"
        let diagnosis = DecodingDiagnosis(DecodingError.dataCorrupted(.at(body.utf8.count - 5)), body: Data(body.utf8))
        #expect(diagnosis.snippet?.hasSuffix("null,null]") == true)
        #expect(!diagnosis.isSnippetMasked)
    }

    @Test func valuesAreShownByChoice() {
        let body = #"{"a":"Value 2\n","b":12.5}"#
        #expect(Self.snippet(body, at: 0, revealing: true) == body)
    }

    @Test func itHasAtMostEightyCharactersAroundThePlace() throws {
        let members = (100..<200).map { #""k\#($0)":\#($0)"# }
        let body = "{\(members.joined(separator: ","))}"
        for offset in [1, 500, body.utf8.count - 3] {
            let snippet = try #require(Self.snippet(body, at: offset, revealing: true))
            #expect(snippet.count == 80 || snippet.count == 79)
            #expect(body.contains(snippet.trimmingCharacters(in: ["…"])))
        }
        #expect(try #require(Self.snippet(body, at: 1)).hasSuffix("…"))
        #expect(try #require(Self.snippet(body, at: 1)).hasPrefix(#"{"k100":999,"#))
        let last = try #require(Self.snippet(body, at: body.utf8.count - 4))
        #expect(last.hasPrefix("…") && last.hasSuffix(#""k199":999}"#))
    }

    @Test func aLongTextBeforeOrBehindIsCut() throws {
        let long = String(repeating: "x", count: 5000)
        let before = #"{"long":"\#(long)","id":null}"#
        #expect(Self.snippet(before, at: before.utf8.count - 5) == #"…,"id":null}"#)
        let behind = try #require(Self.snippet(#"{"id":null,"long":"\#(long)"}"#, at: 6))
        #expect(behind == #"{"id":null,"long":""# + String(repeating: "a", count: 59) + "…")
        let key = try #require(Self.snippet(#"[1,{"\#(long)":2}]"#, at: 1))
        #expect(key == #"[9,{""# + String(repeating: "a", count: 73) + "…")
    }

    @Test func nothingIsKnownOfWhatFollowsAFault() throws {
        let bytes = Data(#"{"a":"x" true: "b", "token":"t", "n": 12e3}"#.utf8)
        let diagnosis = DecodingDiagnosis(try #require(JSONSyntaxError.in(bytes)), body: bytes)
        #expect(diagnosis.snippet == #"{"a":"a" aaaa: "a", "aaaaa":"a", "a": 99a9}"#)
    }

    @Test func whiteSpaceOfAnyLengthIsOneSpace() {
        let space = String(repeating: " ", count: 10_000)
        #expect(Self.snippet("[1,\(space)2,\(space)3]", at: 10_003) == "… 9, …")
        #expect(Self.snippet("[\(space)1]", at: 0) == "[ …")
    }
}
