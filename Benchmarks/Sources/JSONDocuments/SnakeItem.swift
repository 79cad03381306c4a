/// An ``Item`` of documents with keys such as `likes_count`, which the coders convert.
public struct SnakeItem: Codable, Hashable, Sendable {
    /// See ``Item``.
    public var id: Int
    /// See ``Item``.
    public var title: String
    /// See ``Item``.
    public var body: String
    /// See ``Item``.
    public var url: String
    /// See ``Item``.
    public var user: User
    /// See ``Item``.
    public var tags: [String]
    /// `is_private` in the document.
    public var isPrivate: Bool
    /// `likes_count` in the document.
    public var likesCount: Int
    /// See ``Item``.
    public var score: Double
    /// `created_at` in the document.
    public var createdAt: String
    /// `updated_at` in the document.
    public var updatedAt: String

    /// The same values under the other type, to compare.
    public var item: Item {
        Item(
            id: id,
            title: title,
            body: body,
            url: url,
            user: user,
            tags: tags,
            isPrivate: isPrivate,
            likesCount: likesCount,
            score: score,
            createdAt: createdAt,
            updatedAt: updatedAt,
        )
    }
}
