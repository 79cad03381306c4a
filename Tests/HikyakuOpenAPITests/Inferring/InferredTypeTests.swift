import Testing

@testable import HikyakuOpenAPI

@Suite("Types of samples' objects")
struct InferredTypeTests {
    private func types(_ text: String) -> [String] {
        declarations(text).filter { $0.hasPrefix("struct ") || $0.hasPrefix("enum ") }
            .map { String($0.split(separator: " ")[1].dropLast()) }
    }

    @Test func anObjectHasATypeThatIsNamedAfterItsKey() throws {
        let found = try models(#"{"owner":{"id":1},"tags":[{"name":"a"}],"categories":{"1":{"x":1},"2":{"x":2}}}"#)
        #expect(types(found.text) == ["Item", "Owner", "Tag", "Category"])
        #expect(found.text.contains("var categories: [String: Category]"))
    }

    @Test func theSameShapeUnderTheSameKeyIsOneType() throws {
        let user = #"{"id":1,"name":"a","email":"b"}"#
        let found = try models("{\"user\":\(user),\"comments\":[{\"text\":\"a\",\"user\":\(user)}]}")
        #expect(types(found.text) == ["Item", "User", "Comment"])
    }

    @Test func aMemberThatOneOfThemLacksIsOptional() throws {
        let found = try models(
            #"{"user":{"id":1,"name":"a","email":"b","bot":true},"comments":[{"user":{"id":1,"name":"a","email":"b"}}]}"#
        )
        #expect(types(found.text) == ["Item", "User", "Comment"])
        #expect(found.text.contains("var bot: Bool?"))
    }

    @Test func anotherShapeUnderTheSameKeyHasATypeOfItsOwn() throws {
        let found = try models(#"{"value":{"a":1,"b":2},"parts":[{"value":{"c":1,"d":1}}]}"#)
        #expect(types(found.text) == ["Item", "Value", "Part", "PartValue"])
        let kinds = try models(#"{"value":{"a":1},"parts":[{"value":{"a":"text"}}]}"#)
        #expect(types(kinds.text) == ["Item", "Value", "Part", "PartValue"])
    }

    @Test func whatContainsItselfIsOneType() throws {
        let found = try models(
            #"{"id":1,"children":[{"id":2,"children":[]},{"id":3,"children":[{"id":4,"children":[]}]}]}"#
        )
        #expect(types(found.text) == ["Item"])
        #expect(found.text.contains("var children: [Item]"))
    }

    @Test func whatContainsItselfDirectlyIsBoxed() throws {
        let found = try models(#"{"id":1,"parent":{"id":2,"parent":{"id":3,"parent":null}}}"#)
        #expect(types(found.text) == ["Item"])
        #expect(found.text.contains("private var boxedParent: Boxed<Item>?") && found.text.contains("JSONModel"))
    }

    @Test func namesOfSwiftAreNotTaken() throws {
        let found = try models(#"{"date":{"x":1},"url":{"y":1},"group":{"z":1},"item":{"w":1}}"#)
        #expect(types(found.text) == ["Item", "ItemDate", "ItemURL", "ItemGroup", "ItemItem"])
        let inside = try models(#"{"id":{"x":1},"rawValue":{"y":1},"CodingKeys":{"z":1},"hasher":{"w":1}}"#)
        #expect(types(inside.text) == ["Item", "ItemID", "ItemRawValue", "ItemCodingKeys", "ItemHasher"])
    }

    // MARK: Maps

    @Test(arguments: [
        #"{"1":1,"2":2}"#, #"{"8f9e1a7b-6e0d-4b1f-9a55-1d2c3b4a5e6f":1,"0f9e1a7b-6e0d-4b1f-9a55-1d2c3b4a5e6f":2}"#,
        #"{"2026-01-01":1,"2026-01-02":2}"#, #"{"cus_9s6XKzkNRiz8i3":1,"cus_8s6XKzkNRiz8i3":1}"#,
        #"{"USD":1,"EUR":2,"JPY":3,"GBP":4,"CHF":5,"SEK":6,"NOK":7,"DKK":8}"#, #"{"a@b.example":1}"#,
        #"{"8f9e1a7b-6e0d-4b1f-9a55-1d2c3b4a5e6f":1}"#,
    ])
    func objectsWhoseKeysAreIdentifiersAreDictionaries(value: String) throws {
        #expect(try models("{\"x\":\(value)}").text.contains("var x: [String: Int]\n"))
    }

    @Test(arguments: [#"{"one":1,"two":2}"#, #"{"USD":1,"EUR":2}"#, #"{"1":1,"name":"a"}"#, #"{"1":1,"2":"a"}"#])
    func otherObjectsAreNone(value: String) throws {
        #expect(try models("{\"x\":\(value)}").text.contains("var x: X\n"))
    }

    @Test func theValuesOfADictionaryAreMerged() throws {
        let found = try models(#"{"users":{"1":{"name":"a"},"2":{"name":null,"age":3}}}"#)
        #expect(types(found.text) == ["Item", "User"])
        #expect(found.text.contains("var name: String?") && found.text.contains("var age: Int?"))
    }

    @Test func aSampleMayBeADictionary() throws {
        let found = try models(#"{"10":{"a":1},"11":{"a":2}}"#)
        #expect(found.type == "[String: Item]" && types(found.text) == ["Item"])
    }

    @Test func anObjectWithVeryManyKeysIsADictionary() throws {
        let members = (0..<500).map {
            "\"key\(Character(UnicodeScalar(UInt8(97 + $0 % 26))))\(String($0, radix: 36))x\":\"a\""
        }
        #expect(try models("{\"x\":{\(members.joined(separator: ","))}}").text.contains("var x: [String: String]"))
    }

    @Test(arguments: [
        ("items", "item"), ("categories", "category"), ("addresses", "address"), ("boxes", "box"),
        ("statuses", "status"),
        ("movies", "movie"), ("children", "child"), ("people", "person"), ("photos", "photo"), ("houses", "house"),
        ("status", "status"), ("news", "news"), ("series", "series"), ("data", "data"), ("user_ids", "user_id"),
        ("BlogPosts", "BlogPost"), ("glass", "glass"), ("repos", "repo"), ("media", "media"), ("S", "S"), ("", ""),
        ("branches", "branch"), ("matches", "match"), ("aliases", "alias"), ("replies", "reply"),
    ])
    func pluralsHaveASingular(many: String, one: String) {
        #expect(HikyakuOpenAPI.SampleKey.singular(many) == one)
    }
}
