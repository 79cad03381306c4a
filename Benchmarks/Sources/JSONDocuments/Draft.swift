import Foundation

/// What is sent to a service that makes an item of it.
public struct Draft: Codable, Sendable {
    /// A few words.
    public var title = "A title of a few words"
    /// A sentence.
    public var body = "One sentence is enough for a small body."
    /// Two words.
    public var tags = ["swift", "web"]
    /// Whether only its author sees it.
    public var isPrivate = false

    /// Makes the one that is sent.
    public init() {}
}
