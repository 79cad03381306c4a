/// A value of a document whose type isn't known beforehand, or doesn't matter.
///
/// ```swift
/// let document = try client.decode(JSONValue.self, from: bytes)
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

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON, the keys in order.
    public var description: String {
        var text = ""
        append(to: &text)
        return text
    }

    private func append(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let value): text += value.text
        case .string(let value): Self.append(value, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.append(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { text += "," }
                Self.append(member.key, to: &text)
                text += ":"
                member.value.append(to: &text)
            }
            text += "}"
        }
    }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0"..<" ": text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
