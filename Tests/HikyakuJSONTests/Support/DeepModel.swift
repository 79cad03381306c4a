import Foundation
import HikyakuJSON

/// Types that hold themselves, each in its own way through the coders.
enum DeepModel: CaseIterable {
    case node, comment, value, direct, turns, oneOf

    /// A document with a number of arrays and objects inside of each other; the number is even.
    func document(levels: Int) -> Data {
        let (start, middle, end, levelsEach) =
            switch self {
            case .node: (#"{"next":"#, "null", "}", 1)
            case .comment: (Self.commentStart + #","replies":["#, "", "]}", 2)
            case .value: (#"{"a":["#, "", "]}", 2)
            case .direct: (#"{"list":["#, "", "]}", 2)
            case .turns: (#"{"list":["#, "", "]}", 2)
            case .oneOf: (#"{"next":"#, "null", "}", 1)
            }
        let count = levels / levelsEach
        return Data((String(repeating: start, count: count) + middle + String(repeating: end, count: count)).utf8)
    }

    func value(of document: Data) throws -> any Encodable {
        let decoder = HikyakuJSONDecoder()
        return switch self {
        case .node: try decoder.decode(Node.self, from: document)
        case .comment: try decoder.decode(Comment.self, from: document)
        case .value: try decoder.decode(JSONValue.self, from: document)
        case .direct: try decoder.decode(Direct.self, from: document)
        case .turns: try decoder.decode(CodableTurn.self, from: document)
        case .oneOf: try decoder.decode(OneOf.self, from: document)
        }
    }

    func encoded(_ value: any Encodable) throws -> Data {
        try HikyakuJSONEncoder().encode(value)
    }

    private static let commentStart = #"""
        {"id":1,"author":{"id":1,"name":"x"},"body":"x","createdAt":"2026-11-21T09:30:00Z","likes":1,"score":1,\#
        "tags":[],"isPinned":true
        """#
}

extension DeepModel {
    final class Node: Codable {
        var next: Node?
    }

    struct Comment: Codable {
        struct Author: Codable {
            var id: Int
            var name: String
            var avatar: URL?
            var joined: Date?
        }

        var id: Int
        var parent: Int?
        var author: Author
        var body: String
        var html: String?
        var createdAt: Date
        var updatedAt: Date?
        var url: URL?
        var likes: Int
        var dislikes: Int?
        var score: Double
        var tags: [String]
        var isPinned: Bool
        var isDeleted: Bool?
        var uuid: UUID?
        var labels: [String: String]?
        var language: String?
        var replies: [Comment]
    }

    struct Direct: JSONModel {
        var list: [Direct] = []

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            list = try reader.member("list", or: [])
            try reader.endObject()
        }

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.member("list", list)
            try writer.endObject()
        }
    }

    struct CodableTurn: Codable {
        var list: [DirectTurn]
    }

    struct DirectTurn: JSONReadable, JSONWritable, Codable {
        var list: [CodableTurn] = []

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            let list: [CodableTurn]? = try reader.member("list")
            self.list = list ?? []
            try reader.endObject()
        }

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.member("list", list)
            try writer.endObject()
        }
    }

    /// Hands its decoder and encoder on to a model, which comes back to it.
    indirect enum OneOf: Codable {
        case part(Part)

        init(from decoder: any Decoder) throws { self = .part(try Part(from: decoder)) }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .part(let part): try part.encode(to: encoder)
            }
        }
    }

    struct Part: JSONModel {
        var next: OneOf?

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            next = try reader.member("next")
            try reader.endObject()
        }

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.member("next", next)
            try writer.endObject()
        }
    }
}
