public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that can be used in a query, a form or `parameters`.
///
/// ```swift
/// struct DishID: RawRepresentable, QueryValue {
///     var rawValue: Int
/// }
/// let query: RequestQuery = ["after": DishID(rawValue: 42)]  // ?after=42
/// ```
/// Strings, numbers, Booleans, dates, UUIDs, URLs, arrays and optionals of them conform. Your own enum with a raw value
/// conforms with one line: `enum Sort: String, QueryValue { case newest, oldest }`. Any other type returns the item
/// value of one of these: `var queryItemValue: QueryItemValue { cents.queryItemValue }`.
public protocol QueryValue: Sendable {
    /// How the value is written.
    var queryItemValue: QueryItemValue { get }
}

/// How a ``QueryValue`` is written: the item value of a string, a number and so on, or `.list`, `.object`, `.json`,
/// `.allowingReserved`, `.seconds` and `.milliseconds`.
///
/// ```swift
/// struct PriceRange: QueryValue {
///     var min: Int, max: Int
///     var queryItemValue: QueryItemValue { .object(["min": min, "max": max]) }
/// }
/// let query: RequestQuery = ["price": PriceRange(min: 500, max: 900)]  // ?price%5Bmin%5D=500&price%5Bmax%5D=900
/// ```
public struct QueryItemValue: Sendable, Hashable, QueryValue {
    indirect enum Content: Sendable, Hashable {
        /// The item is omitted.
        case none
        case text(String)
        /// A document of JSON as a text, which would be no more than a text in a body of JSON.
        case jsonText(String)
        case integer(Int64)
        /// An integer that is too large for `integer`.
        case unsigned(UInt64)
        /// A value that can't be written, with the cause; rejected as ``FailureReason/query``.
        case invalid(String)
        /// NaN and infinities are rejected as ``FailureReason/query``.
        case double(Double)
        /// NaN is rejected as ``FailureReason/query``.
        case decimal(Decimal)
        case boolean(Bool)
        /// Several values with one name.
        case values([QueryItemValue], QueryListStyle)
        /// Items with one name.
        case items(RequestQuery, QueryObjectStyle)
        /// A value whose reserved characters are kept in a query.
        case reserved(QueryItemValue)
    }

    let content: Content

    init(_ content: Content) {
        self.content = content
    }

    /// The value itself.
    public var queryItemValue: QueryItemValue { self }
}

extension QueryItemValue: Redacted {
    /// The kind of the value; the value itself may be a secret.
    public var description: String {
        switch content {
        case .none: "none"
        case .text, .jsonText: "text"
        case .integer, .unsigned, .double, .decimal: "number"
        case .boolean: "boolean"
        case .invalid: "invalid"
        case .values(let values, _): "\(values.count) values"
        case .items(let items, _): "items \(items)"
        case .reserved(let value): value.description
        }
    }
}

extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
    /// The item value of the raw value.
    public var queryItemValue: QueryItemValue { rawValue.queryItemValue }
}

extension QueryValue where Self: FixedWidthInteger {
    /// The number.
    public var queryItemValue: QueryItemValue {
        if let number = Int64(exactly: self) { return QueryItemValue(.integer(number)) }
        return QueryItemValue(UInt64(exactly: self).map { .unsigned($0) } ?? .text(String(self)))
    }
}

// In a query and in a path.
extension Int: QueryValue, PathComponent {}
extension Int8: QueryValue, PathComponent {}
extension Int16: QueryValue, PathComponent {}
extension Int32: QueryValue, PathComponent {}
extension Int64: QueryValue, PathComponent {}
extension UInt: QueryValue, PathComponent {}
extension UInt8: QueryValue, PathComponent {}
extension UInt16: QueryValue, PathComponent {}
extension UInt32: QueryValue, PathComponent {}
extension UInt64: QueryValue, PathComponent {}

extension String: QueryValue {
    /// The text.
    public var queryItemValue: QueryItemValue { QueryItemValue(.text(self)) }
}

extension Substring: QueryValue {
    /// The text.
    public var queryItemValue: QueryItemValue { QueryItemValue(.text(String(self))) }
}

extension Bool: QueryValue {
    /// `true` or `false`.
    public var queryItemValue: QueryItemValue { QueryItemValue(.boolean(self)) }
}

extension Double: QueryValue {
    /// The number in the shortest form that reads back as the same.
    public var queryItemValue: QueryItemValue { QueryItemValue(.double(self)) }
}

extension Float: QueryValue {
    /// The number in the shortest form that reads back as the same.
    public var queryItemValue: QueryItemValue {
        QueryItemValue(.double(isFinite ? Double(description) ?? Double(self) : .nan))
    }
}

extension Decimal: QueryValue {
    /// The number with all its digits.
    public var queryItemValue: QueryItemValue { QueryItemValue(.decimal(self)) }
}

extension Date: QueryValue {
    /// RFC 3339 in UTC with whole seconds, `2026-11-21T09:30:00Z`; see `.seconds` and `.milliseconds` for numbers.
    ///
    /// A date outside the years 1 to 9999 is rejected as ``FailureReason/query``.
    public var queryItemValue: QueryItemValue {
        let content = InternetDate.text(of: self, fraction: false).map { QueryItemValue.Content.text($0) }
        return QueryItemValue(content ?? .invalid("is a date outside the years 1 to 9999"))
    }
}

extension UUID: QueryValue {
    /// The 36 characters in upper case.
    public var queryItemValue: QueryItemValue { QueryItemValue(.text(uuidString)) }
}

extension URL: QueryValue {
    /// The absolute URL.
    public var queryItemValue: QueryItemValue { QueryItemValue(.text(absoluteString)) }
}

extension Array: QueryValue where Element: QueryValue {
    /// The elements with a repeated name; see `.list` for other styles.
    public var queryItemValue: QueryItemValue { QueryItemValue(.values(map(\.queryItemValue), .repeated)) }
}

extension Optional: QueryValue where Wrapped: QueryValue {
    /// The item value of the wrapped value, or nothing.
    public var queryItemValue: QueryItemValue { self?.queryItemValue ?? QueryItemValue(.none) }
}
