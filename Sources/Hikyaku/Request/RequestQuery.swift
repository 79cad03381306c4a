/// The items of a query, a form, or of `parameters`, in the order in which they are written.
///
/// ```swift
/// ["page": page, "tag": tag, "ids": [1, 2], "filter": .object(["state": "open"])]
/// ```
/// writes `page=1&ids=1&ids=2&filter%5Bstate%5D=open` when `tag` is `nil`. Names may repeat. A `+` in a value is
/// written as `%2B`, a space as `%20`, and everything that isn't ASCII as its UTF-8 bytes.
///
/// [RFC 3986, section 3.4](https://www.rfc-editor.org/rfc/rfc3986#section-3.4)
public struct RequestQuery: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    struct Item: Sendable, Hashable {
        let name: String
        let value: QueryItemValue
    }

    private(set) var items: [Item]

    /// Makes a query without an item.
    public init() {
        items = []
    }

    /// Makes a query of a literal; items whose value is `nil` are left out.
    public init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
        items = elements.map { Item(name: $0.0, value: $0.1?.queryItemValue ?? .none) }
    }

    /// Adds an item behind the others; `nil` adds none.
    public mutating func append(_ name: String, _ value: (any QueryValue)?) {
        items.append(Item(name: name, value: value?.queryItemValue ?? .none))
    }

    /// The items of both, those on the left first.
    public static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.items += right.items
        return sum
    }

    /// Whether there is nothing to write.
    public var isEmpty: Bool { items.allSatisfy { $0.value == .none } }
}

extension RequestQuery: CustomStringConvertible, CustomReflectable {
    /// The names alone: values may be secrets.
    public var description: String { items.map { "\($0.name)=…" }.joined(separator: "&") }

    /// The names alone, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["names": items.map(\.name)]) }
}
