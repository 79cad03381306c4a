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

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, title, body, url, user, tags, isPrivate, likesCount, score, createdAt, updatedAt
    }

    private static let keys = JSONKeys<CodingKeys>()

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
        var id: Int?, title: String?, body: String?, url: String?, user: DirectUser?, tags: [String]?
        var isPrivate: Bool?, likesCount: Int?, score: Double?
        var createdAt: String?, updatedAt: String?
        try reader.readObject(Self.keys) { key, reader in
            switch key {
            case .id: id = try reader.read(Int.self)
            case .title: title = try reader.read(String.self)
            case .body: body = try reader.read(String.self)
            case .url: url = try reader.read(String.self)
            case .user: user = try reader.read(DirectUser.self)
            case .tags: tags = try reader.read([String].self)
            case .isPrivate: isPrivate = try reader.read(Bool.self)
            case .likesCount: likesCount = try reader.read(Int.self)
            case .score: score = try reader.read(Double.self)
            case .createdAt: createdAt = try reader.read(String.self)
            case .updatedAt: updatedAt = try reader.read(String.self)
            }
        }
        guard let id, let title, let body, let url, let user,
            let tags, let isPrivate, let likesCount, let score, let createdAt,
            let updatedAt
        else {
            throw reader.missing(
                CodingKeys.id,
                .title,
                .body,
                .url,
                .user,
                .tags,
                .isPrivate,
                .likesCount,
                .score,
                .createdAt,
                .updatedAt,
            )
        }
        self.id = id
        self.title = title
        self.body = body
        self.url = url
        self.user = user
        self.tags = tags
        self.isPrivate = isPrivate
        self.likesCount = likesCount
        self.score = score
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension DirectItem: JSONWritable {
    /// Writes an object with the members in the order of the documents.
    public func write(to writer: inout JSONWriter) throws {
        try writer.writeObject { writer in
            try writer.writeMember("id", id)
            try writer.writeMember("title", title)
            try writer.writeMember("body", body)
            try writer.writeMember("url", url)
            try writer.writeMember("user", user)
            try writer.writeMember("tags", tags)
            try writer.writeMember("isPrivate", isPrivate)
            try writer.writeMember("likesCount", likesCount)
            try writer.writeMember("score", score)
            try writer.writeMember("createdAt", createdAt)
            try writer.writeMember("updatedAt", updatedAt)
        }
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

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, location, website
    }

    private static let keys = JSONKeys<CodingKeys>()
}

extension DirectUser: JSONReadable {
    /// Reads an object whose members may come in any order.
    public init(from reader: inout JSONReader) throws {
        var id: Int?, name: String?, location: String?, website: String?
        try reader.readObject(Self.keys) { key, reader in
            switch key {
            case .id: id = try reader.read(Int.self)
            case .name: name = try reader.read(String.self)
            case .location: location = try reader.read(String?.self)
            case .website: website = try reader.read(String?.self)
            }
        }
        guard let id, let name
        else { throw reader.missing(CodingKeys.id, .name) }
        self.id = id
        self.name = name
        self.location = location
        self.website = website
    }
}

extension DirectUser: JSONWritable {
    /// Writes an object without the members that are `nil`.
    public func write(to writer: inout JSONWriter) throws {
        try writer.writeObject { writer in
            try writer.writeMember("id", id)
            try writer.writeMember("name", name)
            try writer.writeMember("location", location)
            try writer.writeMember("website", website)
        }
    }
}
