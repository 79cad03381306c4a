#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A number of any size and precision, stored as its original digits.
///
/// ```swift
/// let document = try HikyakuJSONDecoder().decode(JSONValue.self, from: bytes)
/// if case .number(let price)? = document["price"] {
///     show(price.text, price.decimal)       // 19.90, with its zero
/// }
/// ```
/// Its grammar is that of [RFC 8259, section 6](https://www.rfc-editor.org/rfc/rfc8259#section-6). It is converted to
/// a Swift type on demand; the result is `nil` if that type can't hold it. Two numbers are equal if their values are
/// equal: `1`, `1.0` and `10e-1`.
public struct JSONNumber: Sendable {
    /// The number as it is written in a document: `12.50`, `1e400`.
    public let text: String

    /// Creates a number from a text that is known to follow the grammar.
    init(unchecked text: String) {
        self.text = text
    }

    /// Creates a number from its JSON text; `nil` if the text is not a JSON number.
    ///
    /// - Parameter text: A text in JSON's number grammar. `+1`, `.5`, `01`, `0x1F` and infinity are not valid.
    public init?(_ text: String) {
        var copy = text
        let isNumber = copy.withUTF8 { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return false }
            let end = start + bytes.count
            return (try? NumberScan.number(from: start, to: end))?.end == end
        }
        guard isNumber else { return nil }
        self.text = copy
    }

    /// Creates a number from any integer.
    public init(_ integer: some BinaryInteger) {
        text = String(integer)
    }

    /// Creates a number with the fewest digits that identify the double; `nil` for infinity and NaN.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        let digits = double.description
        text = digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
    }

    /// Creates a number with all digits of a decimal; `nil` for NaN.
    public init?(_ decimal: Decimal) {
        guard !decimal.isNaN else { return nil }
        text = decimal.description
    }

    /// The number as an integer, if it is one, such as `100.0` and `1e2`.
    public var int: Int? { converted(to: Int.self) }

    /// The nearest `Double`; `nil` if the number is beyond its range.
    public var double: Double? { withBytes { DoubleText.double($0, $1) } }

    /// The number with all its digits; `nil` if it has more than a `Decimal` can hold.
    public var decimal: Decimal? { withBytes { DecimalText.decimal($0, $1) } }

    /// The number as an integer of a type, without rounding; `nil` if the type can't hold it.
    public func converted<Value: FixedWidthInteger>(to type: Value.Type) -> Value? {
        withBytes { start, count in
            guard case .value(let value) = IntegerText.integer(type, start, count) else { return nil }
            return value
        }
    }

    /// Calls a closure with the text's bytes.
    func withBytes<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result?) -> Result? {
        var copy = text
        return copy.withUTF8 { bytes in bytes.baseAddress.flatMap { body($0, bytes.count) } }
    }
}

extension JSONNumber: Hashable {
    /// Returns whether both are the same number, regardless of their text.
    public static func == (first: JSONNumber, second: JSONNumber) -> Bool {
        if first.text == second.text { return true }
        return first.withBytes { firstStart, firstCount in
            second.withBytes { secondStart, secondCount in
                let first = SignificantDigits(firstStart, firstCount)
                let second = SignificantDigits(secondStart, secondCount)
                return !first.isBeyondCounting && first == second
            }
        } ?? false
    }

    /// Hashes the number's value, which is the same for all its texts.
    public func hash(into hasher: inout Hasher) {
        _ = withBytes { start, count in
            let digits = SignificantDigits(start, count)
            guard digits.isBeyondCounting else { return digits.hash(into: &hasher) }
            // Such numbers are compared by their texts, since the exponent was capped.
            hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
        }
    }
}

extension JSONNumber: LosslessStringConvertible {
    /// The digits, unchanged.
    public var description: String { text }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a number from a literal.
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    /// Creates a number from a literal; a literal beyond the range of `Double` becomes 0.
    public init(floatLiteral value: Double) {
        self = JSONNumber(value) ?? 0
    }
}
