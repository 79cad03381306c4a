import Foundation
import Testing

@testable import HikyakuJSON

/// What is written by `member` is what is written by closures.
@Suite struct MemberWritingTests {
    private struct Failed: Error {}

    private struct Item: JSONWritable {
        var id = 1
        var name: String? = "a \"quoted\" ä"
        var note: String?
        var list: [Item] = []
        var others: [String: JSONValue] = [:]
        var fails = false

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.member("zeta", id)
            try writer.member("a \"name\"\n", name)
            try writer.member("note", note)
            try writer.member("list", list)
            if fails { throw Failed() }
            try writer.otherMembers(others)
            try writer.endObject()
        }
    }

    private struct ByClosure: JSONWritable {
        let item: Item

        func write(to writer: inout JSONWriter) throws {
            try writer.writeObject { writer in
                try writer.writeMember("zeta", item.id)
                try writer.writeMember("a \"name\"\n", item.name)
                try writer.writeMember("note", item.note)
                try writer.writeMember("list", item.list.map { ByClosure(item: $0) })
                for (key, value) in item.others.sorted(by: { $0.key < $1.key }) { try writer.writeMember(key, value) }
            }
        }
    }

    private static let items = [
        Item(), Item(name: nil, note: "b"),
        Item(list: [Item(), Item(list: [Item(id: 3)])], others: ["x": 1, "b": [2]]),
    ]

    @Test(
        arguments: [[], .prettyPrinted, .sortedKeys, [.prettyPrinted, .sortedKeys]]
            as [HikyakuJSONEncoder.OutputFormatting]
    )
    func bothFormsWriteTheSame(_ formatting: HikyakuJSONEncoder.OutputFormatting) throws {
        var encoder = HikyakuJSONEncoder()
        encoder.outputFormatting = formatting
        for item in Self.items {
            #expect(try encoder.write(item) == encoder.write(ByClosure(item: item)))
        }
        #expect(try encoder.write(Self.items) == encoder.write(Self.items.map { ByClosure(item: $0) }))
    }

    @Test func anObjectThatFailsIsLeftOut() throws {
        struct Some: JSONWritable {
            func write(to writer: inout JSONWriter) throws {
                try writer.writeArray { writer in
                    try? writer.write([Item(fails: true)])
                    try? writer.write(Item(fails: true))
                    try writer.write(Item(name: nil))
                    try? writer.write(["x": Item(list: [Item(fails: true)])])
                }
            }
        }
        let text = String(decoding: try HikyakuJSONEncoder().write(Some()), as: UTF8.self)
        #expect(text == #"[{"zeta":1,"list":[]}]"#)
    }

    @Test func anObjectIsEndedWhereItWasBegun() {
        struct Wrong: JSONWritable {
            let write: @Sendable (inout JSONWriter) throws -> Void
            func write(to writer: inout JSONWriter) throws { try write(&writer) }
        }
        let encoder = HikyakuJSONEncoder()
        #expect(throws: EncodingError.self) { try encoder.write(Wrong { try $0.endObject() }) }
        #expect(throws: EncodingError.self) { try encoder.write(Wrong { try $0.member("a", 1) }) }
        #expect(throws: EncodingError.self) { try encoder.write(Wrong { try $0.beginObject() }) }
        #expect(throws: EncodingError.self) {
            try encoder.write(Wrong { writer in try writer.writeObject { try $0.endObject() } })
        }
        #expect(throws: Never.self) {
            try encoder.write(
                Wrong {
                    try $0.beginObject(); try $0.endObject()
                }
            )
        }
    }
}
