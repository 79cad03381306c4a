import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct ReaderTests {
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
        #" { "title" : "a" , "id" : 1 ,"note": "d", "tags" :[ "b" , "c" ] } "#,
        #"{"id":1,"x":{"id":2,"title":[{}]},"title":"a","tags":["b","c"],"y":[[1],"{"],"note":"d"}"#,
        #"{"\u0069d":1,"titl\u0065":"\u0061","tags":["b","\u0063"],"note":"d"}"#,
        #"{"id":0,"title":"x","tags":[],"note":null,"id":1,"title":"a","tags":["b","c"],"note":"d"}"#,
        "\n{\"id\":1\n,\"title\":\"a\"\n,\"tags\":[\"b\"\n,\"c\"]\n,\"note\":\"d\"}\n",
    ])
    func aTypeReadsItsMembersInAnyOrder(_ document: String) {
        #expect(
            decoder.reading(Article.self, document)
                == .value(Article(id: 1, title: "a", tags: ["b", "c"], note: "d"))
        )
    }

    @Test(arguments: [
        (#"{"title":"a","tags":[]}"#, "keyNotFound(id) at /"),
        (#"{"id":1,"title":"a"}"#, "keyNotFound(tags) at /"),
        (#"{}"#, "keyNotFound(id) at /"),
        (#"[]"#, "typeMismatch(Dictionary<String, Any>) at /"),
        (#"null"#, "valueNotFound(Dictionary<String, Any>) at /"),
        (#"{"id":null,"title":"a","tags":[]}"#, "valueNotFound(Int) at /id"),
        (#"{"id":"1","title":"a","tags":[]}"#, "typeMismatch(Int) at /id"),
        (#"{"id":1.5,"title":"a","tags":[]}"#, "dataCorrupted at /id"),
        (#"{"id":1,"title":"a","tags":[1]}"#, "typeMismatch(String) at /tags/Index 0"),
        (#"{"id":1,"title":"a","tags":{}}"#, "typeMismatch(Array<Any>) at /tags"),
        (#"{"\u0069d":1,"title":"a","tags":[],"not\u0065":1}"#, "typeMismatch(String) at /note"),
    ])
    func whatDiffersFromTheTypeIsAnError(_ document: String, _ error: String) {
        #expect(decoder.reading(Article.self, document) == .error(error))
    }

    @Test(arguments: [
        ("", JSONSyntaxError(.empty, at: 0)),
        (" \n", JSONSyntaxError(.empty, at: 2)),
        ("\u{FEFF}{}", JSONSyntaxError(.byteOrderMark, at: 0)),
        (#"{"id":1"#, JSONSyntaxError(.unexpectedEnd, at: 7)),
        (#"{"id":1]"#, JSONSyntaxError(.noSeparator, at: 7)),
        (#"{"id":1,}"#, JSONSyntaxError(.noKey, at: 8)),
        (#"{"id" 1}"#, JSONSyntaxError(.noColon, at: 6)),
        (#"{"id":}"#, JSONSyntaxError(.noValue, at: 6)),
        (#"{"x":01}"#, JSONSyntaxError(.badNumber, at: 5)),
        (#"{"x":nul}"#, JSONSyntaxError(.badWord, at: 5)),
        (#"{"x":["\ud800"]}"#, JSONSyntaxError(.loneSurrogate, at: 7)),
        (#"{"title":"\x"}"#, JSONSyntaxError(.badEscape, at: 10)),
        ("{\"title\":\"a\u{1}\"}", JSONSyntaxError(.controlCharacter, at: 11)),
        (#"{"id":1,"title":"a","tags":[]}x"#, JSONSyntaxError(.trailingBytes, at: 30)),
        (#"{"id":1,"title":"a","tags":[]},"#, JSONSyntaxError(.trailingBytes, at: 30)),
    ])
    func invalidBytesAreRejectedAtTheirPosition(_ document: String, _ error: JSONSyntaxError) {
        #expect(throws: error) { try decoder.undiagnosed(Data(document.utf8)) { try $0.read(Article.self) } }
    }

    @Test func keysInAnyOrderAreHandedOver() throws {
        enum Key: String, CaseIterable { case one, two, three, four }
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let names = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                random.pick(["one", "two", "three", "four", "five", "", "on", "onee"])
            }
            let space = { (random: inout SeededGenerator) in random.pick(["", "", " ", "\n", "\t \r"]) }
            let members = names.enumerated().map { number, name in
                let parts = [space(&random), "\"\(name)\"", space(&random), ":", space(&random), "\(number)"]
                return parts.joined() + space(&random)
            }
            let document = "{" + members.joined(separator: ",") + "}"
            var found: [String] = []
            try decoder.undiagnosed(Data(document.utf8)) { reader in
                try reader.readObject { key, reader in
                    if Key(rawValue: key) != nil { found.append("\(key) \(try reader.read(Int.self))") }
                }
            }
            let expected = names.enumerated().filter { Key(rawValue: $1) != nil }.map { "\($1) \($0)" }
            #expect(found == expected, "seed \(seed): \(document)")
        }
    }

    private enum Odd: String, CaseIterable {
        case quoted = "a\""
        case backslash = "\\"
        case control = "\n"
        case nul = "\0"
        case empty = ""
        case twoMembers = #"x":1,"y"#
        case emoji = "😀"
        case escaped = #"\u0061"#
        case long = "a key that is longer than two words of eight bytes"
    }

    private func oddKeys(_ document: String) -> DecodingOutcome<[String]> {
        DecodingOutcome {
            var found: [String] = []
            try decoder.undiagnosed(Data(document.utf8)) { reader in
                try reader.readObject { key, _ in if let key = Odd(rawValue: key) { found.append("\(key)") } }
            }
            return found
        }
    }

    @Test func keysMayBeAnyText() {
        let document = """
            {"a\\"":1,"\\\\":2,"\\n":3,"\\u0000":4,"":5,"x\\":1,\\"y":6,"😀":7,"\\\\u0061":8,\
            "a key that is longer than two words of eight bytes":9,"a":10,"x":11}
            """
        #expect(oddKeys(document) == .value(Odd.allCases.map { "\($0)" }))
        #expect(
            oddKeys(#"{"\ud83d\ude00":1,"a ke\u0079 that is longer than two words of eight bytes":2}"#).value == [
                "emoji", "long",
            ]
        )
    }

    @Test(arguments: [#"{"a"":1}"#, #"{"\":1}"#, "{\"\n\":1}", "{\"\0\":1}", #"{"":1,"a"":1}"#])
    func keysThatHaveToBeEscapedAreNotTakenAsTheyAre(_ document: String) {
        #expect(oddKeys(document).error == "dataCorrupted at /")
    }

    @Test func twoMembersAreNotAKeyThatLooksLikeThem() {
        #expect(oddKeys(#"{"x":1,"y":6}"#) == .value([]))
        #expect(oddKeys(#"{"\u0061":6}"#) == .value([]))
    }

    @Test func whatAClosureLeavesUnreadIsSkipped() throws {
        let document = #"{"a":[1,{"b":2}],"c":"d","e":{},"f":3}"#
        var keys: [String] = []
        try decoder.undiagnosed(Data(document.utf8)) { reader in try reader.readObject { key, _ in keys.append(key) } }
        #expect(keys == ["a", "c", "e", "f"])
        var count = 0
        try decoder.undiagnosed(Data("[1,[2],{\"a\":[]},null]".utf8)) { reader in
            try reader.readArray { _ in count += 1 }
        }
        #expect(count == 4)
        for broken in ["[1,[2,]]", "[1,{]}", "[\"\\x\"]", "[nul]", "[1 2]", "[1"] {
            #expect(throws: JSONSyntaxError.self, "\(broken)") {
                try decoder.undiagnosed(Data(broken.utf8)) { reader in try reader.readArray { _ in } }
            }
        }
    }

    @Test func onlyNullIsReadAsNull() throws {
        let document = Data("[null,1,null]".utf8)
        var found: [Bool] = []
        try decoder.undiagnosed(document) { reader in try reader.readArray { found.append(try $0.readNull()) } }
        #expect(found == [true, false, true])
        #expect(throws: JSONSyntaxError(.badWord, at: 0)) {
            try decoder.undiagnosed(Data("nulx".utf8)) { try $0.readNull() }
        }
    }

    @Test func theOffsetIsTheReaders() throws {
        var offsets: [Int] = []
        try decoder.undiagnosed(Data(" [ 1 , \"é\" , {} ] ".utf8)) { reader in
            offsets.append(reader.offset)
            try reader.readArray { reader in
                offsets.append(reader.offset)
                try reader.skip()
                offsets.append(reader.offset)
            }
            offsets.append(reader.offset)
        }
        #expect(offsets == [1, 3, 4, 7, 11, 14, 16, 18])
    }

    @Test func containersInsideOfEachOtherHaveALimit() {
        let nested = { (count: Int) in
            Data((String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
        }
        #expect(throws: Never.self) { try decoder.undiagnosed(nested(512)) { try $0.skip() } }
        #expect(throws: JSONSyntaxError(.tooDeep, at: 512)) { try decoder.undiagnosed(nested(513)) { try $0.skip() } }
        var shallow = decoder
        shallow.depthMax = 2
        #expect(throws: Never.self) { try shallow.undiagnosed(nested(2)) { try $0.read([[Int]].self) } }
        #expect(throws: JSONSyntaxError(.tooDeep, at: 2)) {
            try shallow.undiagnosed(nested(3)) { try $0.read([[[Int]]].self) }
        }
        // Those around a value that is decoded by its containers count as well.
        #expect(throws: JSONSyntaxError(.tooDeep, at: 2)) {
            try shallow.undiagnosed(nested(3)) { reader in try reader.readArray { _ = try $0.decode(JSONAny.self) } }
        }
        // Objects side by side don't.
        let wide = Data("[\(Array(repeating: "[]", count: 600).joined(separator: ","))]".utf8)
        #expect(throws: Never.self) { try shallow.undiagnosed(wide) { try $0.read([[Int]].self) } }
    }
}
