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

    /// The member of an object by its key; `nil` where there is none, or where this is no object.
    ///
    /// `nil` removes the member, and `.null` makes it `null`. On `null` it makes an object of this one member. On a
    /// value of another kind nothing changes.
    public subscript(key: String) -> JSONValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members[key]
        }
        set {
            switch self {
            case .object(var members):
                // Avoids a copy of the members.
                self = .null
                members[key] = newValue
                self = .object(members)
            case .null:
                if let newValue { self = .object([key: newValue]) }
            default:
                break
            }
        }
    }

    /// The element of an array by its index; `nil` where there is none, or where this is no array.
    ///
    /// `nil` removes the element. At the index behind the last one it is appended; beyond that, and on a value of
    /// another kind, nothing changes.
    public subscript(index: Int) -> JSONValue? {
        get {
            guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
            return elements[index]
        }
        set {
            guard case .array(var elements) = self, 0...elements.count ~= index else { return }
            self = .null
            switch newValue {
            case let value? where index == elements.count: elements.append(value)
            case let value?: elements[index] = value
            case nil where index < elements.count: elements.remove(at: index)
            case nil: break
            }
            self = .array(elements)
        }
    }

    /// The value that a pointer leads to; `nil` where the way ends before.
    ///
    /// What is set there goes by the rules for keys and indexes; `-` in a pointer appends to an array. Where the way to
    /// the last object or array ends before, nothing changes.
    ///
    /// [RFC 6901, section 4](https://www.rfc-editor.org/rfc/rfc6901#section-4)
    public subscript(pointer: JSONPointer) -> JSONValue? {
        get {
            var value = self
            for token in pointer.tokens {
                guard let next = value.child(token) else { return nil }
                value = next
            }
            return value
        }
        set {
            set(newValue, at: pointer.tokens[...])
        }
    }

    private func child(_ token: String) -> JSONValue? {
        switch self {
        case .object(let members): members[token]
        case .array(let elements): JSONPointer.index(token, count: elements.count).flatMap { self[$0] }
        default: nil
        }
    }

    private mutating func setChild(_ token: String, to value: JSONValue?) {
        if case .array(let elements) = self {
            if let index = JSONPointer.index(token, count: elements.count) { self[index] = value }
        } else {
            self[token] = value
        }
    }

    private mutating func set(_ value: JSONValue?, at tokens: ArraySlice<String>) {
        guard let token = tokens.first else {
            self = value ?? .null
            return
        }
        guard tokens.count > 1 else { return setChild(token, to: value) }
        guard var next = child(token) else { return }
        // The child is removed while it changes, to avoid a copy.
        setChild(token, to: .null)
        next.set(value, at: tokens.dropFirst())
        setChild(token, to: next)
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Makes `null` of `nil`; where an optional value is asked for, `nil` is none at all.
    public init(nilLiteral: ()) { self = .null }

    /// Makes a boolean of a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Makes a number of a literal.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }

    /// Makes a number of a literal; one that no `Double` can hold is `null`.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }

    /// Makes a text of a literal.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes an array of a literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Makes an object of a literal; of a key that is there twice, the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(Dictionary(elements) { $1 }) }
}
