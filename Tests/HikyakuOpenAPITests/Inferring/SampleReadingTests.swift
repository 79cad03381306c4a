import Testing

@testable import HikyakuOpenAPI

@Suite("Samples that can't be read")
struct SampleReadingTests {
    private func failure(_ text: String, limits: ReadingLimits = ReadingLimits()) -> String? {
        do throws(InferenceFailure) {
            let file = SampleFile(path: "a.json", bytes: Array(text.utf8))
            _ = try ModelInference(name: "Item", limits: limits).models(of: [file])
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: [
        ("", "a.json: error: there is no sample: it is empty"),
        (" \n ", "a.json: error: there is no sample: it is empty"),
        ("[]", "a.json: error: there is no sample: the array is empty"),
        ("<html>", "a.json:1:1: error: this is not JSON: a value is missing"),
        ("{\"a\":1,\n \"b\":[1,2", "a.json:2:10: error: this is not JSON: the document ends too early"),
        ("{\"a\":1,}", "a.json:1:8: error: this is not JSON: a key in quotes is missing"),
        ("{\"a\":1} x", "a.json:1:9: error: this is not JSON: there is more after the document"),
        ("{\"a\":1}\n{\"b\":}\n", "a.json:2:6: error: this is not JSON: a value is missing"),
        (
            "{\"a\":{\n\"x\":1,\n\"x\":2}}",
            "a.json:3:1: error: the key 'x' is also at line 2, so that its value is not clear",
        ),
        ("[1,2]", "no model is needed to read an integer"),
        ("[\"a\"]", "no model is needed to read a string"),
        (#"{"1":1,"2":2.5}"#, "no model is needed to read a number in a dictionary"),
        ("{}", "the samples are empty objects: a sample with members shows what the model is"),
        ("[[]]", "the samples are empty arrays: a sample with elements shows what the model is"),
        ("null", "the samples are null: one with a value shows what the model is"),
    ])
    func theFailureSaysWhereAndWhy(text: String, expected: String) {
        #expect(failure(text) == expected)
    }

    @Test func whatIsTooDeepOrTooLargeIsRejected() {
        let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        #expect(failure(deep) == "a.json:1:201: error: this is not JSON: too many arrays and objects are nested")
        var limits = ReadingLimits()
        limits.fileBytesMax = 4
        #expect(failure("{\"a\":1}", limits: limits) == "a.json: error: it has more than 4 bytes; use fewer samples")
        limits = ReadingLimits()
        limits.nodesMax = 3
        let values = failure("{\"a\":[1,2,3,4]}", limits: limits)
        #expect(values?.contains("the document has more than 3 values") == true)
        limits = ReadingLimits()
        limits.bytesMax = 4
        #expect(failure("{\"a\":1}", limits: limits)?.contains("all files have more than 4 bytes") == true)
    }

    @Test func deepArraysAreReadAsFarAsThereAreTypes() throws {
        let deep = String(repeating: "[", count: 150) + "1" + String(repeating: "]", count: 150)
        #expect(try models("{\"a\":\(deep)}").text.contains("JSONValue"))
    }

    @Test func theSecondFileIsNamed() {
        let files = [SampleFile(path: "a", bytes: Array("{}".utf8)), SampleFile(path: "b", bytes: Array("{".utf8))]
        let failure = #expect(throws: InferenceFailure.self) { try ModelInference(name: "Item").models(of: files) }
        #expect(failure?.message == "b:1:2: error: this is not JSON: the document ends too early")
    }
}
