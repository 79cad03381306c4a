import Foundation

/// An ``Item`` whose dates are decoded.
public struct DatedItem: Codable, Hashable, Sendable {
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
    /// See ``Item``.
    public var isPrivate: Bool
    /// See ``Item``.
    public var likesCount: Int
    /// See ``Item``.
    public var score: Double
    /// Whole seconds, so that `JSONDecoder`'s `.iso8601` reads it too.
    public var createdAt: Date
    /// Whole seconds.
    public var updatedAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, title, body, url, user, tags, isPrivate, likesCount, score, createdAt, updatedAt
    }
}
