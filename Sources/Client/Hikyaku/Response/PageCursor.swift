public import HikyakuBase

/// The position of a page in a list, from which a walk can be continued later, also by another process.
///
/// ```swift
/// var saved: PageCursor?
/// for try await page in client.bind(Shop.Dishes()).pages(from: saved) {
///     store(page.items)
///     saved = page.next     // Codable: {"value":"3"} or {"link":"https://shop.example/dishes?page=3"}
/// }
/// ```
/// It holds what the service has sent for the next page: a number, a cursor, or a URL. A credential that the client
/// puts into the query is removed. Whatever else the service writes into its links or cursors is kept, so store it like
/// other data of the account. Whether it is still valid tomorrow is up to the service. Printing it shows neither a
/// cursor nor the values of a URL's query.
///
/// A cursor from somewhere else is as trustworthy as its source: one with a URL decides where a request is sent, by the
/// rules of ``RequestPath/url(_:)-(URL)``.
public struct PageCursor: Sendable, Hashable {
    /// The maximum size in bytes: 16 KiB.
    public static let bytesMax = 16 * 1024

    enum Position: Sendable, Hashable {
        /// The text of an absolute URL.
        case link(ByteText)
        /// What the request's ``Paging`` writes into the request.
        case value(ByteText)

        var text: String {
            switch self {
            case .link(let text), .value(let text): text.text
            }
        }
    }

    let position: Position

    var isTooLong: Bool { position.text.utf8.count > Self.bytesMax }
}

extension PageCursor: Codable {
    private enum CodingKeys: String, CodingKey {
        case link
        case value
    }

    /// Reads what ``encode(to:)`` has written.
    ///
    /// - Throws: `DecodingError` if it is neither a link nor a value, or longer than ``bytesMax``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let link = try container.decodeIfPresent(String.self, forKey: .link) {
            position = .link(ByteText(link))
        } else {
            position = .value(ByteText(try container.decode(String.self, forKey: .value)))
        }
        guard !isTooLong else {
            let problem = "a cursor has at most \(Self.bytesMax) bytes"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
        }
    }

    /// Writes an object with one member: `link` or `value`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch position {
        case .link(let text): try container.encode(text.text, forKey: .link)
        case .value(let text): try container.encode(text.text, forKey: .value)
        }
    }
}

extension PageCursor: Redacted {
    /// `https://a.example/items?page=…`, or `a value of 1 byte`.
    public var description: String {
        switch position {
        case .link(let text): HTTPRequest(method: .get, urlText: text.text, headers: [:]).shownURL
        case .value(let text): "a value of \(text.text.utf8.count == 1 ? "1 byte" : "\(text.text.utf8.count) bytes")"
        }
    }
}
