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

    private enum Key: String, CaseIterable { case name, at, picture, size, word, numbers, places, tags }
    private static let keys = JSONKeys<Key>()

    init(from reader: inout JSONReader) throws {
        var name: String?, at: Date?, picture: Data?, size: Double?, word: OpenEnum<Word>?
        var numbers: LossyArray<Int>?, places: [Place]?, tags: [String]?
        try reader.readObject(Self.keys) { key, reader in
            switch key {
            case .name: name = try reader.read()
            case .at: at = try reader.read()
            case .picture: picture = try reader.read()
            case .size: size = try reader.read()
            case .word: word = try reader.read()
            case .numbers: numbers = try reader.read()
            case .places: places = try reader.read()
            case .tags: tags = try reader.read()
            }
        }
        guard let name else { throw reader.missing(Key.name) }
        (self.name, self.at, self.picture, self.size, self.word) = (name, at, picture, size, word)
        self.numbers = reader.defaulted(numbers, Key.numbers, to: [])
        self.places = places ?? []
        self.tags = reader.defaulted(tags, Key.tags, to: [])
    }

    func write(to writer: inout JSONWriter) throws {
        try writer.writeObject { writer in
            try writer.writeMember("name", name)
            try writer.writeMember("at", at)
            try writer.writeMember("picture", picture)
            try writer.writeMember("size", size)
            try writer.writeMember("word", word)
            try writer.writeMember("numbers", numbers)
            try writer.writeMember("places", places)
            try writer.writeMember("tags", tags)
        }
    }
}
