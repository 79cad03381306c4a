import Hikyaku
import HikyakuBase
import Testing

private struct Plain: Decodable {}
private struct Item: KeyedModel {}
private struct HTMLPage: KeyedModel {}
private struct URL: KeyedModel {}
private struct Category: KeyedModel {}
private struct Day: KeyedModel {}
private struct Box<Content>: KeyedModel { init(from decoder: any Decoder) throws {} }
private struct Address: KeyedModel {}
private struct Branch: KeyedModel {}
private struct Wish: KeyedModel {}
private struct Quartz: KeyedModel {}
private struct Item2: KeyedModel {}
private struct ID3Tag: KeyedModel {}
private struct snake_Case: KeyedModel {}
private struct Y: KeyedModel {}

private enum Shelf {
    struct LongBook: KeyedModel {}
    struct Row<Element>: KeyedModel { init(from decoder: any Decoder) throws {} }
}

private struct Rack<Element> {
    struct Wine: KeyedModel { init(from decoder: any Decoder) throws {} }
}

private struct Person: KeyedModel { static let pluralKey = "people" }
private struct User: KeyedModel { static let singleKey = "account.entry" }

private final class Counted: KeyedModel, Sendable {
    static let count = Lock(0)
    static var singleKey: String {
        count.withLock { $0 += 1 }
        return "counted"
    }
    init(from decoder: any Decoder) throws {}
}

typealias KeyedType = any (KeyedModel & SendableMetatype).Type

@Suite struct ModelKeyTests {
    @Test(
        arguments: [
            (MenuItem.self, "menu_item", "menu_items"), (Item.self, "item", "items"),
            (HTMLPage.self, "html_page", "html_pages"), (URL.self, "url", "urls"),
            (Category.self, "category", "categories"), (Day.self, "day", "days"), (Y.self, "y", "ys"),
            (Box<[Plain]>.self, "box", "boxes"), (Address.self, "address", "addresses"),
            (Branch.self, "branch", "branches"), (Wish.self, "wish", "wishes"), (Quartz.self, "quartz", "quartzes"),
            (Item2.self, "item2", "item2s"), (ID3Tag.self, "id3_tag", "id3_tags"),
            (snake_Case.self, "snake_case", "snake_cases"), (Shelf.LongBook.self, "long_book", "long_books"),
            (Shelf.Row<Rack<Int>.Wine>.self, "row", "rows"), (Rack<Int>.Wine.self, "wine", "wines"),
        ] as [(KeyedType, String, String)]
    )
    func keysAreMadeOfTheTypesName(type: KeyedType, single: String, plural: String) {
        #expect(type.singleKey == single)
        #expect(type.pluralKey == plural)
        #expect(type.singleKey == single, "the second time too")
        #expect(type.pluralKey == plural, "the second time too")
    }

    @Test func localTypesHaveKeysToo() {
        struct OpenHour: KeyedModel {}
        #expect(OpenHour.singleKey == "open_hour")
    }

    @Test func explicitKeysAreKept() {
        #expect(Person.singleKey == "person")
        #expect(Person.pluralKey == "people")
        #expect(User.pluralKey == "account.entries")
    }

    @Test func anOptionalModelHasTheModelsKeys() {
        #expect(MenuItem?.singleKey == "menu_item")
        #expect(Person?.pluralKey == "people")
    }

    @Test func theDefaultPluralIsMadeOnce() {
        #expect(Counted.pluralKey == "counteds")
        #expect(Counted.pluralKey == "counteds")
        #expect(Counted.count.withLock { $0 } == 1)
    }
}

@Suite struct ResponsePathTests {
    @Test(arguments: [
        ("items", ["items"], "/items"), ("data.items", ["data", "items"], "/data/items"), ("", [], ""),
        ("/data.items", ["data.items"], "/data.items"), ("/a~1b/~0", ["a/b", "~"], "/a~1b/~0"), ("/", [""], "/"),
    ])
    func keysAreSeparatedByPointsOrAsAPointer(text: String, keys: [String], pointer: String) {
        #expect(ResponsePath(text).keys == keys)
        #expect(ResponsePath(text).description == pointer)
    }

    @Test func aKeyByItselfMayHavePointsAndSlashes() {
        #expect(ResponsePath(key: "/a.b").keys == ["/a.b"])
    }
}
