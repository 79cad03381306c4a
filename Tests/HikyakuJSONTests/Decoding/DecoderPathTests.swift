import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// The coding path at every place, which is Foundation's.
@Suite struct DecoderPathTests {
    /// A value of any kind that records its coding path in each of the possible ways.
    private struct Place: Decodable {
        let paths: [String]

        init(from decoder: any Decoder) throws {
            var paths = [pathText(decoder.codingPath)]
            if let object = try? decoder.container(keyedBy: TextKey.self) {
                paths.append("object " + pathText(object.codingPath))
                for key in object.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                    paths += try object.decode(Place.self, forKey: key).paths
                    paths.append(pathText(try object.superDecoder(forKey: key).codingPath))
                }
            } else if var array = try? decoder.unkeyedContainer() {
                while !array.isAtEnd {
                    paths.append("\(array.currentIndex) of " + pathText(array.codingPath))
                    paths += try array.decode(Place.self).paths
                }
            } else {
                let single = try decoder.singleValueContainer()
                paths.append("single " + pathText(single.codingPath))
            }
            self.paths = paths
        }
    }

    private static let document = #"""
        {"a":1,"":[],"b":[{"c":null,"d\u0065":[[],[1,{"f":{}}]]},"x"],"Index 0":{"0":[0]},"a/b~":{"\"":[true]}}
        """#

    private func expectSame(_ document: String, _ comment: Comment? = nil) {
        let paths = HikyakuJSONDecoder().outcome(Place.self, document).value?.paths
        #expect(paths != nil && paths == JSONDecoder().outcome(Place.self, document).value?.paths, comment)
    }

    @Test func eachPlaceKnowsItsPath() {
        expectSame(Self.document)
        let paths = HikyakuJSONDecoder().outcome(Place.self, Self.document).value?.paths
        #expect(paths?.contains("/b/Index 0/de/Index 1/Index 1/f") == true)
        #expect(paths?.contains("/a/b~/\"/Index 0") == true)
    }

    @Test func placesInGeneratedDocumentsKnowTheirPaths() {
        let seed = testSeed()
        var documents = DocumentGenerator(seed: seed)
        for _ in 0..<200 {
            let document = documents.next()
            expectSame(document, "seed \(seed): \(document)")
        }
    }

    @Test func codingPathsAreReadInAnyOrder() throws {
        final class Box: @unchecked Sendable {
            // Touched by the thread of the test alone.
            var decoders: [any Decoder] = []
        }
        struct Keeping: Decodable {
            static let key = CodingUserInfoKey(rawValue: "box")

            init(from decoder: any Decoder) throws {
                Self.key.flatMap { decoder.userInfo[$0] as? Box }?.decoders.append(decoder)
                if let object = try? decoder.container(keyedBy: TextKey.self) {
                    for key in object.allKeys { _ = try object.decode(Keeping.self, forKey: key) }
                } else if var array = try? decoder.unkeyedContainer() {
                    while !array.isAtEnd { _ = try array.decode(Keeping.self) }
                }
            }
        }
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        var decoder = HikyakuJSONDecoder()
        let box = Box()
        if let key = Keeping.key { decoder.userInfo[key] = box }
        _ = try decoder.undiagnosed(Keeping.self, Data(Self.document.utf8))
        let inOrder = box.decoders.map { pathText($0.codingPath) }
        #expect(inOrder.count == 19)
        for _ in 0..<20 {
            let order = box.decoders.indices.shuffled(using: &random)
            #expect(order.map { pathText(box.decoders[$0].codingPath) } == order.map { inOrder[$0] }, "seed \(seed)")
        }
    }

    @Test func convertedKeysAreInThePathAsTheTypeKnowsThem() {
        struct Inner: Decodable { let innerValue: Int }
        struct Outer: Decodable { let outerList: [Inner], outerMap: [String: Inner]? }
        var ours = HikyakuJSONDecoder()
        ours.keyDecodingStrategy = .convertFromSnakeCase
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        for (document, error) in [
            (
                #"{"outer_list":[{"inner_value":1},{"inner_value":"2"}]}"#,
                "typeMismatch(Int) at /outerList/Index 1/innerValue",
            ),
            (#"{"outer_list":[{"inner_valu":1}]}"#, "keyNotFound(innerValue) at /outerList/Index 0"),
            (
                #"{"outer_list":[],"outer_map":{"a_b":{"inner_value":[]}}}"#,
                "typeMismatch(Int) at /outerMap/a_b/innerValue",
            ),
        ] {
            #expect(ours.outcome(Outer.self, document).error == error)
            #expect(foundation.outcome(Outer.self, document).error == error)
        }
    }

    /// Reads itself directly, and in it a value through containers, whose path begins with the document.
    private struct Direct: JSONReadable, Decodable {
        let paths: [String]

        init(from reader: inout JSONReader) throws {
            var paths: [String] = []
            try reader.readArray { paths += try $0.decode(Place.self).paths }
            self.paths = paths
        }

        init(from decoder: any Decoder) throws {
            // Never called, since the type reads itself.
            paths = []
        }
    }

    @Test(arguments: [
        (#"[1,{"a":[true]}]"#, ""), (#"{"x":[null,[[1,{"a":[true]}]]]}"#, "/x/Index 1/Index 0"),
    ])
    func aValueInsideOfADirectTypeKnowsItsPath(_ document: String, _ around: String) throws {
        let paths = [
            "/Index 0", "single /Index 0", "/Index 1", "object /Index 1", "/Index 1/a", "0 of /Index 1/a",
            "/Index 1/a/Index 0",
            "single /Index 1/a/Index 0", "/Index 1/a",
        ]
        let expected = paths.map { $0.replacing("/Index", with: around + "/Index", maxReplacements: 1) }
        if around.isEmpty {
            #expect(HikyakuJSONDecoder().reading(Direct.self, document).value?.paths == expected)
            #expect(HikyakuJSONDecoder().outcome(Direct.self, document).value?.paths == expected)
        } else {
            struct Outer: Decodable { let x: [[Direct]?] }
            #expect(HikyakuJSONDecoder().outcome(Outer.self, document).value?.x[1]?.first?.paths == expected)
            let direct = HikyakuJSONDecoder().reading([String: [[Direct]?]].self, document).value
            #expect(direct?["x"]?[1]?.first?.paths == expected)
        }
    }

    @Test func aDecoderThatIsKeptKnowsThePathAroundIt() throws {
        struct Kept: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        let document = Data(#"{"a":[0,{"b":{"c":1}}]}"#.utf8)
        var kept: [Kept] = []
        try HikyakuJSONDecoder().undiagnosed(document) { reader in
            try reader.readObject { _, reader in
                try reader.readArray { kept.append(try $0.decode(Kept.self)) }
            }
        }
        #expect(kept.map { pathText($0.decoder.codingPath) } == ["/a/Index 0", "/a/Index 1"])
        let inner = try kept[1].decoder.container(keyedBy: TextKey.self).superDecoder(forKey: "b")
        #expect(pathText(inner.codingPath) == "/a/Index 1/b")
    }

    @Test func functionsOfStrategiesKnowThePath() throws {
        final class Box: @unchecked Sendable {
            // Touched by the thread of the test alone.
            var paths: [String] = []
        }
        struct Dates: Decodable {
            let date: Date, maybe: Date?, list: [Date], map: [String: Date?], set: Set<Date>, bytes: [Data]
        }
        let box = Box()
        var ours = HikyakuJSONDecoder()
        ours.dateDecodingStrategy = .custom {
            box.paths.append(pathText($0.codingPath))
            return Date(timeIntervalSince1970: try $0.singleValueContainer().decode(Double.self))
        }
        ours.dataDecodingStrategy = .custom {
            box.paths.append(pathText($0.codingPath))
            return Data(try $0.singleValueContainer().decode(String.self).utf8)
        }
        let document = #"[{"date":1,"maybe":2,"list":[3,4],"map":{"a":5,"b":null},"set":[6],"bytes":["7"]}]"#
        #expect(ours.outcome([Dates].self, document).value?.first?.list.last == Date(timeIntervalSince1970: 4))
        #expect(
            box.paths
                == ["date", "maybe", "list/Index 0", "list/Index 1", "map/a", "set/Index 0", "bytes/Index 0"].map {
                    "/Index 0/\($0)"
                }
        )
        box.paths = []
        #expect(ours.outcome([Date?].self, "[1,null,2]").value?.count == 3)
        #expect(ours.reading([String: [Date]].self, #"{"a":[1],"b":[2,3]}"#).value?.count == 2)
        #expect(box.paths == ["/Index 0", "/Index 2", "/a/Index 0", "/b/Index 0", "/b/Index 1"])
        #expect(ours.outcome([Date].self, #"[1,"2"]"#).error == "typeMismatch(Double) at /Index 1")
    }

    @Test func aPathIsFoundFastInALongArray() throws {
        // In each element; a search from the beginning would take a minute.
        struct Path: Decodable {
            let last: Int?
            init(from decoder: any Decoder) throws { last = decoder.codingPath.last?.intValue }
        }
        struct Direct: JSONReadable {
            let last: Int?
            init(from reader: inout JSONReader) throws { last = try reader.decode(Path.self).last }
        }
        let count = 20_000
        let document = Data(("[" + String(repeating: "{},", count: count - 1) + "{}]").utf8)
        #expect(try HikyakuJSONDecoder().undiagnosed([Path].self, document).map(\.last) == Array(0..<count))
        #expect(
            try HikyakuJSONDecoder().undiagnosed(document) { try $0.read([Direct].self) }.map(\.last)
                == Array(0..<count)
        )
    }

    /// Reads the paths of all elements of several arrays, alternating between the arrays.
    private struct InTurn: Decodable {
        let paths: [String]
        let levelCount: Int?

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: TextKey.self)
            var arrays = try object.allKeys.map { try object.nestedUnkeyedContainer(forKey: $0) }
            var paths: [String] = []
            while !arrays[0].isAtEnd {
                for index in arrays.indices { paths.append(pathText(try arrays[index].superDecoder().codingPath)) }
            }
            self.paths = paths
            levelCount = (decoder as? ValueDecoder)?.session.trailLevelCount
        }
    }

    @Test(arguments: [1, 2, 5, 20])
    func severalArraysAreGoneThroughOnceEachInTurn(_ count: Int) throws {
        let length = 500
        let array = "[" + Array(repeating: "0", count: length).joined(separator: ",") + "]"
        let document = "{" + (0..<count).map { "\"\($0)\":\(array)" }.joined(separator: ",") + "}"
        let found = try HikyakuJSONDecoder().undiagnosed(InTurn.self, Data(document.utf8))
        #expect(found.paths == (0..<length).flatMap { index in (0..<count).map { "/\($0)/Index \(index)" } })
        // One in the array and one in the object, whatever comes before.
        #expect(try #require(found.levelCount) <= 2 * count * length + 1)
    }

    /// Fails at each element of an array deep inside of others.
    private struct Deep: Decodable {
        var levelCount: Int?
        var lastPath = ""

        init(from decoder: any Decoder) throws {
            var array = try decoder.unkeyedContainer()
            for _ in 1..<100 { array = try array.nestedUnkeyedContainer() as any UnkeyedDecodingContainer }
            while !array.isAtEnd {
                lastPath = DecodingOutcome<Int> { try array.decode(Int.self) }.error ?? ""
                _ = try array.decode(String.self)
            }
            levelCount = (decoder as? ValueDecoder)?.session.trailLevelCount
        }
    }

    @Test func theWayIsGoneOnceForAllElements() throws {
        let elements = Array(repeating: #""x""#, count: 1000).joined(separator: ",")
        let document = String(repeating: "[", count: 100) + elements + String(repeating: "]", count: 100)
        let found = try HikyakuJSONDecoder().undiagnosed(Deep.self, Data(document.utf8))
        #expect(found.lastPath == "typeMismatch(Int) at " + String(repeating: "/Index 0", count: 99) + "/Index 999")
        #expect(found.levelCount == 99 + 1000)
    }

    @Test func aPathIsOnePieceOfMemory() throws {
        #expect(MemoryLayout<JSONCodingKey>.size <= 3 * MemoryLayout<Int>.size)
        struct Twice: Decodable {
            let addresses: [UnsafeRawPointer?]

            init(from decoder: any Decoder) throws {
                let paths = [decoder.codingPath, decoder.codingPath]
                addresses = paths.map { path in path.withUnsafeBytes { $0.baseAddress } }
            }
        }
        // Code that tries one kind of value after another reads the same path each time.
        for value in try HikyakuJSONDecoder().undiagnosed([[Twice]].self, Data("[[1],[2,3]]".utf8)).joined() {
            #expect(value.addresses[0] == value.addresses[1])
        }
    }

    /// Fails twice in an object whose keys are converted on the first use.
    @Test func aPathHasTheKeysOfTheTypeEvenIfItWasReadBefore() throws {
        struct Inner: Decodable {
            let paths: [String]

            init(from decoder: any Decoder) throws {
                let values = try decoder.singleValueContainer()
                let error = DecodingOutcome { try values.decode([String: [String: Int]].self) }.error ?? ""
                let object = try decoder.container(keyedBy: TextKey.self)
                let inner = try object.nestedContainer(keyedBy: TextKey.self, forKey: TextKey("someKey"))
                paths = [
                    error, pathText(inner.codingPath),
                    DecodingOutcome { try inner.decode(Int.self, forKey: TextKey("otherKey")) }.error ?? "",
                    DecodingOutcome { try values.decode([String: [String: Int]].self) }.error ?? "",
                ]
            }
        }
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let document = Data(#"[{"some_key":{"other_key":"x"}}]"#.utf8)
        #expect(
            try decoder.undiagnosed([Inner].self, document)[0].paths == [
                "typeMismatch(Int) at /Index 0/some_key/other_key", "/Index 0/someKey",
                "typeMismatch(Int) at /Index 0/someKey/otherKey", "typeMismatch(Int) at /Index 0/someKey/otherKey",
            ]
        )
    }

    /// The path to a value, kept with its keys.
    private struct KeptPath: Decodable {
        let path: [any CodingKey]

        init(from decoder: any Decoder) throws { path = decoder.codingPath }

        /// Where the text of the first key lies.
        var firstKeyAddress: UnsafeRawPointer? {
            let bytes = path.first?.stringValue.utf8.withContiguousStorageIfAvailable {
                UnsafeRawPointer($0.baseAddress)
            }
            return bytes.flatMap { $0 }
        }
    }

    private struct KeptDirectPath: JSONReadable {
        let kept: KeptPath
        init(from reader: inout JSONReader) throws { kept = try reader.decode(KeptPath.self) }
    }

    private func expectSharedKeys(_ values: [String: [KeptPath]]?, _ names: [String]) {
        #expect(values.map { Set($0.keys) } == Set(names))
        for (name, paths) in values ?? [:] {
            #expect(paths.map { pathText($0.path) } == (0..<20).map { "/\(name)/Index \($0)" })
            #expect(Set(paths.map(\.firstKeyAddress)).count == 1)
        }
    }

    @Test func aKeyAboveManyValuesIsMadeOnce() {
        // Made for each of them, a long key would take as much time as all values together, for each value.
        let names = ["a", "b", "c"].map { String(repeating: $0, count: 100) }
        let values = "[" + String(repeating: "0,", count: 19) + "0]"
        let document = "{" + names.map { "\"\($0)\":\(values)" }.joined(separator: ",") + "}"
        let decoder = HikyakuJSONDecoder()
        expectSharedKeys(decoder.outcome([String: [KeptPath]].self, document).value, names)
        let direct = decoder.reading([String: [KeptDirectPath]].self, document).value
        expectSharedKeys(direct?.mapValues { $0.map(\.kept) }, names)
    }
}
