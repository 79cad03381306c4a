import HikyakuBase
import HikyakuHTTP

/// Name and value pairs of a query or a form, decoded, in the order in which they came.
///
/// `+` is read as a space, as servers do.
public struct MockQuery: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    /// One pair.
    public struct Item: Sendable, Hashable {
        /// What stands before the first `=`.
        public var name: String
        /// What stands behind it; empty where there is no `=`.
        public var value: String

        /// Compares by bytes.
        public static func == (left: Self, right: Self) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value)
        }

        /// Feeds both texts.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ByteText(name))
            hasher.combine(ByteText(value))
        }

        /// Makes a pair of decoded texts.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var items: [Item]

    /// Makes pairs of a literal, to compare with; names may repeat.
    public init(dictionaryLiteral elements: (String, String)...) {
        items = elements.map { Item(name: $0.0, value: $0.1) }
    }

    init(encoded text: some StringProtocol) {
        items = text.byteSplit(separator: "&").map { item in
            let parts = item.byteSplit(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Item(
                name: PercentCoding.repairedText(of: parts[0].utf8, plusIsSpace: true),
                value: parts.count > 1 ? PercentCoding.repairedText(of: parts[1].utf8, plusIsSpace: true) : "",
            )
        }
    }

    /// The first value of a name; `nil` where there is none.
    public subscript(name: String) -> String? {
        items.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// Each value of a name, in order.
    public func values(for name: String) -> [String] {
        items.filter { $0.name.hasSameBytes(as: name) }.map(\.value)
    }

    /// Where the first pair stands.
    public var startIndex: Int { items.startIndex }
    /// One past the last pair.
    public var endIndex: Int { items.endIndex }
    /// The pair at a place.
    public subscript(position: Int) -> Item { items[position] }
}
