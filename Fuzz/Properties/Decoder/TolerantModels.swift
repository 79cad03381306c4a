import Foundation
import HikyakuJSON

/// Properties that take whatever a service makes of them.
struct Tolerating: Codable {
    let items: LossyArray<Required>
    let word: OpenEnum<Word>
    let codes: LossyArray<OpenEnum<Word>>?
    @Defaulted.Empty var tags: [String]
    @Defaulted.Zero var size: Int
    @Defaulted.True var isOpen: Bool
    @Defaulted.FirstCase var first: Word
}

/// A model that reads and writes itself.
struct Place: JSONModel {
    let name: String
    let at: Date?
    let picture: Data?
    let size: Double?
    let word: OpenEnum<Word>?
    let numbers: LossyArray<Int>
    let places: [Place]
    let tags: [String]

    init(from reader: inout JSONReader) throws {
        try reader.beginObject()
        name = try reader.member("name")
        at = try reader.member("at")
        picture = try reader.member("picture")
        size = try reader.member("size")
        word = try reader.member("word")
        numbers = try reader.member("numbers", default: [])
        places = try reader.member("places", or: [])
        tags = try reader.member("tags", default: [])
        try reader.endObject()
    }

    func write(to writer: inout JSONWriter) throws {
        try writer.beginObject()
        try writer.member("name", name)
        try writer.member("at", at)
        try writer.member("picture", picture)
        try writer.member("size", size)
        try writer.member("word", word)
        try writer.member("numbers", numbers)
        try writer.member("places", places)
        try writer.member("tags", tags)
        try writer.endObject()
    }
}
