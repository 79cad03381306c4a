import HikyakuJSON

/// An ``Item`` that reads its members by name, as generated types do.
public struct MemberItem: JSONReadable, Sendable {
    /// See ``Item``.
    public var id: Int
    /// See ``Item``.
    public var title: String
    /// See ``Item``.
    public var body: String
    /// See ``Item``.
    public var url: String
    /// See ``Item``.
    public var user: MemberUser
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
}

extension MemberItem {
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

/// A ``User`` that reads its members by name.
public struct MemberUser: JSONReadable, Sendable {
    /// See ``User``.
    public var id: Int
    /// See ``User``.
    public var name: String
    /// See ``User``.
    public var location: String?
    /// See ``User``.
    public var website: String?
}

extension MemberUser {
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
