import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// A value that encodes while another one does.
@Suite struct EncodingReentryTests {
    /// Keeps the container of a value, so that others may write to it.
    private final class Kept: @unchecked Sendable {
        // `@unchecked`: the compiler can't see that a test encodes in one task.
        var container: KeyedEncodingContainer<Key>?
        var paths: [[String]] = []
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Keeping: Encodable {
        let kept: Kept

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            kept.container = container
            try container.encode(1, forKey: Key(stringValue: "first"))
            try container.encode(2, forKey: Key(stringValue: "second"))
        }
    }

    /// The strategy's closure writes to the container whose key it converts.
    @Test func aClosureThatConvertsKeysMayEncode() throws {
        let kept = Kept()
        var encoder = HikyakuJSONEncoder()
        encoder.keyEncodingStrategy = .custom { key in
            var container = kept.container
            if key == "second" { try? container?.encode(0, forKey: Key(stringValue: "between")) }
            return key + "!"
        }
        let text = String(decoding: try encoder.encode(Keeping(kept: kept)), as: UTF8.self)
        #expect(text == #"{"first!":1,"between!":0,"second!":2}"#)
    }

    private struct Outer: JSONWritable {
        let kept: Kept

        func write(to writer: inout JSONWriter) throws {
            try writer.writeObject { writer in
                try writer.writeMember("a") { writer in try writer.encode(Middle(kept: kept)) }
            }
        }
    }

    private struct Middle: Encodable {
        let kept: Kept

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            kept.container = container
            try container.encode(Inner(kept: kept), forKey: Key(stringValue: "b"))
        }
    }

    private struct Inner: Codable, JSONWritable {
        var kept: Kept?

        init(kept: Kept) { self.kept = kept }
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}

        func write(to writer: inout JSONWriter) throws {
            try writer.writeArray { writer in try writer.encode(Looking(kept: kept)) }
        }
    }

    private struct Looking: Encodable {
        let kept: Kept?

        func encode(to encoder: any Encoder) throws {
            let path = kept?.container?.codingPath.map(\.stringValue) ?? []
            kept?.paths.append(path)
            var container = encoder.singleValueContainer()
            try container.encode(3)
        }
    }

    /// The bytes of the outer values are with the innermost while that writes, so the outer path may be shorter then.
    @Test func thePathOfAnOuterContainerReadsNoForeignBytes() throws {
        let kept = Kept()
        let text = String(decoding: try HikyakuJSONEncoder().write(Outer(kept: kept)), as: UTF8.self)
        #expect(text == #"{"a":{"b":[3]}}"#)
        #expect(kept.paths.count == 1)
        #expect(["a", "b"].starts(with: kept.paths.first ?? ["none"]))
    }
}
