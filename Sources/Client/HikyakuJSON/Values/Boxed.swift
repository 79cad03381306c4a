/// A value that is stored outside of its owner, so that a type can contain itself.
///
/// ```swift
/// struct Category: JSONReadable, Sendable {
///     let name: String
///     let parent: Boxed<Category>?
///
///     init(from reader: inout JSONReader) throws {
///         try reader.beginObject()
///         name = try reader.member("name")
///         parent = try reader.member("parent")
///         try reader.endObject()
///     }
/// }
/// let soups = try HikyakuJSONDecoder().read(Category.self, from: bytes)
/// show(soups.parent?.value.name)
/// ```
/// It reads and writes the value alone.
public struct Boxed<Value: Sendable>: Sendable {
    private indirect enum Storage: Sendable {
        case value(Value)
    }

    private var storage: Storage

    /// The value.
    public var value: Value {
        get {
            switch storage {
            case .value(let value): value
            }
        }
        set { storage = .value(newValue) }
    }

    /// Boxes a value.
    public init(_ value: Value) {
        storage = .value(value)
    }
}

extension Boxed: JSONReadable where Value: JSONReadable {
    /// Reads the value.
    public init(from reader: inout JSONReader) throws { self.init(try reader.read(Value.self)) }
}

extension Boxed: JSONWritable where Value: JSONWritable {
    /// Writes the value.
    public func write(to writer: inout JSONWriter) throws { try writer.write(value) }
}

extension Boxed: Equatable where Value: Equatable {
    /// Compares the values.
    public static func == (one: Self, other: Self) -> Bool { one.value == other.value }
}

extension Boxed: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
