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
