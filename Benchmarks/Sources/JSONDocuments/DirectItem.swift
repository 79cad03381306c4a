import HikyakuJSON

/// An ``Item`` that reads and writes itself where a coder knows how, and is `Codable` to all others.
public struct DirectItem: Codable, Hashable, Sendable {
    /// See ``Item``.
    public var id: Int
    /// See ``Item``.
    public var title: String
    /// See ``Item``.
    public var body: String
    /// See ``Item``.
    public var url: String
    /// See ``Item``.
    public var user: DirectUser
    /// See ``Item``.
    public var tags: [String]
    /// See ``Item``.
    public var isPrivate: Bool
    /// See ``Item``.
    public var likesCount: Int
    /// See ``Item``.
    public var score: Double
    /// See ``Item``.
    public var createdAt: String
    /// See ``Item``.
    public var updatedAt: String

    /// The same values under the other type, to compare.
    public var item: Item {
        Item(
            id: id,
            title: title,
            body: body,
            url: url,
            user: User(id: user.id, name: user.name, location: user.location, website: user.website),
            tags: tags,
            isPrivate: isPrivate,
            likesCount: likesCount,
            score: score,
            createdAt: createdAt,
            updatedAt: updatedAt,
        )
    }
}

extension DirectItem: JSONReadable {
    /// Reads an object whose members may come in any order.
    public init(from reader: inout JSONReader) throws {
        try reader.beginObject()
        self.init(
            id: try reader.member("id"),
            title: try reader.member("title"),
            body: try reader.member("body"),
            url: try reader.member("url"),
            user: try reader.member("user"),
            tags: try reader.member("tags"),
            isPrivate: try reader.member("isPrivate"),
            likesCount: try reader.member("likesCount"),
            score: try reader.member("score"),
            createdAt: try reader.member("createdAt"),
            updatedAt: try reader.member("updatedAt"),
        )
        try reader.endObject()
    }
}

extension DirectItem: JSONWritable {
    /// Writes an object with the members in the order of the documents.
    public func write(to writer: inout JSONWriter) throws {
        try writer.beginObject()
        try writer.member("id", id)
        try writer.member("title", title)
        try writer.member("body", body)
        try writer.member("url", url)
        try writer.member("user", user)
        try writer.member("tags", tags)
        try writer.member("isPrivate", isPrivate)
        try writer.member("likesCount", likesCount)
        try writer.member("score", score)
        try writer.member("createdAt", createdAt)
        try writer.member("updatedAt", updatedAt)
        try writer.endObject()
    }
}

/// A ``User`` that reads and writes itself.
public struct DirectUser: Codable, Hashable, Sendable {
    /// See ``User``.
    public var id: Int
    /// See ``User``.
    public var name: String
    /// See ``User``.
    public var location: String?
    /// See ``User``.
    public var website: String?
}

extension DirectUser: JSONReadable {
    /// Reads an object whose members may come in any order.
    public init(from reader: inout JSONReader) throws {
        try reader.beginObject()
        self.init(
            id: try reader.member("id"),
            name: try reader.member("name"),
            location: try reader.member("location"),
            website: try reader.member("website"),
        )
        try reader.endObject()
    }
}

extension DirectUser: JSONWritable {
    /// Writes an object without the members that are `nil`.
    public func write(to writer: inout JSONWriter) throws {
        try writer.beginObject()
        try writer.member("id", id)
        try writer.member("name", name)
        try writer.member("location", location)
        try writer.member("website", website)
        try writer.endObject()
    }
}
