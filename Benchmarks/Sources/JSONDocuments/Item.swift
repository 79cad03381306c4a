/// What a screen needs of an ``Item``: four of its members.
public struct Summary: Decodable, Sendable {
    /// Unique among the items of a document.
    public var id: Int
    /// A few words, sometimes beyond ASCII.
    public var title: String
    /// Where the item is shown.
    public var url: String
    /// A small number.
    public var likesCount: Int
}

/// What a service lists: keys in the document's own spelling, written out, in the order of the documents.
public struct Item: Codable, Hashable, Sendable {
    /// Unique among the items of a document.
    public var id: Int
    /// A few words, sometimes beyond ASCII.
    public var title: String
    /// A sentence or two, with line ends and quotation marks here and there.
    public var body: String
    /// Where the item is shown.
    public var url: String
    /// Who wrote it.
    public var user: User
    /// None to three words.
    public var tags: [String]
    /// Whether only its author sees it.
    public var isPrivate: Bool
    /// A small number.
    public var likesCount: Int
    /// From 0 to 100, with up to six digits behind the point.
    public var score: Double
    /// ISO 8601 as a text.
    public var createdAt: String
    /// ISO 8601 as a text.
    public var updatedAt: String

    private enum CodingKeys: String, CodingKey {
        case id, title, body, url, user, tags, isPrivate, likesCount, score, createdAt, updatedAt
    }
}

/// Who wrote an item.
public struct User: Codable, Hashable, Sendable {
    /// Several items share one.
    public var id: Int
    /// A first name.
    public var name: String
    /// `null` in half of the documents' users.
    public var location: String?
    /// `null` in most of the documents' users.
    public var website: String?

    private enum CodingKeys: String, CodingKey {
        case id, name, location, website
    }
}
