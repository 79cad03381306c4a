import Foundation
import Testing

@testable import HikyakuJSON

/// Decoders and containers that somebody keeps beyond the call that made them.
@Suite struct KeptDecoderTests {
    private enum Key: String, CodingKey { case id, name, items }

    /// Keeps all that a decoder hands out.
    private struct Kept: Decodable {
        let decoder: any Decoder
        let object: KeyedDecodingContainer<Key>
        let items: any UnkeyedDecodingContainer
        let single: any SingleValueDecodingContainer
        let inner: any Decoder

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            object = try decoder.container(keyedBy: Key.self)
            items = try object.nestedUnkeyedContainer(forKey: .items)
            single = try decoder.singleValueContainer()
            inner = try object.superDecoder(forKey: .items)
        }

        /// The outcome of reading everything.
        var log: [String] {
            get throws {
                var items = items
                let first = try items.nestedContainer(keyedBy: Key.self)
                let other = try decoder.container(keyedBy: Key.self)
                return [
                    "\(try object.decode(Int.self, forKey: .id)) \(try other.decode(String.self, forKey: .name))",
                    "\(try first.decode(Int.self, forKey: .id)) at \(pathText(first.codingPath))",
                    "\(items.currentIndex) of \(items.count ?? -1) at \(pathText(items.codingPath))",
                    "\(try single.decode([String: JSONAny].self).count) \(try inner.unkeyedContainer().count ?? -1)",
                    "\(DecodingOutcome { try object.decode(Int.self, forKey: .name) })",
                    "\(object.allKeys.map(\.rawValue)) \(object.contains(.items))",
                ]
            }
        }
    }

    private static func document(_ id: Int) -> Data {
        Data(#"{"id":\#(id),"name":"some name that is stored outside","items":[{"id":\#(id + 1)},2]}"#.utf8)
    }

    private static func log(_ id: Int) -> [String] {
        [
            "\(id) some name that is stored outside", "\(id + 1) at /items/Index 0", "1 of 2 at /items", "3 2",
            "typeMismatch(Int) at /name", #"["id", "name", "items"] true"#,
        ]
    }

    @Test func whatIsKeptGoesOnToWork() throws {
        // The bytes are freed before anything is read.
        let kept = try (0..<20).map { try HikyakuJSONDecoder().undiagnosed(Kept.self, Self.document($0)) }
        _ = try (0..<20).map { _ in try HikyakuJSONDecoder().undiagnosed(JSONAny.self, Self.document(7)) }
        for (id, value) in kept.enumerated() {
            #expect(try value.log == Self.log(id))
            #expect(try value.log == Self.log(id))
        }
    }

    @Test func whatIsKeptOfAFailedDocumentGoesOnToWork() throws {
        final class Box: @unchecked Sendable {
            // Touched by the thread of the test alone.
            var kept: [Kept] = []
        }
        struct Failing: Decodable {
            struct Failure: Error {}
            static let key = CodingUserInfoKey(rawValue: "box")

            init(from decoder: any Decoder) throws {
                let box = Self.key.flatMap { decoder.userInfo[$0] as? Box }
                box?.kept.append(try Kept(from: decoder))
                throw Failure()
            }
        }
        let box = Box()
        var decoder = HikyakuJSONDecoder()
        if let key = Failing.key { decoder.userInfo[key] = box }
        #expect(throws: Failing.Failure.self) {
            try decoder.undiagnosed([Failing].self, Data("[".utf8) + Self.document(5) + Data("]".utf8))
        }
        #expect(
            try box.kept.map { try $0.log }.first?.dropFirst(4) == [
                "typeMismatch(Int) at /Index 0/name", Self.log(5)[5],
            ]
        )
    }

    @Test func whatIsKeptWorksOnAnotherThread() async throws {
        struct Handover: @unchecked Sendable {
            // One thread has it at a time.
            let kept: Kept
        }
        let handover = Handover(kept: try HikyakuJSONDecoder().undiagnosed(Kept.self, Self.document(3)))
        let log = try await Task.detached { try handover.kept.log }.value
        #expect(log == Self.log(3))
    }

    @Test func whatIsKeptOfOneElementStaysWhileOthersAreDecoded() throws {
        let documents = (0..<40).map { String(decoding: Self.document($0), as: UTF8.self) }
        let kept = try HikyakuJSONDecoder()
            .undiagnosed([Kept].self, Data("[\(documents.joined(separator: ","))]".utf8))
        for (id, value) in kept.enumerated() {
            #expect(try value.object.decode(Int.self, forKey: .id) == id)
            #expect(pathText(value.object.codingPath) == "/Index \(id)")
            #expect(pathText(value.items.codingPath) == "/Index \(id)/items")
        }
    }

    @Test func whatADirectTypeKeepsGoesOnToWork() throws {
        struct Direct: JSONReadable {
            let kept: [Kept]
            init(from reader: inout JSONReader) throws {
                var kept: [Kept] = []
                try reader.readArray { kept.append(try $0.decode(Kept.self)) }
                self.kept = kept
            }
        }
        let document = Data("[".utf8) + Self.document(1) + Data(",".utf8) + Self.document(2) + Data("]".utf8)
        let kept = try HikyakuJSONDecoder().undiagnosed(document) { try $0.read(Direct.self) }.kept
        #expect(try kept[0].object.decode(Int.self, forKey: .id) == 1)
        #expect(
            try kept[1].decoder.container(keyedBy: Key.self).decode(String.self, forKey: .name).hasSuffix("outside")
        )
    }

    /// A copy for each would take the square of the document's length in memory.
    @Test func allPartsThatAreKeptShareOneCopyOfTheDocument() throws {
        struct Part: Decodable {
            let decoder: any Decoder

            init(from decoder: any Decoder) throws { self.decoder = decoder }

            var address: UnsafePointer<UInt8>? { (decoder as? ValueDecoder)?.session.bytes }
        }
        struct Direct: JSONReadable, Decodable {
            let part: Part
            init(from reader: inout JSONReader) throws { part = try reader.decode(Part.self) }
            // Never called, since the type reads itself.
            init(from decoder: any Decoder) throws { part = try Part(from: decoder) }
        }
        let document = Data(#"[{"id":1},{"id":2},{"id":3}]"#.utf8)
        let decoder = HikyakuJSONDecoder()
        for parts in [
            try decoder.undiagnosed(document) { try $0.read([Direct].self) }.map(\.part),
            try decoder.undiagnosed([Direct].self, document).map(\.part),
            try decoder.undiagnosed([Part].self, document),
        ] {
            #expect(Set(parts.map(\.address)).count == 1)
            #expect(parts[0].address != nil)
            let ids = try parts.map { try $0.decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .id) }
            #expect(ids == [1, 2, 3])
            #expect(parts.map { pathText($0.decoder.codingPath) } == ["/Index 0", "/Index 1", "/Index 2"])
        }
    }

    /// A container holds its session, and must not be held by it in turn.
    @Test func nothingIsKeptForever() throws {
        final class Witness: Sendable {}
        struct Holder: Sendable { let witness: Witness }
        weak var witness: Witness?
        do {
            let strong = Witness()
            witness = strong
            var decoder = HikyakuJSONDecoder()
            let key = try #require(CodingUserInfoKey(rawValue: "witness"))
            // Settings live as long as the session that has them.
            decoder.userInfo[key] = Holder(witness: strong)
            let kept = try decoder.undiagnosed(Kept.self, Self.document(3))
            for _ in 0..<3 {
                #expect(try kept.log == Self.log(3))
                #expect(try kept.decoder.container(keyedBy: TextKey.self).allKeys.count == 3)
            }
        }
        #expect(witness == nil)
    }
}
