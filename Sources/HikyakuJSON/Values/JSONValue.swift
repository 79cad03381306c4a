/// A value of a document whose type isn't known beforehand, or doesn't matter.
///
/// ```swift
/// let document = try HikyakuJSONDecoder().decode(JSONValue.self, from: bytes)
/// let name = document["user"]?["name"]?.string
/// let third: JSONValue = ["id": 3, "tags": ["a", "b"], "note": nil]
/// ```
///
/// Numbers keep their digits. An object has no order, and each key once, where Swift takes texts for the same key when
/// they read the same: `é` in one code point or two.
public enum JSONValue: Sendable, Hashable {
    /// `null`, which isn't the same as a missing member.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with all of its digits.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// Values in their order.
    case array([JSONValue])
    /// Values by key.
    case object([String: JSONValue])
}

extension JSONValue {
    /// Whether it is `null`.
    public var isNull: Bool { self == .null }

    /// The boolean, if it is one.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number, if it is one.
    public var number: JSONNumber? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The number, if it is one that an `Int` can hold: also `100.0`; never a text of digits.
    public var int: Int? { number?.int }

    /// The number's nearest `Double`, if it is a number that is within its range.
    public var double: Double? { number?.double }

    /// The text, if it is one.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements, if it is an array.
    public var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members, if it is an object.
    public var object: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}
