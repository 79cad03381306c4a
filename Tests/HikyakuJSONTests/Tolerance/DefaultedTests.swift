import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct DefaultedTests {
    private enum State: String, Codable, CaseIterable { case new, old }

    private enum OnePage: DefaultProvider {
        static var defaultValue: Int { 1 }
    }

    private struct Article: Codable, Equatable {
        var id: Int
        @Defaulted.Empty var title: String = ""
        @Defaulted.Empty var tags: [String]
        @Defaulted.Empty var counts: [String: Int]
        @Defaulted.Empty var others: LossyArray<Int>
        @Defaulted.Zero var likes: Int
        @Defaulted.Zero var price: Decimal
        @Defaulted.False var isPinned: Bool
        @Defaulted.True var isPublic: Bool
        @Defaulted.FirstCase var state: State
        @Defaulted.To<OnePage> var pages: Int
    }

    private static let defaulted = Article(
        id: 1,
        tags: [],
        counts: [:],
        others: [],
        likes: 0,
        price: 0,
        isPinned: false,
        isPublic: true,
        state: .new,
        pages: 1,
    )
    private static let full = Article(
        id: 1,
        title: "t",
        tags: ["a"],
        counts: ["b": 2],
        others: [3],
        likes: 4,
        price: 5.25,
        isPinned: true,
        isPublic: false,
        state: .old,
        pages: 6,
    )
    private static let fullDocument = #"""
        {"id":1,"title":"t","tags":["a"],"counts":{"b":2},"others":[3],"likes":4,"price":5.25,"isPinned":true,
        "isPublic":false,"state":"old","pages":6}
        """#
    private static let keys = [
        "title", "tags", "counts", "others", "likes", "price", "isPinned", "isPublic", "state", "pages",
    ]
    private static let types = [
        "String", "Array<String>", "Dictionary<String, Int>", "LossyArray<Int>", "Int", "Decimal", "Bool", "Bool",
        "State",
        "Int",
    ]

    private static let missing = #"{"id":1}"#
    private static let null = "{\"id\":1,\(keys.map { "\"\($0)\":null" }.joined(separator: ","))}"

    @Test(arguments: [missing, null])
    func missingKeysAndNullTakeTheirDefaults(_ document: String) throws {
        let notes = DriftNotes()
        let bytes = Data(document.utf8)
        #expect(try HikyakuJSONDecoder.noting(notes).decode(Article.self, from: bytes) == Self.defaulted)
        #expect(try HikyakuJSONDecoder().decode(Article.self, from: bytes) == Self.defaulted)
        #expect(try JSONDecoder().decode(Article.self, from: bytes) == Self.defaulted)
        #expect(notes.texts == zip(Self.keys, Self.types).map { "defaultedKey /\($0) \($1)" })
        let places = Self.keys.map { document.range(of: "\"\($0)\":null")?.upperBound.utf16Offset(in: document) ?? 4 }
        #expect(notes.drifts.map(\.byteOffset) == places.map { $0 - 4 })
    }

    @Test func valuesThatAreThereAreTaken() throws {
        let notes = DriftNotes()
        let bytes = Data(Self.fullDocument.utf8)
        #expect(try HikyakuJSONDecoder.noting(notes).decode(Article.self, from: bytes) == Self.full)
        #expect(try JSONDecoder().decode(Article.self, from: bytes) == Self.full)
        #expect(notes.drifts.isEmpty)
    }

    @Test func bothEncodersWriteAllValues() throws {
        for article in [Self.full, Self.defaulted] {
            let ours = try HikyakuJSONEncoder().encode(article)
            #expect(try JSONDecoder().decode(Article.self, from: ours) == article)
            #expect(try HikyakuJSONDecoder().decode(Article.self, from: JSONEncoder().encode(article)) == article)
            #expect(try HikyakuJSONDecoder().decode([String: JSONAny].self, from: ours).count == 11)
        }
    }

    @Test(arguments: [#"{"id":1,"likes":"4"}"#, #"{"id":1,"tags":[1]}"#, #"{"id":1,"state":"gone"}"#])
    func aValueThatCantBeReadIsAnError(_ document: String) {
        let notes = DriftNotes()
        #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder.noting(notes).decode(Article.self, from: Data(document.utf8))
        }
        #expect(notes.drifts.isEmpty)
    }

    @Test func theKeysOfAMissingValueAreThoseOfTheType() throws {
        struct Person: Decodable {
            @Defaulted.Empty var firstName: String
            @Defaulted.Empty var lastName: String
        }
        struct People: Decodable { var allPeople: [Person] }
        let notes = DriftNotes()
        var decoder = HikyakuJSONDecoder.noting(notes)
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let document = Data(#"{"all_people":[{"first_name":"a","last_name":null},{}]}"#.utf8)
        #expect(try decoder.decode(People.self, from: document).allPeople.map(\.firstName) == ["a", ""])
        #expect(
            notes.texts == [
                "defaultedKey /all_people/0/last_name String", "defaultedKey /all_people/1/firstName String",
                "defaultedKey /all_people/1/lastName String",
            ]
        )
    }

    @Test func aDefaultedValueCanBeTheWholeDocument() throws {
        let notes = DriftNotes()
        let decoder = HikyakuJSONDecoder.noting(notes)
        let document = Data("[null,2]".utf8)
        #expect(try decoder.decode([Defaulted.To<OnePage>].self, from: document).map(\.wrappedValue) == [1, 2])
        #expect(try Throughout<[Defaulted.To<OnePage>]>.decode(decoder, document).map(\.wrappedValue) == [1, 2])
        #expect(try decoder.read([Defaulted.Zero<Double>].self, from: document).map(\.wrappedValue) == [0, 2])
        #expect(try JSONDecoder().decode([Defaulted.Zero<Int>].self, from: document).map(\.wrappedValue) == [0, 2])
        #expect(notes.texts == ["defaultedKey /0 Int", "defaultedKey /0 Int", "defaultedKey /0 Double"])
        #expect(
            String(decoding: try HikyakuJSONEncoder().write([Defaulted.To<OnePage>(wrappedValue: 1)]), as: UTF8.self)
                == "[1]"
        )
    }

    private struct Direct: JSONReadable {
        let id: Int
        let tags: [String]

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            id = try reader.member("id")
            tags = try reader.member("the/tags", default: ["none"])
            try reader.endObject()
        }
    }

    @Test func aTypeThatReadsItselfHasDefaultsToo() throws {
        let notes = DriftNotes()
        let document = Data(#"{"a":[{"id":1},{"id":2,"the/tags":["x"]},{"the/tags":null,"id":3}]}"#.utf8)
        let value = try HikyakuJSONDecoder.noting(notes).read([String: [Direct]].self, from: document)
        #expect(value["a"]?.map(\.tags) == [["none"], ["x"], ["none"]])
        #expect(
            notes.texts == ["defaultedKey /a/0/the~1tags Array<String>", "defaultedKey /a/2/the~1tags Array<String>"]
        )
        #expect(notes.drifts.map(\.byteOffset) == [6, 41])
    }
}
