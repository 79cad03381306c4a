import Testing

@testable import HikyakuOpenAPI

@Suite("Trees of JSON")
struct JSONReadingTests {
    @Test func keepsOrderNumbersAndPositions() throws {
        let text = "{\"b\": 1.0e3,\n \"a\": [true, null, \"é\\uD83D\\uDE00\\n\"], \"é\": -0.50, \"z\": {}}"
        let (node, diagnostics) = readTree(text, path: "api.json")
        #expect(try #require(node).short == "{b: 1.0e3, a: [true, null, \"é😀\n\"], é: -0.50, z: {}}")
        #expect(diagnostics == [])
        let members = try #require(node?.object)
        #expect(members[0].value.position == SourcePosition(file: 0, line: 1, column: 7))
        #expect(members[1].keyPosition == SourcePosition(file: 0, line: 2, column: 2))
        #expect(members[2].keyPosition == SourcePosition(file: 0, line: 2, column: 40))
    }

    @Test func closesNestedContainers() throws {
        let (node, _) = readTree(#"{"a":{"b":[{"c":{}},[],[[1]]]},"d":[{}],"e":2}"#, path: "api.json")
        #expect(try #require(node).short == "{a: {b: [{c: {}}, [], [[1]]]}, d: [{}], e: 2}")
    }

    @Test func readsJSONInAFileThatIsCalledYAML() throws {
        #expect(try #require(readTree("\n {\"a\": 1}").node).short == "{a: 1}")
    }

    @Test func keepsTheLastOfRepeatedKeys() throws {
        let (node, diagnostics) = readTree(#"{"a": 1, "b": 2, "a": 3}"#, path: "api.json")
        #expect(try #require(node).short == "{a: 3, b: 2}")
        #expect(diagnostics.map(\.code) == [.duplicateKey])
    }

    @Test func findsRepeatedKeysOfLargeObjects() throws {
        let members = (0..<100).map { "\"k\($0 % 98)\": \($0)" }.joined(separator: ",")
        let (node, diagnostics) = readTree("{\(members)}", path: "api.json")
        #expect(try #require(node).object?.count == 98)
        #expect(diagnostics.count == 2)
    }

    @Test(arguments: [
        (#"{"a": 1,}"#, "{a: 1}"),
        ("{\"a\": \"x\ty\"}", "{a: \"x y\"}"),
        (#"{"a": "^\d+\.$"}"#, #"{a: "^\d+\.$"}"#),
        (#"{"a": "\ud83dx\ude00\ud83d\ude00"}"#, "{a: \"\u{FFFD}x\u{FFFD}😀\"}"),
    ])
    func mendsCommonFaults(text: String, expected: String) throws {
        let (node, diagnostics) = readTree(text, path: "api.json")
        #expect(try #require(node).short == expected)
        #expect(diagnostics.map(\.code) == [.invalidSyntax])
        #expect(diagnostics.first?.severity == .warning)
    }

    @Test(arguments: [
        "{", "{'a': 1}", "{\"a\": 1 // one\n}", "{\"a\" 1}", "{\"a\": tru}", "{\"a\": 1} x", "{\"a\": [1, 2}",
    ])
    func diagnosesWhatCannotBeRead(text: String) {
        let (node, diagnostics) = readTree(text, path: "api.json")
        #expect(node == nil)
        #expect(diagnostics.map(\.code) == [.invalidSyntax])
        #expect(diagnostics.first?.severity == .error)
    }

    @Test(arguments: ["", " \n", "\u{FEFF}"])
    func diagnosesEmptyFiles(text: String) {
        let (node, diagnostics) = readTree(text, path: "api.json")
        #expect(node == nil)
        #expect(diagnostics.map(\.message) == ["the file is empty"])
    }

    @Test func limitsDepth() {
        let text = String(repeating: "{\"a\":", count: 300) + "1" + String(repeating: "}", count: 300)
        let (node, diagnostics) = readTree(text, path: "api.json")
        #expect(node == nil)
        #expect(diagnostics.map(\.code) == [.invalidSyntax])
    }
}
