/// The items of a query, a form, or of `parameters`, in the order in which query and form are written.
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

    /// A nesting that no service asks for; what is deeper is refused when it is put in, so that no text or memory of it
    /// can grow without end.
    static let depthMax = 32

    private(set) var items: [Item] = []
    private var depth = 1

    /// Makes a query without an item.
    public init() {}

    /// Makes a query of a literal; items whose value is `nil` are left out.
    public init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
        items.reserveCapacity(elements.count)
        for (name, value) in elements { append(name, value) }
    }

    /// Adds an item behind the others; `nil` adds none.
    public mutating func append(_ name: String, _ value: (any QueryValue)?) {
        let value = value?.queryItemValue ?? .none
        let depth = Self.depth(of: value)
        let isTooDeep = depth >= Self.depthMax
        let kept = isTooDeep ? .invalid("is nested more than \(Self.depthMax) deep") : value
        items.append(Item(name: name, value: kept))
        self.depth = max(self.depth, isTooDeep ? 1 : depth + 1)
    }

    private static func depth(of value: QueryItemValue) -> Int {
        switch value {
        case .items(let query): query.depth
        case .values(let values, _): 1 + (values.lazy.map(depth).max() ?? 0)
        default: 0
        }
    }

    /// The items of both, those on the left first.
    public static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.items += right.items
        sum.depth = max(left.depth, right.depth)
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
