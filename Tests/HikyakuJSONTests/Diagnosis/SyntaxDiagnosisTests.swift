import Foundation
import Testing

@testable import HikyakuJSON

/// Bodies that begin as JSON and go on as none.
@Suite struct SyntaxDiagnosisTests {
    @Test(arguments: [
        ("[1,", "at /1: expected the rest of the JSON document, found its end: it is truncated at byte 3", 3),
        (
            #"{"a": [1, {"b": "secr"#,
            "at /a/1/b: expected the rest of the JSON document, found its end: it is truncated at byte 21", 21,
        ),
        (
            "tru",
            "in the body as a whole: expected the rest of the JSON document, found its end: it is truncated at byte 3",
            3,
        ),
        ("[1,]", #"at /1: expected a value, found "]" behind a comma"#, 3),
        ("[,1]", #"at /0: expected a value, found ",""#, 1),
        ("{\"a\":}", #"at /a: expected a value, found "}""#, 5),
        ("[a]", "at /0: expected a value, found a letter", 1),
        ("[+1]", #"at /0: expected a value, found "+""#, 1),
        ("['a']", "at /0: expected a value, found a single quote", 1),
        ("[\u{7F}]", "at /0: expected a value, found a control character (U+007F)", 1),
        ("[é]", "at /0: expected a value, found a character beyond ASCII", 1),
        ("[1,// x", "at /1: expected a value, found a comment, which JSON doesn't have", 3),
        ("[NaN]", "at /0: expected a value, found the word NaN, which JSON doesn't have", 1),
        ("{\"a\":True}", "at /a: expected a value, found the word True, which JSON doesn't have", 5),
        ("[nil]", "at /0: expected a value, found the word nil, which JSON doesn't have", 1),
        ("[trux]", "at /0: expected a value, found a letter", 1),
        (
            "[-Infinity]", "at /0: expected a number as JSON has it, found the word Infinity, which JSON doesn't have",
            2,
        ),
        ("[007]", "at /0: expected a number as JSON has it, found one with a zero in front", 1),
        ("[1.]", #"at /0: expected a number as JSON has it, found "]""#, 3),
        ("[-x]", "at /0: expected a number as JSON has it, found a letter", 2),
        ("{\"a\":1,}", #"in the body as a whole: expected a key in double quotes, found "}" behind a comma"#, 7),
        ("[{a:1}]", "at /0: expected a key in double quotes, found a letter", 2),
        ("[{1:1}]", "at /0: expected a key in double quotes, found a digit", 2),
        ("{\"a\" 1}", "in the body as a whole: expected a colon behind the key, found a digit", 5),
        ("{\"a\":[1 2]}", "at /a: expected a comma or \"]\", found a digit", 8),
        ("{\"a\":1 \"b\":2}", "in the body as a whole: expected a comma or \"}\", found a double quote", 7),
        ("[\"a\nb\"]", "at /0: expected an escape such as \\n, found a control character (U+000A) in a string", 3),
        ("[\"a\\x\"]", "at /0: expected an escape of JSON, found a backslash before something else", 3),
        ("[\"\\ud800\"]", "at /0: expected two surrogates that make up a character, found one alone", 2),
        ("[] []", "in the body as a whole: expected the end of the document, found \"[\" behind it", 3),
        ("[[[[1]]]]", "at /0/0/0: expected at most 3 arrays and objects inside of each other, found one more", 3),
    ])
    func eachFaultIsToldAtItsPlace(_ body: String, _ text: String, _ offset: Int) throws {
        let bytes = Data(body.utf8)
        let error = try #require(JSONSyntaxError.in(bytes, depthMax: 3))
        let diagnosis = DecodingDiagnosis(error, body: bytes)
        #expect(diagnosis.description.components(separatedBy: " (line")[0] == text)
        #expect(diagnosis.byteOffset == offset)
        let kind: DecodingDiagnosis.Kind =
            switch error.kind {
            case .unexpectedEnd: .truncated
            case .tooDeep: .tooDeep
            default: .malformed
            }
        #expect(diagnosis.kind == kind)
    }

    @Test func theEndOfTheStackIsToldAsDepth() {
        let diagnosis = DecodingDiagnosis(JSONSyntaxError(.stackEnd, at: 3), body: Data("[[[[1]]]]".utf8))
        #expect(diagnosis.kind == .tooDeep)
        #expect(
            diagnosis.description
                == "at /0/0/0: expected at most 3 arrays and objects inside of each other, for which the stack of this "
                + "thread has room, found one more (line 1, column 4, byte 3), in `[[[[9]]]]`"
        )
    }

    @Test func lineColumnAndSnippetAreThoseOfThePlace() throws {
        let bytes = Data("{\r\n  \"a\": 12,\r\n  \"secret\": \"hunter2\"\r\n  \"token\": \"t0k\"\r\n}".utf8)
        let diagnosis = DecodingDiagnosis(try #require(JSONSyntaxError.in(bytes)), body: bytes)
        #expect(
            diagnosis.description
                == "in the body as a whole: expected a comma or \"}\", found a double quote (line 4, column 3, byte 40), "
                + #"in `{ "a": 99, "secret": "aaaaaa9" "aaaaa": "a9a" }`"#
        )
        let revealed = DecodingDiagnosis(try #require(diagnosis.error), body: bytes, revealingValues: true)
        #expect(revealed.snippet == #"{ "a": 12, "secret": "hunter2" "token": "t0k" }"#)
    }

    @Test(arguments: [6, 7])
    func aKeyThatComesAgainIsNamed(_ offset: Int) {
        let body = Data(#"{"a":1,"a":2}"#.utf8)
        let error = JSONSyntaxError(.duplicateKey, at: offset == 6 ? 7 : 8)
        let diagnosis = DecodingDiagnosis(error, body: body)
        #expect(
            diagnosis.description.hasPrefix("at /a: expected each key once, found the key \"a\" again (line 1, column ")
        )
        #expect(diagnosis.kind == .duplicateKey)
    }

    @Test(arguments: [[0xC3], [0xE3, 0x81], [0xF0, 0x9F, 0x98], [0xF0]] as [[UInt8]])
    func aCharacterThatTheEndCutsIsATruncation(_ character: [UInt8]) throws {
        let bytes = Data([0x5B, 0x22, 0x61] + character)
        let diagnosis = DecodingDiagnosis(try #require(JSONSyntaxError.in(bytes)), body: bytes)
        #expect(diagnosis.kind == .truncated)
        #expect(diagnosis.found == "its end: it is truncated at byte \(bytes.count)")
    }

    @Test func foundationsErrorOfTheSameBodyIsTheSame() throws {
        for body in ["[1,", "[NaN]", "{\"a\" 1}", "", "<html>", "[1] x"] {
            let bytes = Data(body.utf8)
            let ours = DecodingDiagnosis(try #require(JSONSyntaxError.in(bytes)), body: bytes)
            let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode([Double].self, from: bytes) }
            #expect(DecodingDiagnosis(try #require(error), body: bytes) == ours)
        }
    }

    @Test(
        .enabled(if: ConformanceCorpus.isThere, "the conformance corpus isn't there"),
        arguments: ConformanceCorpus.documents("n") + ConformanceCorpus.documents("i"),
    )
    func whateverIsRefusedIsDescribed(_ document: ConformanceCorpus.Document) throws {
        guard let error = JSONSyntaxError.in(document.bytes) else { return }
        let diagnosis = DecodingDiagnosis(error, body: document.bytes)
        #expect(diagnosis.found != nil)
        #expect(diagnosis.description.count < 600)
        #expect((diagnosis.snippet ?? "").count <= 80)
    }
}
