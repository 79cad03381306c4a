import Testing

@testable import HikyakuOpenAPI

@Suite("Models of samples")
struct ModelInferenceTests {
    // MARK: Members

    @Test func aKeyThatOneSampleLacksOrHasAsNullIsOptional() throws {
        let found = try models(#"{"a":1,"b":1,"c":1}"#, #"{"a":2,"b":null}"#)
        #expect(found.sampleCount == 2)
        #expect(
            declarations(found.text) == [
                "struct Item: APIModel, Codable, Hashable {", "var a: Int", "var b: Int?", "var c: Int?",
            ]
        )
    }

    @Test func keysBecomeNamesOfSwift() throws {
        let found = try models(#"{"created_at":"x","HTMLUrl":"x","class":1,"a b":1,"+1":1,"":1,"self":1}"#)
        for line in [
            #"case createdAt = "created_at""#, #"case htmlURL = "HTMLUrl""#, "case `class`", #"case aB = "a b""#,
            #"case plus1 = "+1""#, #"case empty = """#, #"case selfValue = "self""#,
        ] { #expect(found.text.contains("        \(line)\n"), "\(line)") }
    }

    @Test func thereAreNoKeysToWriteWhereNamesAreKeys() throws {
        #expect(!(try models(#"{"a":1,"class":2}"#)).text.contains("CodingKeys"))
    }

    @Test func anArrayCountsAsManySamples() throws {
        let found = try models(#"[{"a":1},{"a":2,"b":true}]"#, #"{"a":3}"#)
        #expect(found.sampleCount == 3 && found.type == "Item")
        #expect(found.text.contains("var b: Bool?"))
        #expect(
            found.text.hasPrefix(
                "import Hikyaku\n\n/// Inferred from 3 objects; what is missing or null in one of them is Optional.\n"
            )
        )
    }

    @Test func eachLineOfJSONLinesIsASample() throws {
        let found = try models("{\"a\":1}\n\n{\"a\":2.5}\r\n[{\"a\":3}]\n")
        #expect(found.sampleCount == 3 && found.text.contains("var a: Double"))
    }

    @Test func aByteOrderMarkIsNotAFault() throws {
        #expect(try models("\u{FEFF}{\"a\":1}").text.contains("var a: Int"))
    }

    // MARK: Kinds of values

    @Test(arguments: [
        ("1", "2147483647", "Int"), ("1", "2147483648", "Int64"), ("1", "9223372036854775808", "UInt64"),
        ("-1", "9223372036854775808", "Decimal"), ("1", "123456789012345678901234567890", "Decimal"),
        ("1", "2.5", "Double"), ("1", "1e3", "Double"), ("9007199254740993", "0.5", "Decimal"),
        ("1", "1.0", "Double"), ("-1", "0", "Int"), ("true", "false", "Bool"), ("\"a\"", "\"b\"", "String"),
    ])
    func numbersHaveATypeThatHoldsThem(one: String, other: String, type: String) throws {
        let found = try models("{\"x\":\(one)}", "{\"x\":\(other)}")
        #expect(found.text.contains("var x: \(type)\n"))
        #expect(found.diagnostics == [])
    }

    @Test func aNumberThatIsTooLargeForAnyTypeIsAJSONValue() throws {
        let found = try models(#"{"x":1e400}"#)
        #expect(found.text.contains("var x: JSONValue\n"))
        let expected = "1.json:1:6: warning: a number of 'x' is too large for any type; it is a JSONValue"
        #expect(found.diagnostics.map(\.description) == [expected])
    }

    @Test(arguments: [
        ("2026-11-21T09:30:00Z", "2026-11-21T09:30:00.25+09:00", "Date"), ("2026-11-21", "2024-02-29", "CalendarDate"),
        ("2026-11-21", "2026-02-30", "String"), ("2026-11-21T09:30:00", "2026-11-21T09:30:00Z", "String"),
        ("8f9e1a7b-6e0d-4b1f-9a55-1d2c3b4a5e6f", "8F9E1A7B-6E0D-4B1F-9A55-1D2C3B4A5E6F", "UUID"),
        ("https://a.example/b?c#d", "http://b.example", "URL"), ("https://a.example", "", "String"),
        ("https://a.example/{id}", "https://a.example", "String"), ("https://", "https://a.example", "String"),
    ])
    func textsHaveATypeThatAllAreOf(one: String, other: String, type: String) throws {
        let found = try models("{\"x\":\"\(one)\"}", "{\"x\":\"\(other)\"}")
        #expect(found.text.contains("var x: \(type)\n"))
    }

    @Test func valuesOfSeveralKindsAreAChoice() throws {
        let found = try models(#"{"x":1}"#, #"{"x":"a"}"#, #"{"x":{"y":true}}"#, #"{"x":null}"#)
        #expect(
            declarations(found.text) == [
                "struct Item: APIModel, Codable, Hashable {", "var x: ItemX?",
                "enum ItemX: JSONModel {", "case integer(Int)", "case text(String)", "case x(X)",
                "case unknown(JSONValue)", "struct X: JSONModel {", "var y: Bool",
                "extension X {",
            ]
        )
    }

    @Test func samplesMayBeAChoiceThemselves() throws {
        let found = try models(#"[1,"a",{"b":2}]"#, name: "Event")
        #expect(found.text.contains("enum Event: JSONModel {"))
        #expect(found.text.contains("case eventObject(EventObject)"))
    }

    @Test(arguments: [
        ("[]", "[JSONValue]", "is empty in each sample"), ("null", "JSONValue?", "is null in each sample"),
        ("{}", "[String: JSONValue]", "is an empty object in each sample"),
    ])
    func withoutAValueABetterSampleIsNeeded(value: String, type: String, message: String) throws {
        let found = try models("{\"x\":\(value)}")
        #expect(found.text.contains("var x: \(type)\n"))
        let expected = "1.json:1:6: warning: 'x' \(message); it is a JSONValue; a sample with a value shows its type"
        #expect(found.diagnostics.map(\.description) == [expected])
    }

    @Test func anotherSampleWithAValueIsEnough() throws {
        let found = try models(#"{"x":[],"y":null,"z":{}}"#, #"{"x":["a"],"y":1,"z":{"a":1}}"#)
        #expect(found.diagnostics == [])
        #expect(found.text.contains("var x: [String]") && found.text.contains("var z: Z"))
    }

    // MARK: Sets of values

    private func texts(_ key: String, _ values: [String], count: Int) -> String {
        let objects = (0..<count).map { "{\"\(key)\":\"\(values[$0 % values.count])\"}" }
        return "[\(objects.joined(separator: ","))]"
    }

    @Test func fewShortTextsThatRepeatAreAnOpenSet() throws {
        let found = try models(texts("state", ["open", "in_progress", "closed"], count: 12))
        #expect(
            declarations(found.text) == [
                "struct Item: APIModel, Codable, Hashable {", "var state: ItemState",
                "struct ItemState: OpenValue {", "var rawValue: String",
                #"static let open = Self(rawValue: "open")"#,
                #"static let inProgress = Self(rawValue: "in_progress")"#,
                #"static let closed = Self(rawValue: "closed")"#,
            ]
        )
    }

    @Test(arguments: [
        ("state", ["open", "closed"], 7), ("state", ["open", "closed", "a", "b"], 12), ("state", ["open"], 20),
        ("state", ["a text", "b text"], 20), ("state", ["0a1b2c3d4e5f", "1a1b2c3d4e5f"], 20),
        ("state", ["a1b2c", "d3e4f"], 20),
        ("name", ["a", "b"], 20),
        ("first_name", ["a", "b"], 20), ("login", ["a", "b"], 20), ("api_token", ["abc", "def"], 20),
        ("password", ["abc", "def"], 20), ("author_id", ["a", "b"], 20), ("city", ["Rome", "Oslo"], 20),
    ])
    func otherTextsAreNotASet(key: String, values: [String], count: Int) throws {
        let found = try models(texts(key, values, count: count))
        #expect(found.text.contains(": String\n") && !found.text.contains("OpenValue"))
    }

    @Test func aSetMayBeClosedByChoice() throws {
        var options = GeneratorOptions()
        options.closedEnums = ["ItemState"]
        let found = try models(texts("state", ["open", "closed"], count: 12), options: options)
        #expect(found.text.contains("enum ItemState: String, ClosedValue {"))
        options.closedEnums = ["Nothing"]
        let other = try models(texts("state", ["open", "closed"], count: 12), options: options)
        #expect(other.diagnostics.map(\.code) == [.unusedOption])
    }

    @Test func noOtherTextOrNumberGetsIntoTheCode() throws {
        let secret = "planted-s3cret-Value"
        let found = try models(
            "{\"a\":\"\(secret)\",\"b\":[\"\(secret)\"],\"c\":{\"d\":\"https://\(secret).example/x\"},\"e\":424242}",
            "{\"a\":\"\(secret)\",\"b\":[\"\(secret)\"],\"c\":{\"d\":\"https://\(secret).example/y\"},\"e\":424242}",
        )
        #expect(!found.text.contains("planted") && !found.text.contains("424242"))
        let keys = try models(
            "{\"\(secret)-1\":{\"a\":1},\"users\":{\"a@b.example\":1,\"8f9e1a7b-6e0d-4b1f-9a55-1d2c3b4a5e6f\":2}}"
        )
        #expect(!keys.text.contains("8f9e") && keys.text.contains("var users: [String: Int]"))
    }

    // MARK: Options

    @Test func typesAndNamesMayBeChosen() throws {
        var options = GeneratorOptions()
        options.typeMap = ["date-time": "Moment", "Owner": "Person"]
        options.renames = ["Item.at": "moment", "Part": "Piece"]
        let found = try models(#"{"at":"2026-11-21T09:30:00Z","owner":{"a":1},"parts":[{"b":1}]}"#, options: options)
        #expect(found.text.contains("var moment: Moment") && found.text.contains("var owner: Person"))
        #expect(found.text.contains("var parts: [Piece]") && found.text.contains("struct Piece"))
        #expect(!found.text.contains("Foundation"))
    }

    @Test func publicModelsHaveInitializersAndComments() throws {
        var options = GeneratorOptions()
        options.access = .public
        let found = try models(#"{"a":1,"b":null}"#, #"{"a":1,"b":"x"}"#, options: options)
        #expect(found.text.contains("    public init(a: Int, b: String? = nil) {"))
        #expect(found.text.contains("    /// The member `a`.\n    public var a: Int\n"))
    }

    @Test func directModelsReadThemselves() throws {
        let file = SampleFile(path: "a", bytes: Array(#"{"a_b":1}"#.utf8))
        let found = try ModelInference(name: "Item", isDirect: true).models(of: [file])
        #expect(found.text.contains("struct Item: JSONModel {"))
        #expect(found.text.contains(#"self.init(aB: try reader.member("a_b"))"#))
    }

    @Test(arguments: ["item", "String", "Date", "JSONValue", "A b", "", "1A", "Request"])
    func aNameThatIsNoneOrTakenIsRejected(name: String) {
        #expect(!ModelInference.isName(name))
    }

    @Test(arguments: ["Item", "Event", "View", "UserID", "OpenAI"])
    func otherNamesAreKept(name: String) throws {
        #expect(ModelInference.isName(name))
        #expect(try models(#"{"a":1}"#, name: name).text.contains("struct \(name): "))
    }
}
