import HikyakuJSON
import Testing

@Suite struct JSONPointerTests {
    /// RFC 6901, section 5.
    private static let document: JSONValue = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    @Test(
        "Section 5",
        arguments: [
            ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
            ("/e^f", "3"),
            ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
        ],
    )
    func theExamplesLeadToTheirValues(text: String, value: String) throws {
        let pointer = try #require(JSONPointer(text))
        #expect(Self.document[pointer]?.description == value)
        #expect(pointer.description == text)
    }

    @Test func thePointerWithoutTokensIsTheWhole() throws {
        #expect(JSONPointer("") == JSONPointer())
        #expect(JSONPointer().description == "")
        #expect(Self.document[JSONPointer()] == Self.document)
        #expect(try #require(JSONPointer("/")).tokens == [""])
        #expect(try #require(JSONPointer("//")).tokens == ["", ""])
    }

    @Test("Section 3", arguments: ["foo", " /foo", "#/foo", "~0", "/~", "/a~", "/~2", "/~~0", "/a~b/c", "/~\u{301}0"])
    func invalidPointersAreRejected(text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test(
        "Section 3",
        arguments: [
            ("~", "/~0"), ("/", "/~1"), ("~1", "/~01"), ("~0", "/~00"), ("/~/", "/~1~0~1"), ("", "/"),
            ("é\u{301}", "/é\u{301}"),
            // A mark joins with the slash before it, and with a tilde.
            ("\u{301}a", "/\u{301}a"), ("~\u{301}", "/~0\u{301}"), ("/\u{301}", "/~1\u{301}"),
        ],
    )
    func keysAreEscaped(key: String, text: String) throws {
        let pointer = JSONPointer().appending(key)
        #expect(pointer.description == text)
        #expect(try #require(JSONPointer(text)).tokens == [key])
        #expect(JSONPointer(tokens: [key]) == pointer)
    }

    @Test func aPointerIsBuiltStepByStep() {
        let pointer = JSONPointer().appending("items").appending(3).appending("user/name")
        #expect(pointer.description == "/items/3/user~1name")
        #expect(pointer.parent?.description == "/items/3")
        #expect(pointer.parent?.parent?.parent == JSONPointer())
        #expect(JSONPointer().parent == nil)
    }

    @Test(
        "Section 4",
        arguments: [
            "/2", "/-1", "/00", "/01", "/+1", "/1.0", "/1e0", "/ 1", "/-", "/", "/٠", "/18446744073709551616", "/0/0",
            "/a",
            "/9223372036854775807",
        ],
    )
    func anArrayHasElementsByPlainNumbersOnly(text: String) throws {
        let array: JSONValue = ["a", "b"]
        #expect(array[try #require(JSONPointer(text))] == nil)
        #expect(array[try #require(JSONPointer("/1"))] == "b")
    }

    @Test func anObjectHasMembersByAnyKey() throws {
        let object: JSONValue = ["01": 1, "-": 2, "0": ["0": 3]]
        #expect(object[try #require(JSONPointer("/01"))] == 1)
        #expect(object[try #require(JSONPointer("/-"))] == 2)
        #expect(object[try #require(JSONPointer("/0/0"))] == 3)
        #expect(object[try #require(JSONPointer("/0/1"))] == nil)
        #expect(JSONValue.null[try #require(JSONPointer("/0"))] == nil)
    }
}
