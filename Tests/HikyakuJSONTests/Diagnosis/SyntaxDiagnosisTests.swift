import Foundation
import Testing

@testable import HikyakuJSON

/// Bodies that begin as JSON and go on as none.
@Suite struct SyntaxDiagnosisTests {
    private static let faults: [(body: String, text: String, offset: Int, snippet: String)] = [
        (
            "[1,", "at /1: expected the rest of the JSON document, found the end of the data, truncated at byte 3", 3,
            "[9,",
        ),
        (
            #"{"a": [1, {"b": "secr"#,
            "at /a/1/b: expected the rest of the JSON document, found the end of the data, truncated at byte 21", 21,
            #"{"a": [9, {"b": "aaaa"#,
        ),
        (
            "tru",
            "in the body as a whole: expected the rest of the JSON document, found the end of the data, truncated at byte 3",
            3, "aaa",
        ),
        ("[1,]", #"at /1: expected a value, found "]" after a comma"#, 3, "[9,]"),
        ("[,1]", #"at /0: expected a value, found ",""#, 1, "[,9]"),
        ("{\"a\":}", #"at /a: expected a value, found "}""#, 5, #"{"a":}"#),
        ("[a]", "at /0: expected a value, found a letter", 1, "[a]"),
        ("[+1]", #"at /0: expected a value, found "+""#, 1, "[+9]"),
        ("['a']", "at /0: expected a value, found a single quote", 1, "['a']"),
        ("[\u{7F}]", "at /0: expected a value, found a control character (U+007F)", 1, "[?]"),
        ("[é]", "at /0: expected a value, found a non-ASCII character", 1, "[a]"),
        ("[1,// x", "at /1: expected a value, found a comment, which JSON doesn't allow", 3, "[9,// a"),
        ("[NaN]", "at /0: expected a value, found the word NaN, which JSON doesn't allow", 1, "[AaA]"),
        ("{\"a\":True}", "at /a: expected a value, found the word True, which JSON doesn't allow", 5, #"{"a":Aaaa}"#),
        ("[nil]", "at /0: expected a value, found the word nil, which JSON doesn't allow", 1, "[aaa]"),
        ("[trux]", "at /0: expected a value, found a letter", 1, "[aaaa]"),
        (
            "[-Infinity]", "at /0: expected a number in JSON syntax, found the word Infinity, which JSON doesn't allow",
            2, "[-Aaaaaaaa]",
        ),
        ("[007]", "at /0: expected a number in JSON syntax, found a number with a leading zero", 1, "[999]"),
        ("[1.]", #"at /0: expected a number in JSON syntax, found "]""#, 3, "[9.]"),
        ("[-x]", "at /0: expected a number in JSON syntax, found a letter", 2, "[-a]"),
        (
            "{\"a\":1,}", #"in the body as a whole: expected a key in double quotes, found "}" after a comma"#, 7,
            #"{"a":9,}"#,
        ),
        ("[{a:1}]", "at /0: expected a key in double quotes, found a letter", 2, "[{a:9}]"),
        ("[{1:1}]", "at /0: expected a key in double quotes, found a digit", 2, "[{9:9}]"),
        (
            "{\"a\" 1}", "in the body as a whole: expected a colon after the key, found a digit", 5, #"{"a" 9}"#,
        ),
        ("{\"a\":[1 2]}", "at /a: expected a comma or \"]\", found a digit", 8, #"{"a":[9 9]}"#),
        (
            "{\"a\":1 \"b\":2}", "in the body as a whole: expected a comma or \"}\", found a double quote", 7,
            #"{"a":9 "a":9}"#,
        ),
        (
            "[\"a\nb\"]",
            "at /0: expected an escape sequence such as \\n, found a control character (U+000A) in a string",
            3, #"["a a"]"#,
        ),
        (
            "[\"a\\x\"]", "at /0: expected an escape sequence of JSON, found a backslash before another character", 3,
            #"["a\a"]"#,
        ),
        (
            "[\"\\ud800\"]", "at /0: expected a surrogate pair, found an unpaired surrogate", 2,
            #"["\aa999"]"#,
        ),
        ("[] []", "in the body as a whole: expected the end of the document, found \"[\" after it", 3, "[] []"),
        (
            "[[[[1]]]]", "at /0/0/0: expected at most 3 nested arrays and objects, found one more level", 3,
            "[[[[9]]]]",
        ),
    ]

    @Test(arguments: faults.indices)
    func eachFaultIsReportedAtItsPosition(_ index: Int) throws {
        let (body, text, offset, snippet) = Self.faults[index]
        let bytes = Data(body.utf8)
        let error = try #require(JSONSyntaxError.in(bytes, depthMax: 3))
        let diagnosis = DecodingDiagnosis(error, body: bytes)
        let mark = [#"{"a":}"#, "[] []"].contains(snippet) ? "" : " (values masked)"
        #expect(
            diagnosis.description == "\(text) (line 1, column \(offset + 1), byte \(offset)), in `\(snippet)`\(mark)"
        )
        #expect(diagnosis.byteOffset == offset)
        let kind: DecodingDiagnosis.Kind =
            switch error.kind {
            case .unexpectedEnd: .truncated
            case .tooDeep: .tooDeep
            default: .malformed
            }
        #expect(diagnosis.kind == kind)
    }

    @Test func theEndOfTheStackIsReportedAsDepth() {
        let diagnosis = DecodingDiagnosis(JSONSyntaxError(.stackEnd, at: 3), body: Data("[[[[1]]]]".utf8))
        #expect(diagnosis.kind == .tooDeep)
        #expect(
            diagnosis.description
                == "at /0/0/0: expected at most 3 nested arrays and objects (the stack of this thread has no room for more), "
                + "found one more level (line 1, column 4, byte 3), in `[[[[9]]]]` (values masked)"
        )
    }

    @Test func lineColumnAndSnippetAreThoseOfThePlace() throws {
        let bytes = Data("{\r\n  \"a\": 12,\r\n  \"secret\": \"hunter2\"\r\n  \"token\": \"t0k\"\r\n}".utf8)
        let diagnosis = DecodingDiagnosis(try #require(JSONSyntaxError.in(bytes)), body: bytes)
        #expect(
            diagnosis.description
                == "in the body as a whole: expected a comma or \"}\", found a double quote (line 4, column 3, byte 40), "
                + #"in `{ "a": 99, "secret": "aaaaaa9" "aaaaa": "a9a" }` (values masked)"#
        )
        let revealed = DecodingDiagnosis(try #require(diagnosis.error), body: bytes, revealingValues: true)
        #expect(revealed.snippet == #"{ "a": 12, "secret": "hunter2" "token": "t0k" }"#)
    }

    /// By the key's quote, or by its content.
    @Test(arguments: [7, 8])
    func aKeyThatComesAgainIsNamed(_ offset: Int) {
        let body = Data(#"{"a":1,"a":2}"#.utf8)
        let diagnosis = DecodingDiagnosis(JSONSyntaxError(.duplicateKey, at: offset), body: body)
        #expect(
            diagnosis.description
                == "at /a: expected each key only once, found the key \"a\" a second time (line 1, column \(offset + 1), "
                + #"byte \#(offset)), in `{"a":9,"a":9}` (values masked)"#
        )
        #expect(diagnosis.kind == .duplicateKey)
    }

    @Test(arguments: [[0xC3], [0xE3, 0x81], [0xF0, 0x9F, 0x98], [0xF0]] as [[UInt8]])
    func aCharacterThatTheEndCutsIsATruncation(_ character: [UInt8]) throws {
        let bytes = Data([0x5B, 0x22, 0x61] + character)
        let diagnosis = DecodingDiagnosis(try #require(JSONSyntaxError.in(bytes)), body: bytes)
        #expect(diagnosis.kind == .truncated)
        #expect(diagnosis.found == "the end of the data, truncated at byte \(bytes.count)")
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
    func everyRejectedDocumentHasADiagnosis(_ document: ConformanceCorpus.Document) throws {
        guard let error = JSONSyntaxError.in(document.bytes) else { return }
        let diagnosis = DecodingDiagnosis(error, body: document.bytes)
        #expect(diagnosis.found != nil)
        #expect(diagnosis.description.count < 600)
        #expect((diagnosis.snippet ?? "").count <= 80)
    }
}
