#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A number of any size and precision, kept as the digits that it came with
/// ([RFC 8259, section 6](https://www.rfc-editor.org/rfc/rfc8259#section-6)).
///
/// It is turned into a type of Swift when it is asked for one, and `nil` says that the type can't hold it. Two numbers
/// are equal when their values are: `1`, `1.0` and `10e-1`.
public struct JSONNumber: Sendable {
    /// The number as it stands in a document: `12.50`, `1e400`.
    public let text: String

    /// Takes a text that is known to follow the grammar.
    init(unchecked text: String) {
        self.text = text
    }

    /// Takes a number as a document has it.
    ///
    /// - Parameter text: A text that has to follow JSON's grammar: neither `+1`, `.5`, `01` nor `0x1F` do, and there is
    ///   no infinity.
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

    /// Takes any integer.
    public init(_ integer: some BinaryInteger) {
        text = String(integer)
    }

    /// Takes a number by the fewest digits that tell it from its neighbours; `nil` for infinity and for what is none.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        let digits = double.description
        text = digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
    }

    /// Takes a number with all of its digits; `nil` for what is none.
    public init?(_ decimal: Decimal) {
        guard !decimal.isNaN else { return nil }
        text = decimal.description
    }

    /// The number as an integer, if it is one: also of `100.0` and `1e2`.
    public var int: Int? { converted(to: Int.self) }

    /// The nearest number of 64 bits; `nil` where it is beyond all finite ones.
    public var double: Double? { withBytes { DoubleText.double($0, $1) } }

    /// The number with all of its digits; `nil` where it has more than a `Decimal` can hold.
    public var decimal: Decimal? { withBytes { DecimalText.decimal($0, $1) } }

    /// The number as an integer of a type, if that can hold it; it is never rounded.
    public func converted<Value: FixedWidthInteger>(to type: Value.Type) -> Value? {
        withBytes { start, count in
            guard case .value(let value) = IntegerText.integer(type, start, count) else { return nil }
            return value
        }
    }

    /// Lends the text's bytes.
    func withBytes<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result?) -> Result? {
        var copy = text
        return copy.withUTF8 { bytes in bytes.baseAddress.flatMap { body($0, bytes.count) } }
    }
}

extension JSONNumber: Hashable {
    /// Whether both are the same number, in whatever way they are written.
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

    /// Feeds what is the same for all texts of a number.
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
    /// The digits as they came.
    public var description: String { text }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Makes a number of a literal.
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    /// Makes a number of a literal; one that no `Double` can hold is 0.
    public init(floatLiteral value: Double) {
        self = JSONNumber(value) ?? 0
    }
}
