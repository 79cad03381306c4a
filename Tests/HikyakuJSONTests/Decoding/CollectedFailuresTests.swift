import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct CollectedFailuresTests {
    private struct Item: Decodable { let id: Int }

    private struct DirectItem: JSONReadable, Decodable {
        let id: Int

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            id = try reader.member("id")
            try reader.endObject()
        }

        init(from decoder: any Decoder) throws {
            // Never called, since the type reads itself.
            id = 0
        }
    }

    private struct Own: Error {}

    private static let decoder: HikyakuJSONDecoder = {
        var decoder = HikyakuJSONDecoder()
        decoder.collectsFailures = true
        return decoder
    }()

    private static func decoded<Value: Decodable>(
        _ type: Value.Type,
        _ document: String,
        _ decoder: HikyakuJSONDecoder = decoder,
    ) -> DecodingDiagnosis? {
        #expect(throws: DecodingDiagnosis.self) { try decoder.decode(type, from: Data(document.utf8)) }
    }

    private static func read<Value: JSONReadable>(_ type: Value.Type, _ document: String) -> DecodingDiagnosis? {
        #expect(throws: DecodingDiagnosis.self) { try decoder.read(type, from: Data(document.utf8)) }
    }

    private static let objects = #"[{"id":1},{"id":"a"},{},{"id":4},null,7]"#

    private static let objectTexts: [String] = [
        "typeMismatch /1/id 16 /Index 1/id", "missingKey /2 21 /Index 2", "missingValue /4 33 /Index 4",
        "typeMismatch /5 38 /Index 5",
    ]

    @Test func everyElementThatFailsIsFound() {
        #expect(Self.decoded([Item].self, Self.objects)?.texts == Self.objectTexts)
        #expect(Self.decoded([DirectItem].self, Self.objects)?.texts == Self.objectTexts)
        #expect(Self.read([DirectItem].self, Self.objects)?.texts == Self.objectTexts)
    }

    @Test func theTextNamesTheFirstFewAndTheirNumber() {
        let text =
            #"at /1/id: expected Int, found a string masked as "a" (line 1, column 17, byte 16), in "#
            + #"`[{"id":9},{"id":"a"},{},{"id":9},null,9]` (values masked); and 3 more: at /2: expected the key "id", found an "#
            + "object without keys; at /4: expected an object, found null; at /5: expected an object, found a number masked as 9"
        #expect(Self.decoded([Item].self, Self.objects)?.description == text)
    }

    @Test func arraysInsideOfOthersAndOfParentsAreCollectedTogether() {
        struct Parent: Decodable {
            let before: Int
            let rows: [[Int]]
            let items: [Item]
        }
        let parents = #"[{"before":1,"rows":[[1,"a"],[],["b",2,"c"],3],"items":[]},{"before":"x","rows":["d"]}]"#
        let texts = [
            "typeMismatch /0/rows/0/1 24 /Index 0/rows/Index 0/Index 1",
            "typeMismatch /0/rows/2/0 33 /Index 0/rows/Index 2/Index 0",
            "typeMismatch /0/rows/2/2 39 /Index 0/rows/Index 2/Index 2",
            "typeMismatch /0/rows/3 44 /Index 0/rows/Index 3", "typeMismatch /1/before 69 /Index 1/before",
        ]
        #expect(Self.decoded([Parent].self, parents)?.texts == texts)
    }

    /// Reads its rows by the array's own way, and its items one by one.
    private struct DirectParent: JSONReadable {
        var rows: [[Int?]] = []
        var items: [Int] = []

        init(from reader: inout JSONReader) throws {
            try reader.readObject { key, reader in
                switch key {
                case "rows": rows = try reader.read()
                case "items": try reader.readArray { items.append(try $0.decode(Item.self).id) }
                default: break
                }
            }
        }
    }

    @Test(
        arguments: [
            (#"[{"rows":[[1,null,"a"],2]}]"#, ["typeMismatch /0/rows/0/2 18", "typeMismatch /0/rows/1 23"]),
            (
                #"[{"items":[{"id":1},{"id":[]},{},{}]},{},{"items":[9]}]"#,
                [
                    "typeMismatch /0/items/1/id 26", "missingKey /0/items/2 30", "missingKey /0/items/3 33",
                    "typeMismatch /2/items/0 51",
                ],
            ),
        ] as [(String, [String])]
    )
    func arraysInsideOfDirectTypesAreCollected(_ document: String, _ texts: [String]) {
        #expect(Self.read([DirectParent].self, document)?.places == texts)
    }

    @Test func whereNothingFailsTheValueIsAsWithoutCollecting() throws {
        let document = Data(#"[[1,2],[],[3,null]]"#.utf8)
        #expect(try Self.decoder.decode([[Int?]].self, from: document) == [[1, 2], [], [3, nil]])
        #expect(try Self.decoder.read([[Int?]].self, from: document) == [[1, 2], [], [3, nil]])
        let items = Data(#"[{"id":1},{"id":2,"more":[{}]}]"#.utf8)
        #expect(try Self.decoder.decode([Item].self, from: items).map(\.id) == [1, 2])
        #expect(try Self.decoder.decode([DirectItem].self, from: items).map(\.id) == [1, 2])
    }

    @Test func anElementThatReadsNothingIsSkipped() throws {
        let document = Data(#"{"rows":[],"items":[]}"#.utf8)
        #expect(try Self.decoder.read(DirectParent.self, from: document).items.isEmpty)
        let skipped = try Self.decoder.undiagnosed(Data("[[1],{},2]".utf8)) { reader in
            var count = 0
            try reader.readArray { _ in count += 1 }
            return count
        }
        #expect(skipped == 3)
    }

    @Test func oneFailureIsAsWithoutCollecting() {
        for document in [#"[1,"a",3]"#, #"{"a":1}"#, #"["a"]"#] {
            #expect(Self.decoded([Int].self, document) == Self.decoded([Int].self, document, HikyakuJSONDecoder()))
        }
        #expect(Self.decoded([Item].self, #"[{"id":1},{}]"#)?.furtherCount == 0)
    }

    @Test func objectsAndSetsEndAtTheirFirstFailure() {
        #expect(Self.decoded([String: Int].self, #"{"a":"x","b":"y"}"#)?.places == ["typeMismatch /a 5"])
        #expect(Self.decoded(Set<Int>.self, #"["x","y"]"#)?.places == ["typeMismatch /0 1"])
        let rows = Self.decoded([String: [Int]].self, #"{"a":[1,"x","y"],"b":["z"]}"#)
        #expect(rows?.places == ["typeMismatch /a/1 8", "typeMismatch /a/2 12"])
    }

    @Test func anErrorOfATypesOwnEndsDecodingAtOnce() {
        struct Picky: Decodable, JSONReadable {
            init(from reader: inout JSONReader) throws {
                if try reader.read(Int.self) == 2 { throw Own() }
            }
            init(from decoder: any Decoder) throws {
                if try decoder.singleValueContainer().decode(Int.self) == 2 { throw Own() }
            }
        }
        let document = Data(#"["a",2,"b"]"#.utf8)
        #expect(throws: Own.self) { try Self.decoder.decode([Throughout<Picky>].self, from: document) }
        #expect(throws: Own.self) { try Self.decoder.read([Picky].self, from: document) }
    }

    @Test func whatIsNotJSONEndsDecodingAtOnce() {
        for document in [#"["a","b",}"#, #"["a",{"x" 1},"b"]"#] {
            let direct = Self.read([Int].self, document)
            #expect(direct?.kind == .malformed && direct?.furtherCount == 0)
            #expect(Self.decoded([Throughout<Int>].self, document) == direct)
        }
    }

    @Test func anErrorThatATypeMakesIsPlacedAtTheElement() {
        struct Even: Decodable, JSONReadable {
            init(_ number: Int) throws {
                guard number % 2 > 0 else { return }
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "odd"))
            }
            init(from reader: inout JSONReader) throws { try self.init(try reader.read(Int.self)) }
            init(from decoder: any Decoder) throws {
                try self.init(try decoder.singleValueContainer().decode(Int.self))
            }
        }
        let places = ["invalidValue /1 3", "invalidValue /2 5", "typeMismatch /3 7"]
        #expect(Self.read([Even].self, "[2,1,3,[]]")?.places == places)
        #expect(Self.decoded([Even].self, "[2,1,3,[]]")?.places == places)
        #expect(Self.decoded([Throughout<Even>].self, "[2,1,3,[]]")?.places == places)
    }

    @Test func aHundredAreKeptAndAllAreCounted() throws {
        let elements = (0..<300).map { $0 % 3 == 0 ? "1" : "\"a\"" }.joined(separator: ",")
        let pointers = (0..<300).filter { $0 % 3 != 0 }.map { "/\($0)" }
        for diagnosis in [
            Self.read([Int].self, "[\(elements)]"), Self.decoded([Int].self, "[\(elements)]"),
            Self.decoded([Throughout<Int>].self, "[\(elements)]"),
        ] {
            let found = try #require(diagnosis)
            #expect(([found] + found.further).map(\.pointer) == Array(pointers.prefix(101)))
            #expect(found.furtherCount == 199)
        }
        let rows = Self.decoded(
            [[Int]].self,
            "[\(Array(repeating: "[\(elements)]", count: 3).joined(separator: ","))]",
        )
        #expect(rows?.further.count == 100 && rows?.furtherCount == 599)
    }

    @Test func whatALossyArrayLosesIsNotAFailure() throws {
        struct Tolerant: Decodable { let rows: LossyArray<[Int]> }
        let notes = DriftNotes()
        var decoder = HikyakuJSONDecoder.noting(notes)
        decoder.collectsFailures = true
        let document = Data(#"[{"rows":[[1],["a","b","c"],2,[3]]}]"#.utf8)
        let read = try decoder.decode([Tolerant].self, from: document)
        #expect(read.map(\.rows.elements) == [[[1], [3]]])
        let texts: [String] = ["lossyElement /0/rows/1 Array<Int>", "lossyElement /0/rows/2 Array<Int>"]
        #expect(notes.texts == texts)
        #expect(notes.drifts.map(\.diagnosis?.pointer) == ["/0/rows/1/0", "/0/rows/2"])
        #expect(notes.drifts.map(\.diagnosis?.furtherCount) == [2, 0])
    }

    @Test func placesOfALenientDocumentAreThoseItCameWith() throws {
        var decoder = Self.decoder
        decoder.leniency = [.byteOrderMark, .trailingCommas]
        let document = "\u{FEFF}[         \"a\", 1,\n \"b\", {\"c\": 2},]"
        let diagnosis = try #require(Self.decoded([Int].self, document, decoder))
        #expect(diagnosis.places == ["typeMismatch /0 13", "typeMismatch /2 22", "typeMismatch /3 27"])
        #expect(([diagnosis] + diagnosis.further).map(\.line) == [1, 2, 2])
        #expect(([diagnosis] + diagnosis.further).map(\.column) == [14, 2, 7])
    }

    @Test func convertedKeysAreFoundAgain() {
        struct Named: Decodable { let firstName: String }
        var decoder = Self.decoder
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let document = #"[{"first_name":1},{"first_name":"a"},{"first_name":2}]"#
        let places = ["typeMismatch /0/first_name 15", "typeMismatch /2/first_name 51"]
        #expect(Self.decoded([Named].self, document, decoder)?.places == places)
    }

    /// Each element is decoded once; a search for each one's place from the beginning would take many minutes.
    @Test func manyFailuresTakeNoLongerThanTheirNumber() throws {
        final class Counter: @unchecked Sendable {
            // Touched by the thread of the test alone.
            var count = 0
        }
        struct Counted: Decodable {
            static let key = CodingUserInfoKey(rawValue: "counter")
            init(from decoder: any Decoder) throws {
                Self.key.flatMap { decoder.userInfo[$0] as? Counter }?.count += 1
                _ = try decoder.container(keyedBy: TextKey.self).decode(Int.self, forKey: TextKey("a"))
            }
        }
        struct Outer: Decodable { let list: [Counted] }
        let count = 100_000
        let elements = [String](repeating: #"{"a":""}"#, count: count).joined(separator: ",")
        let counter = Counter()
        var decoder = Self.decoder
        if let key = Counted.key { decoder.userInfo[key] = counter }
        let decoded = Self.decoded(Outer.self, "{\"list\":[\(elements)]}", decoder)
        #expect(decoded?.furtherCount == count - 1 && counter.count == count)
        #expect(decoded?.further.last?.pointer == "/list/100/a")
        let fewer = "[[\([String](repeating: "{}", count: 20_000).joined(separator: ","))]]"
        for diagnosis in [
            Self.read([[DirectItem]].self, fewer), Self.decoded([[Throughout<DirectItem?>]].self, fewer),
        ] {
            #expect(diagnosis?.furtherCount == 19_999 && diagnosis?.further.last?.pointer == "/0/100")
        }
    }
}

extension DecodingDiagnosis {
    private var all: [DecodingDiagnosis] { [self] + further }

    /// Kind, pointer and byte of it and of each further one.
    fileprivate var places: [String] { all.map(\.place) }

    /// The same with the coding path of the error.
    fileprivate var texts: [String] { all.map { "\($0.place) \(pathText($0.error?.context?.codingPath ?? []))" } }

    private var place: String { "\(kind.rawValue) \(pointer) \(byteOffset ?? -1)" }
}
