#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A number that JSON has as a string: `"9007199254740993"`.
///
/// ```swift
/// struct Payment: APIModel, Codable {
///     var id: NumberText<UInt64>        // "9007199254740993"
///     var amount: NumberText<Decimal>   // "19.90"
/// }
/// let payment = try HikyakuJSONDecoder().decode(Payment.self, from: bytes)
/// show(payment.id.value)
/// ```
/// Services write large numbers so, since JavaScript would round them. A number without quotation marks is read too;
/// written is always a string, with no more digits than the number needs.
public struct NumberText<Value: TextNumber>: JSONCodable, Hashable {
    /// The number.
    public var value: Value

    /// Wraps a number.
    public init(_ value: Value) {
        self.value = value
    }

    /// Reads a string that is a number, or a number.
    public init(from reader: inout JSONReader) throws {
        if let number: JSONNumber = reader.readIfPossible(), let value = Value(numberText: number.text) {
            self.value = value
            return
        }
        value = try reader.readText(as: "a string with a number", Value.self) { start, count in
            Value(numberText: String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        }
    }

    /// Writes a string.
    public func write(to writer: inout JSONWriter) throws { try writer.write(description) }
}

extension NumberText: CustomStringConvertible {
    /// The number.
    public var description: String { value.numberText }
}

extension NumberText: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// Wraps an integer.
    public init(integerLiteral value: Value.IntegerLiteralType) { self.init(Value(integerLiteral: value)) }
}

extension NumberText: Comparable where Value: Comparable {
    /// Whether a number is less than another one.
    public static func < (one: Self, other: Self) -> Bool { one.value < other.value }
}

/// A number that a ``NumberText`` can have.
///
/// ```swift
/// struct Percentage: TextNumber {
///     var hundredths: Int
///     var numberText: String { "\(hundredths)" }
///
///     init?(numberText: String) {
///         guard let hundredths = Int(numberText), 0...100 ~= hundredths else { return nil }
///         self.hundredths = hundredths
///     }
/// }
/// struct Discount: APIModel, Codable {
///     var rate: NumberText<Percentage>    // "15"
/// }
/// ```
/// Another type that is `LosslessStringConvertible` conforms with an empty extension.
public protocol TextNumber: Hashable, Sendable {
    /// Creates the number that a text is; `nil` for any other text, and for one that the type can't hold.
    init?(numberText: String)

    /// The number as a text.
    var numberText: String { get }
}

extension TextNumber where Self: LosslessStringConvertible {
    /// Creates the number that a text is.
    public init?(numberText: String) { self.init(numberText) }

    /// The number as a text.
    public var numberText: String { description }
}

extension Int: TextNumber {}

extension Int64: TextNumber {}

extension UInt64: TextNumber {}

extension Double: TextNumber {}

extension Decimal: TextNumber {
    /// Creates the number that a text is; `nil` for one that a decimal can't hold without loss.
    public init?(numberText: String) {
        guard let value = JSONNumber(numberText)?.decimal else { return nil }
        self = value
    }

    /// The digits of the number.
    public var numberText: String { description }
}
