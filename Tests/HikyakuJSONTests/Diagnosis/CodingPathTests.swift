import Foundation
import Testing

@testable import HikyakuJSON

/// Errors that say of their place no more than a coding path.
@Suite struct CodingPathTests {
    private static func diagnosis(
        _ body: String,
        _ path: [PathKey],
        converting: ((String) -> String)? = nil,
    ) -> DecodingDiagnosis {
        let error = DecodingError.dataCorrupted(.along(path, "", JSONExpectation.words("a name")))
        return DecodingDiagnosis(error, body: Data(body.utf8), convertingKeys: converting)
    }

    @Test(arguments: [
        (#"{"a":[0,{"b":"x"}]}"#, ["a", 1, "b"] as [PathKey], "/a/1/b", 13),
        // The last of equal keys counts.
        (#"{"a":"x","a":"y"}"#, ["a"], "/a", 13),
        (#"{"\u0061":"x"}"#, ["a"], "/a", 10),
        // An integer is a key too, where keys are.
        (#"{"7":"x"}"#, [.name("7")], "/9", 5),
        // What strategies make of keys is found too, as long as it is one.
        (#"{"first_name":"x"}"#, ["firstName"], "/first_name", 14),
        (#"{"First-Name":"x"}"#, ["firstName"], "/First-Name", 14),
        (#" "x""#, [], "", 1),
    ])
    func thePathIsFollowedThroughTheDocument(body: String, path: [PathKey], pointer: String, offset: Int) {
        let diagnosis = Self.diagnosis(body, path)
        #expect(diagnosis.pointer == pointer)
        #expect(diagnosis.byteOffset == offset)
        #expect(diagnosis.found?.hasPrefix("a string masked as ") == true)
    }

    @Test func keysAreConvertedAsTheDecoderDoes() {
        let body = #"{"x-id":1,"id":"one","ID":3}"#
        let converting: (String) -> String = { $0 == "x-id" ? "identity" : $0 }
        #expect(Self.diagnosis(body, ["identity"], converting: converting).pointer == "/x-id")
        #expect(Self.diagnosis(body, ["id"], converting: converting).pointer == "/id")
    }

    @Test(arguments: [
        (
            #"{"a":{"b":1,"c":2}}"#, ["a", "d", "e"] as [PathKey],
            #"at /a: expected a name under the key "d", found an object with the keys "b", "c" (line 1, column 6, byte 5), "#
                + #"in `{"a":{"b":9,"c":9}}` (values masked)"#,
        ),
        (
            #"{"first_name":1,"firstname":2}"#, ["firstName"],
            #"in the body as a whole: expected a name under the key "firstName", found an object with the keys "#
                + #""first_name", "firstname" (line 1, column 1, byte 0), in `{"first_name":9,"firstname":9}` (values masked)"#,
        ),
        (
            "[1]", ["a"],
            #"in the body as a whole: expected a name under the key "a", found an array (line 1, column 1, byte 0), "#
                + "in `[9]` (values masked)",
        ),
        (
            "[1]", [0, 5],
            "at /0: expected a name at the index 5, found a number masked as 9 (line 1, column 2, byte 1), in `[9]` (values masked)",
        ),
        (
            "[1]", [-1],
            "in the body as a whole: expected a name at the index -1, found an array (line 1, column 1, byte 0), "
                + "in `[9]` (values masked)",
        ),
        (
            "[1, [2] ]", [2],
            "at /2: expected a name, found the end of an array of 2 elements (line 1, column 9, byte 8), "
                + "in `[9, [9] ]` (values masked)",
        ),
        (
            "[1]", [.index(Int.max)],
            "at /1: expected a name, found the end of an array of 1 element (line 1, column 3, byte 2), in `[9]` (values masked)",
        ),
        (
            #""{\"a\":1}""#, ["a"],
            #"in the body as a whole: expected a name under the key "a", found a string masked as "{"a":9}" "#
                + #"(line 1, column 1, byte 0), in `"{"a":9}"` (values masked)"#,
        ),
    ])
    func aPathIsFollowedAsFarAsItGoes(body: String, path: [PathKey], text: String) {
        #expect(Self.diagnosis(body, path).description == text)
    }

    @Test func anErrorOfAnotherDocumentIsLeftAsItIs() {
        // The value at the path can't be the subject of the errors.
        let errors: [(DecodingError, String)] = [
            (
                .typeMismatch(Int.self, .along(["a"], "found a string instead")), "at /a: expected Int, found a string",
            ),
            (.valueNotFound(Int.self, .along(["a"])), "at /a: expected Int, found null or the end of an array"),
            (
                .keyNotFound(PathKey.name("b"), .along(["a"])),
                #"at /a: expected the key "b", found an object without this key"#,
            ),
            (.typeMismatch(Int.self, .along(["x", 0], "found an array")), "at /x/0: expected Int, found an array"),
        ]
        for (error, text) in errors {
            #expect(DecodingDiagnosis(error, body: Data(#"{"a":1}"#.utf8)).description == text)
        }
    }

    @Test func aBodyOfAnotherFormatIsNotLookedAt() throws {
        let body = Data("<plist>".utf8)
        let errors: [(DecodingError, String)] = [
            (.typeMismatch(Int.self, .along(["a"], "found a string")), "at /a: expected Int, found a string"),
            (.dataCorrupted(.along(["a"])), "at /a: expected a valid value"),
            (.dataCorrupted(.along(["a"], "Invalid URL string.")), "at /a: expected a URL"),
            (
                .dataCorrupted(.along([])),
                "in the body as a whole: expected a document that the decoder can read, found 7 bytes that it can't read",
            ),
        ]
        for (error, text) in errors {
            #expect(DecodingDiagnosis(error, body: body, isJSON: false).description == text)
        }
        let error = DecodingError.dataCorrupted(.along([]))
        let empty = DecodingDiagnosis(error, body: Data(), isJSON: false)
        #expect(empty.description == "in the body as a whole: expected a document, found an empty body")
        #expect(DecodingDiagnosis(error, body: nil).description == "in the body as a whole: expected a valid value")
    }

    /// A decoder may read more than JSON, such as comments.
    @Test func aBodyThatOnlyItsDecoderCanReadIsLeftToIt() {
        let body = Data("[1, // one\n\"x\"]".utf8)
        let error = DecodingError.typeMismatch(Int.self, .along([1], "found a string"))
        #expect(DecodingDiagnosis(error, body: body).description == "at /1: expected Int, found a string")
        let placed = DecodingError.typeMismatch(Int.self, .at(11))
        #expect(
            DecodingDiagnosis(placed, body: body).description
                == #"at /1: expected Int, found a string masked as "a" (line 2, column 1, byte 11), in `[9, // aaa "a"]` (values masked)"#
        )
    }

    @Test func deepDocumentsAreFollowedWithoutTheStack() {
        let depth = 50_000
        let body = String(repeating: "[", count: depth) + "\"x\"" + String(repeating: "]", count: depth)
        let diagnosis = Self.diagnosis(body, Array(repeating: 0, count: depth))
        #expect(diagnosis.byteOffset == depth)
        #expect(diagnosis.pointer.utf8.count == 16 * 1024)
    }
}
