import Foundation

/// The documents that all contestants read: the same bytes on every machine and in every run.
public struct Document: Sendable {
    /// How the members of objects are spelt.
    public enum Keys: Sendable {
        /// `likesCount`.
        case camel
        /// `likes_count`.
        case snake
        /// `likesCount`, with the members of each object in another order.
        case shuffled
    }

    /// JSON without white space.
    public let bytes: Data
    /// How many items it holds.
    public let itemCount: Int

    /// One item as an object, of exactly 315 bytes where the keys are in camel case.
    public static func small(_ keys: Keys = .camel) -> Document {
        var generator = ItemGenerator(keys: keys)
        return Document(bytes: Data(generator.nextItem(bytes: 315).utf8), itemCount: 1)
    }

    /// An array of items, about 29 KB: one page of a list.
    public static func medium(_ keys: Keys = .camel) -> Document { list(itemCount: 86, keys) }

    /// An array of items, about 3 MB.
    public static func large(_ keys: Keys = .camel) -> Document { list(itemCount: 8900, keys) }

    /// An array of items with about `bytes` bytes in all; beyond 3 MB the same items come again.
    public static func list(bytes: Int) -> Document {
        let large = large()
        guard bytes > large.bytes.count else { return list(itemCount: bytes * large.itemCount / large.bytes.count + 1) }
        let count = (bytes + large.bytes.count - 1) / large.bytes.count
        let items = large.bytes.dropFirst().dropLast()
        var list = Data("[".utf8)
        list.reserveCapacity(count * large.bytes.count)
        for index in 0..<count {
            if index > 0 { list += Data(",".utf8) }
            list += items
        }
        return Document(bytes: list + Data("]".utf8), itemCount: count * large.itemCount)
    }

    /// An array of as many items as wanted.
    public static func list(itemCount: Int, _ keys: Keys = .camel) -> Document {
        var generator = ItemGenerator(keys: keys)
        var text = "["
        for index in 0..<itemCount {
            if index > 0 { text += "," }
            text += generator.nextItem()
        }
        return Document(bytes: Data((text + "]").utf8), itemCount: itemCount)
    }
}
