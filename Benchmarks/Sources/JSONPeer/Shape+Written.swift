import Foundation
import HikyakuJSON

// What is written, and what is read by turns of both kinds of type.
extension Shape {
    static func written(_ arguments: Arguments) throws -> Shape {
        switch arguments.name {
        case "encodeFailures":
            return written(arguments, #"{"id":1}"#) {
                try HikyakuJSONEncoder().encode([Scored](repeating: Scored(), count: $0))
            }
        case "writeFailures":
            return written(arguments, #"{"id":1,"scores":[]}"#) {
                try HikyakuJSONEncoder().write([DirectScored](repeating: .init(), count: $0))
            }
        default:
            let document = HostileDocument.below(depth: arguments.depth, bytes: arguments.bytes)
            return Shape(document.bytes, Turn.self) { $0.numbersCount == document.count }
        }
    }

    /// A list of objects, in each of which a value can't be written.
    private static func written(
        _ arguments: Arguments,
        _ element: String,
        _ encode: @escaping (Int) throws -> Data,
    ) -> Shape {
        let count = arguments.bytes / (element.utf8.count + 1)
        return Shape(bytes: arguments.bytes) {
            let written = try encode(count)
            return (
                written, written.count == count * (element.utf8.count + 1) + 1 && written.starts(with: "[{\"id\"".utf8),
            )
        }
    }
}

private struct Scored: Encodable {
    private enum CodingKeys: String, CodingKey { case id, score }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(1, forKey: .id)
        try? container.encode(Double.nan, forKey: .score)
    }
}

private struct DirectScored: JSONWritable {
    func write(to writer: inout JSONWriter) throws {
        try writer.beginObject()
        try writer.member("id", 1)
        try writer.member("scores", Scores())
        try writer.endObject()
    }
}

/// An array of a value that can't be written, which is left out.
private struct Scores: JSONWritable {
    func write(to writer: inout JSONWriter) throws {
        try writer.writeArray { try? $0.write(Double.nan) }
    }
}

/// Is read as `Codable` says, and what is next by itself.
private final class Turn: Decodable {
    let next: DirectTurn?
    let numbers: [Int]?

    var numbersCount: Int { numbers?.count ?? next?.next?.numbersCount ?? next?.numbers?.count ?? 0 }
}

/// Reads itself, and what is next as `Codable` says.
private struct DirectTurn: JSONReadable, Decodable {
    var next: Turn?
    var numbers: [Int]?

    init(from reader: inout JSONReader) throws {
        try reader.beginObject()
        next = try reader.member("next")
        numbers = try reader.member("numbers")
        try reader.endObject()
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: TurnKey.self)
        next = try container.decodeIfPresent(Turn.self, forKey: .next)
        numbers = try container.decodeIfPresent([Int].self, forKey: .numbers)
    }

    private enum TurnKey: String, CodingKey { case next, numbers }
}
