/// What a request asks the server to do, as the word that stands first on its request line.
///
/// Any token can be a method: `HTTPMethod("PURGE")`. Case matters on the wire, so `get` and `GET` differ.
///
/// [RFC 9110, section 9](https://www.rfc-editor.org/rfc/rfc9110#section-9)
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The word as it is sent.
    public let rawValue: String

    /// Makes a method of any word; one that is no token is refused as `.invalidRequest` when it would be sent.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a method of any word, as ``init(rawValue:)`` does.
    public init(_ word: String) {
        rawValue = word
    }

    /// Makes a method of a literal, as ``init(rawValue:)`` does.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// Reads a resource; safe and idempotent (RFC 9110, section 9.3.1).
    public static let get = HTTPMethod("GET")
    /// Reads what GET would answer, without the body (section 9.3.2).
    public static let head = HTTPMethod("HEAD")
    /// Hands content to a resource, which does with it what it is made for (section 9.3.3).
    public static let post = HTTPMethod("POST")
    /// Puts the content in the place of the resource's state (section 9.3.4).
    public static let put = HTTPMethod("PUT")
    /// Changes a resource by a description of the change (RFC 5789).
    public static let patch = HTTPMethod("PATCH")
    /// Removes a resource (section 9.3.6).
    public static let delete = HTTPMethod("DELETE")
    /// Asks what can be done with a resource (section 9.3.7).
    public static let options = HTTPMethod("OPTIONS")
    /// Has the server send back what it received (section 9.3.8).
    public static let trace = HTTPMethod("TRACE")

    /// Whether the method only reads, so that a client may send it without being asked (section 9.2.1).
    public var isSafe: Bool {
        self == .get || self == .head || self == .options || self == .trace
    }

    /// Whether sending it twice means the same as sending it once, so that it may be sent again after a failure
    /// (section 9.2.2).
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }

    /// Compares the bytes, so that case matters.
    public static func == (left: Self, right: Self) -> Bool {
        // Few methods are equal to Swift and have other bytes, and its comparison is the faster one for all others.
        left.rawValue == right.rawValue && left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// The word as it is sent, with a mark for each character that no line of text should have.
    public var description: String { Redaction.printable(rawValue) }
}
