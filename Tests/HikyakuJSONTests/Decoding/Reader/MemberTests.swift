import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct MemberTests {
    private struct Article: JSONReadable, Equatable {
        let id: Int
        let title: String
        let tags: [String]
        let note: String?

        init(id: Int, title: String, tags: [String], note: String?) {
            (self.id, self.title, self.tags, self.note) = (id, title, tags, note)
        }

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            id = try reader.member("id")
            title = try reader.member("title")
            tags = try reader.member("tags")
            note = try reader.member("note")
            try reader.endObject()
        }
    }

    private let decoder = HikyakuJSONDecoder()

    @Test(arguments: [
        #"{"id":1,"title":"a","tags":["b","c"],"note":"d"}"#,
        #"{"note":"d","tags":["b","c"],"title":"a","id":1}"#,
        #"{"title":"a","note":"d","tags":["b","c"],"id":1}"#,
        #" { "title" : "a" , "id" : 1 ,"note": "d", "tags" :[ "b" , "c" ] } "#,
        #"{"id":1,"x":{"id":2,"title":[{}]},"title":"a","tags":["b","c"],"y":[[1],"{"],"note":"d"}"#,
        #"{"\u0069d":1,"titl\u0065":"\u0061","tags":["b","\u0063"],"note":"d"}"#,
        #"{"not\u0065":"d","tags":["b","\u0063"],"titl\u0065":"\u0061","\u0069d":1}"#,
        "\n{\"id\":1\n,\"title\":\"a\"\n,\"tags\":[\"b\"\n,\"c\"]\n,\"note\":\"d\"}\n",
        // The last of repeated members is read, and what the others are doesn't matter.
        #"{"id":0,"title":"x","tags":[],"note":null,"id":1,"title":"a","tags":["b","c"],"note":"d"}"#,
        #"{"id":1,"title":"a","tags":["b","c"],"note":"x","note":"d"}"#,
        #"{"id":"x","title":"a","tags":["b","c"],"note":"d","\u0069d":1}"#,
        #"{"note":"x","id":[],"title":"a","tags":["b","c"],"id":1,"note":"d"}"#,
        #"{"tags":[1],"id":1,"title":"a","tags":["b","c"],"note":"d"}"#,
    ])
    func membersAreReadInAnyOrder(_ document: String) {
        let expected = Article(id: 1, title: "a", tags: ["b", "c"], note: "d")
        #expect(decoder.reading(Article.self, document) == .value(expected))
        let list = decoder.reading([Article?].self, "[\(document),null,\(document) , \(document)]")
        #expect(list == .value([expected, nil, expected, expected]))
        let deep = decoder.reading([String: [String: Article]].self, #"{"a":{"b":\#(document),"c":\#(document)}}"#)
        #expect(deep == .value(["a": ["b": expected, "c": expected]]))
    }

    @Test(arguments: [
        #"{"id":1,"title":"a","tags":[]}"#, #"{"id":1,"title":"a","tags":[],"note":null}"#,
        #"{"note":null,"tags":[],"id":1,"title":"a","more":null}"#, #"{"tags":[],"id":1,"title":"a","x":{"note":"d"}}"#,
        #"{"id":1,"title":"a","tags":[],"note":"x","note":null}"#,
    ])
    func anOptionalMemberMayBeMissingOrNull(_ document: String) {
        #expect(decoder.reading(Article.self, document) == .value(Article(id: 1, title: "a", tags: [], note: nil)))
    }

    @Test(arguments: [
        (#"{"title":"a","tags":[]}"#, "keyNotFound(id) at /"),
        (#"{"id":1,"title":"a"}"#, "keyNotFound(tags) at /"),
        (#"{"note":"","id":1,"title":"a"}"#, "keyNotFound(tags) at /"),
        (#"{}"#, "keyNotFound(id) at /"),
        (#"[]"#, "typeMismatch(Dictionary<String, Any>) at /"),
        (#"null"#, "valueNotFound(Dictionary<String, Any>) at /"),
        (#"{"id":null,"title":"a","tags":[]}"#, "valueNotFound(Int) at /id"),
        (#"{"id":"1","title":"a","tags":[]}"#, "typeMismatch(Int) at /id"),
        (#"{"title":"a","id":1.5,"tags":[]}"#, "dataCorrupted at /id"),
        (#"{"id":1,"title":"a","tags":[1]}"#, "typeMismatch(String) at /tags/Index 0"),
        (#"{"id":1,"title":"a","tags":{}}"#, "typeMismatch(Array<Any>) at /tags"),
        (#"{"\u0069d":1,"title":"a","tags":[],"not\u0065":1}"#, "typeMismatch(String) at /note"),
        (#"{"id":1,"title":"a","tags":[],"id":"x"}"#, "typeMismatch(Int) at /id"),
    ])
    func whatDiffersFromTheTypeIsAnError(_ document: String, _ error: String) {
        #expect(decoder.reading(Article.self, document) == .error(error))
        #expect(throws: DecodingDiagnosis.self) { try decoder.read(Article.self, from: Data(document.utf8)) }
    }

    @Test(arguments: [
        (#"{"id":1"#, JSONSyntaxError(.unexpectedEnd, at: 7)),
        (#"{"id":1]"#, JSONSyntaxError(.noSeparator, at: 7)),
        (#"{"id":1,}"#, JSONSyntaxError(.noKey, at: 8)),
        (#"{"id" 1}"#, JSONSyntaxError(.noColon, at: 6)),
        (#"{"id":}"#, JSONSyntaxError(.noValue, at: 6)),
        (#"{"x":01}"#, JSONSyntaxError(.badNumber, at: 5)),
        (#"{"x":nul}"#, JSONSyntaxError(.badWord, at: 5)),
        (#"{,"id":1}"#, JSONSyntaxError(.noKey, at: 1)),
        (#"{"x":["\ud800"]}"#, JSONSyntaxError(.loneSurrogate, at: 7)),
        ("{\"title\":\"a\u{1}\"}", JSONSyntaxError(.controlCharacter, at: 11)),
        (#"{"id":1,"title":"a","tags":[],"x":}"#, JSONSyntaxError(.noValue, at: 34)),
        (#"{"id":1,"title":"a","tags":[]}x"#, JSONSyntaxError(.trailingBytes, at: 30)),
    ])
    func invalidBytesAreRejectedAtTheirPosition(_ document: String, _ error: JSONSyntaxError) {
        // `mismatch` is what a wrong byte at a value is for the type of the member.
        do {
            _ = try decoder.undiagnosed(Data(document.utf8)) { try $0.read(Article.self) }
            Issue.record("accepted")
        } catch let found as JSONSyntaxError {
            #expect(found == error)
        } catch {
            #expect(error is DecodingError, "\(error)")
        }
    }

    @Test(arguments: [
        #"{"id":1,"title":"aä","tags":["b","c"],"note":"d\u00e4"}"#,
        #" { "note" : null , "tags" : [ ] , "x" : { "y" : [ true , -1.5e3 ] } , "title" : "a" , "id" : 12 } "#,
    ])
    func aTruncatedDocumentIsRejected(_ document: String) {
        let bytes = Data(document.utf8)
        #expect(decoder.reading(Article.self, document).error == nil)
        let whole = document.lastIndex(of: "}").map { document[...$0].utf8.count } ?? 0
        for count in 0..<whole {
            #expect(throws: (any Error).self, "\(count)") { try decoder.read(Article.self, from: bytes.prefix(count)) }
            // In memory of exactly this size.
            #expect(throws: (any Error).self) {
                try decoder.read([Article].self, from: Data("[".utf8 + bytes.prefix(count)))
            }
        }
    }

    // MARK: Keys

    private struct Odd: JSONReadable, Equatable {
        var values: [Int?] = []

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            values.append(try reader.member("a\\\""))
            values.append(try reader.member("\\\\"))
            values.append(try reader.member("\\n"))
            values.append(try reader.member(""))
            values.append(try reader.member("😀"))
            values.append(try reader.member("a key that is longer than two words of eight bytes"))
            try reader.endObject()
        }
    }

    @Test(arguments: [
        #"{"a\"":1,"\\":2,"\n":3,"":4,"😀":5,"a key that is longer than two words of eight bytes":6}"#,
        #"{"a\u0022":1,"\u005c":2,"\u000a":3,"":4,"\ud83d\ude00":5,"\u0061 key that is longer than two words of eight bytes":6}"#,
        #"{"a key that is longer than two words of eight bytes":6,"😀":5,"":4,"\u000A":3,"\\":2,"a\"":1,"a":7}"#,
    ])
    func keysAreGivenAsDocumentsWriteThem(_ document: String) {
        #expect(decoder.reading(Odd.self, document).value?.values == [1, 2, 3, 4, 5, 6])
    }

    @Test func aKeyIsNotAnotherThatBeginsLikeIt() {
        struct Similar: JSONReadable {
            let texts: [Int?]
            init(from reader: inout JSONReader) throws {
                try reader.beginObject()
                texts = [try reader.member("on"), try reader.member("one"), try reader.member("onee")]
                try reader.endObject()
            }
        }
        #expect(decoder.reading(Similar.self, #"{"one":1,"onee":2,"oneee":3,"o":4}"#).value?.texts == [nil, 1, 2])
        #expect(decoder.reading(Similar.self, #"{"oneee":3,"onee":2,"one":1,"on":4}"#).value?.texts == [4, 1, 2])
    }

    // MARK: Depth

    private final class Chain: JSONReadable {
        let next: Chain?
        let name: String?

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            next = try reader.member("next")
            name = try reader.member("name")
            try reader.endObject()
        }

        var depth: Int { 1 + (next?.depth ?? 0) }
    }

    private func chain(_ count: Int, _ start: String, _ end: String) -> String {
        String(repeating: start, count: count) + "null" + String(repeating: end, count: count)
    }

    @Test(arguments: [
        ("{\"next\":", "}"), ("{\"name\":\"a\",\"next\":", "}"), ("{\"x\":1,\"next\":", ",\"name\":\"b\"}"),
    ])
    func nestedObjectsHaveALimit(_ start: String, _ end: String) {
        #expect(decoder.reading(Chain.self, chain(512, start, end)).value?.depth == 512)
        let bytes = Data(chain(513, start, end).utf8)
        #expect(throws: JSONSyntaxError.self) { try decoder.undiagnosed(bytes) { try $0.read(Chain.self) } }
    }

    /// Without the ends of passed objects, each level would pass over all inner ones: 500 times 1 MB.
    @Test func passedObjectsArePassedOnce() {
        let inner = Array(repeating: #""some text""#, count: 100_000).joined(separator: ",")
        let document = chain(500, #"{"x":0,"next":"#, #","y":[\#(inner.prefix(11))]}"#)
            .replacing("null", with: #"{"x":[\#(inner)]}"#)
        let clock = ContinuousClock()
        let plain = clock.measure { _ = decoder.reading(JSONValue.self, document) }
        let time = clock.measure { #expect(decoder.reading(Chain.self, document).value?.depth == 501) }
        #expect(time < plain * 20 + .milliseconds(200))
    }
}

extension MemberTests {
    // MARK: Other types

    private struct Settings: JSONReadable, Equatable {
        let pages: Int
        let size: Int
        let kind: OpenEnum<Kind>
        @Defaulted.Empty var names: [String]
        let others: [String: JSONValue]

        enum Kind: String, Sendable { case small, large }

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            pages = try reader.member("pages", default: 7)
            size = try reader.member("size")
            kind = try reader.member("kind")
            _names = try reader.member("names")
            others = try reader.otherMembers()
            try reader.endObject()
        }
    }

    @Test(arguments: [
        (
            #"{"size":1,"kind":"huge"}"#,
            ["defaultedKey /pages Int", "defaultedKey /names Array<String>", "unknownEnumValue /kind Kind"],
        ),
        (
            #"{"kind":"huge","size":1}"#,
            ["defaultedKey /pages Int", "defaultedKey /names Array<String>", "unknownEnumValue /kind Kind"],
        ),
        (
            #"{"pages":null,"size":1,"kind":"large","names":null}"#,
            ["defaultedKey /pages Int", "defaultedKey /names Array<String>"],
        ),
        (#"{"size":1,"pages":7,"names":[],"kind":"huge"}"#, ["unknownEnumValue /kind Kind"]),
    ])
    func driftIsNotedOnce(_ document: String, _ drifts: [String]) throws {
        let notes = DriftNotes()
        let value = try HikyakuJSONDecoder.noting(notes).read(Settings.self, from: Data(document.utf8))
        #expect(value.pages == 7 && value.size == 1 && value.names.isEmpty && value.others.isEmpty)
        #expect(notes.texts.sorted() == drifts.sorted())
    }

    @Test func otherMembersAreReadByTheirKeys() throws {
        let document = #"{"a":1,"size":1,"\u0062":[2],"kind":"small","a":"x","size":2,"ä":null}"#
        let value = try #require(decoder.reading(Settings.self, document).value)
        #expect(value.size == 2)
        #expect(value.others == ["a": "x", "b": [2], "ä": .null])
    }

    private struct Outer: JSONReadable, Equatable {
        let date: Date?
        let decoded: Decoded
        let maybe: Decoded?
        let either: Either
        let list: [Article]

        struct Decoded: Decodable, Equatable { var x: Int }

        enum Either: JSONReadable, Equatable {
            case article(Article), number(Int?), text(String)

            init(from reader: inout JSONReader) throws {
                if let value = try? reader.read(Article.self) {
                    self = .article(value)
                } else if let value = try? reader.read(Int?.self) {
                    self = .number(value)
                } else {
                    self = .text(try reader.read())
                }
            }
        }

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            date = try reader.member("date")
            decoded = try reader.member("decoded")
            maybe = try reader.member("maybe")
            either = try reader.member("either")
            list = try reader.member("list")
            try reader.endObject()
        }
    }

    @Test(arguments: [
        #"{"date":"1970-01-01T00:00:00Z","decoded":{"x":1},"either":{"id":1,"title":"a","tags":[]},"list":[{"id":1,"title":"a","tags":[]}]}"#,
        #"{"list":[{"tags":[],"title":"a","id":1}],"either":{"tags":[],"title":"a","id":1},"date":"1970-01-01T00:00:00Z","decoded":{"y":2,"x":1}}"#,
    ])
    func valuesOfAllKindsAreMembers(_ document: String) {
        let article = Article(id: 1, title: "a", tags: [], note: nil)
        let value = decoder.reading(Outer.self, document).value
        #expect(value?.date == Date(timeIntervalSince1970: 0))
        #expect(value?.decoded == Outer.Decoded(x: 1) && value?.maybe == nil)
        #expect(value?.either == .article(article) && value?.list == [article])
    }

    @Test(arguments: [
        (#"{"id":1,"tags":[]}"#, false), (#"{"title":"a","id":1,"tags":[],"title":1}"#, false), ("7", true),
    ])
    func anAttemptMayFail(_ either: String, _ isNumber: Bool) {
        let document = #"{"decoded":{"x":1},"either":\#(either),"list":[]}"#
        let found = decoder.reading(Outer.self, document)
        #expect(isNumber ? found.value?.either == .number(7) : found.error == "typeMismatch(String) at /either")
    }

    /// A type that draws a conclusion from a missing member, before it could turn out to be there.
    @Test func aConclusionFromAMissingMemberIsDrawnAgain() {
        struct Hasty: JSONReadable, Equatable {
            struct Missing: Error {}
            let name: String
            let id: Int

            init(from reader: inout JSONReader) throws {
                try reader.beginObject()
                let name: String? = try reader.member("name")
                guard let name else { throw Missing() }
                self.name = name
                id = try reader.member("id")
                try reader.endObject()
            }
        }
        #expect(decoder.reading(Hasty.self, #"{"id":1,"name":"a"}"#).value?.name == "a")
        let swallowed = #"[{"x":1,"name":"a","id":1}]"#
        let names = DecodingOutcome {
            try decoder.undiagnosed(Data(swallowed.utf8)) { reader in
                var names: [String] = []
                try reader.readArray { names.append((try? $0.read(Hasty.self))?.name ?? "none") }
                return names
            }
        }
        #expect(names.value == ["a"])
    }

    @Test(arguments: [
        (#"{"a":1,"kind":"x","b":[{}]}"#, "x"), (#"{"kind":"x","k\u0069nd":"\u0079"}"#, "y"), (#"{"kind":1}"#, nil),
        ("{}", nil),
        ("[1]", nil), ("null", nil), (#" {"b" : {"kind":"z"} , "kind" : "x" } "#, "x"),
        (#"{"kind":"x","kind":null}"#, nil),
    ])
    func theTextOfAMemberIsFoundWithoutReading(_ document: String, _ text: String?) throws {
        try decoder.undiagnosed(Data(document.utf8)) { reader in
            let before = reader.offset
            #expect(try reader.textMember("kind") == text)
            #expect(reader.offset == before)
            try reader.skip()
        }
    }

    @Test func whatIsOfAnotherTypeIsNotRead() throws {
        try decoder.undiagnosed(Data(#"["a",1]"#.utf8)) { reader in
            try reader.readArray { reader in
                let number: Int? = reader.readIfPossible()
                let text = number == nil ? reader.readIfPossible(String.self) : nil
                #expect((number == 1) != (text == "a"))
            }
        }
        #expect(throws: JSONSyntaxError.self) {
            try decoder.undiagnosed(Data(#"{"kind":"x",}"#.utf8)) { _ = try $0.textMember("kind") }
        }
    }

    @Test func aBoxIsReadAndWrittenAsItsValue() throws {
        let box = try decoder.read(Boxed<[Int]>.self, from: Data("[1,2]".utf8))
        #expect(box.value == [1, 2])
        #expect(try HikyakuJSONEncoder().write(box) == Data("[1,2]".utf8))
    }
}
