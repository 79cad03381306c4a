/// A number that JSON has as a string: `"9007199254740993"`.
///
/// Services write large numbers so, since JavaScript would round them. A number without quotation marks is read too;
/// written is always a string.
public struct NumberText<Value: LosslessStringConvertible & Hashable & Sendable>: JSONCodable, Hashable {
    /// The number.
    public var value: Value

    /// Wraps a number.
    public init(_ value: Value) {
        self.value = value
    }

    /// Reads a string that is a number, or a number.
    public init(from reader: inout JSONReader) throws {
        if let number: JSONNumber = reader.readIfPossible(), let value = Value(number.text) {
            self.value = value
            return
        }
        value = try reader.readText(as: "a string with a number", Value.self) { start, count in
            Value(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        }
    }

    /// Writes a string.
    public func write(to writer: inout JSONWriter) throws { try writer.write(value.description) }
}

extension NumberText: CustomStringConvertible {
    /// The number.
    public var description: String { value.description }
}

extension NumberText: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// Wraps an integer.
    public init(integerLiteral value: Value.IntegerLiteralType) { self.init(Value(integerLiteral: value)) }
}

extension NumberText: Comparable where Value: Comparable {
    /// Whether a number is less than another one.
    public static func < (one: Self, other: Self) -> Bool { one.value < other.value }
}
