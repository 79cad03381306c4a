/// A JSON value whose type is unknown in advance or irrelevant.
///
/// ```swift
/// let document = try HikyakuJSONDecoder().decode(JSONValue.self, from: bytes)
/// let name = document["user"]?["name"]?.string
/// let third: JSONValue = ["id": 3, "tags": ["a", "b"], "note": nil]
/// ```
///
/// Numbers keep their digits. An object has no order, and each key only once. Keys are compared as Swift strings:
/// `é` as one code point and as two are the same key.
public enum JSONValue: Sendable, Hashable {
    /// `null`, which is different from a missing member.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with all of its digits.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array of values.
    case array([JSONValue])
    /// An object: values by key.
    case object([String: JSONValue])

    /// Whether the value is `null`.
    public var isNull: Bool { self == .null }

    /// The boolean, if the value is one.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number, if the value is one.
    public var number: JSONNumber? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The number, if an `Int` can hold it, such as `100.0`; a string of digits is not a number.
    public var int: Int? { number?.int }

    /// The nearest `Double`, if the value is a number within its range.
    public var double: Double? { number?.double }

    /// The string, if the value is one.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements, if the value is an array.
    public var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members, if the value is an object.
    public var object: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The member of an object by its key; `nil` if there is none or if the value is not an object.
    ///
    /// Setting `nil` removes the member, and setting `.null` makes it `null`. Setting a member of `null` replaces it
    /// by an object with this one member. Setting a member of a value of another type has no effect.
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

    /// The element of an array by its index; `nil` if there is none or if the value is not an array.
    ///
    /// Setting `nil` removes the element. Setting the element at the index after the last one appends it. Setting an
    /// element beyond that index, or of a value of another type, has no effect.
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

    /// The value at a JSON Pointer, such as `/items/0/name` ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)); `nil`
    /// if the document has no such value, or the text is not a pointer.
    ///
    /// Setting a value follows the rules of the subscripts for keys and indexes; `-` in a pointer appends to an array
    /// ([RFC 6901, section 4](https://www.rfc-editor.org/rfc/rfc6901#section-4)). If the enclosing object or array
    /// doesn't exist, or the text is not a pointer, nothing changes.
    public subscript(pointer text: String) -> JSONValue? {
        get { JSONPointer(text).flatMap { self[$0] } }
        set { if let pointer = JSONPointer(text) { set(newValue, at: pointer.tokens[...]) } }
    }

    package subscript(pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            guard let next = value.child(token) else { return nil }
            value = next
        }
        return value
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

extension JSONValue {
    /// Creates a boolean.
    public init(_ value: Bool) { self = .bool(value) }

    /// Creates a number.
    public init(_ value: some BinaryInteger) { self = .number(JSONNumber(value)) }

    /// Creates a number; one that is not finite becomes `null`, as in a literal.
    public init(_ value: Double) { self.init(floatLiteral: value) }

    /// Creates a string.
    public init(_ value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates `null` from `nil`; if an optional value is expected, `nil` means no value.
    public init(nilLiteral: ()) { self = .null }

    /// Creates a boolean from a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a number from a literal.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }

    /// Creates a number from a literal; a literal beyond the range of `Double` becomes `null`.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }

    /// Creates a string from a literal.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array from a literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object from a literal; if a key is repeated, the last value wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(Dictionary(elements) { $1 }) }
}
