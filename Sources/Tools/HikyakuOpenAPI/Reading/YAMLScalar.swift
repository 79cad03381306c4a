package import HikyakuJSON

/// The values of plain scalars by the core schema of [YAML 1.2](https://yaml.org/spec/1.2.2/#103-core-schema).
///
/// `no`, `on`, dates and times are texts, unlike in YAML 1.1.
enum YAMLScalar {
    static func content(ofPlain text: String) -> DocumentNode.Content {
        guard let first = text.utf8.first else { return .null }
        switch first {
        case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "~"):
            return ["null", "Null", "NULL", "~"].contains(text) ? .null : .string(text)
        case UInt8(ascii: "t"), UInt8(ascii: "T"):
            return ["true", "True", "TRUE"].contains(text) ? .bool(true) : .string(text)
        case UInt8(ascii: "f"), UInt8(ascii: "F"):
            return ["false", "False", "FALSE"].contains(text) ? .bool(false) : .string(text)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            return isNumber(text) ? .number(text) : .string(text)
        default:
            return .string(text)
        }
    }

    static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        let digits: (inout Substring.UTF8View) -> Int = { rest in
            let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            rest = rest.dropFirst(digits.count)
            return digits.count
        }
        if text.hasPrefix("0x") || text.hasPrefix("0o") {
            let isHexadecimal = text.hasPrefix("0x")
            rest = rest.dropFirst(2)
            return !rest.isEmpty
                && rest.allSatisfy { byte in
                    Character(Unicode.Scalar(byte)).hexDigitValue.map { isHexadecimal || $0 < 8 } ?? false
                }
        }
        if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
        if special.contains(String(rest) ?? "") { return true }
        let whole = digits(&rest)
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fraction = digits(&rest)
        }
        guard whole + fraction > 0 else { return false }
        if let exponent = rest.first, exponent == UInt8(ascii: "e") || exponent == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static let special: Set = [".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"]

    /// The number of a text of ``DocumentNode/Content/number(_:)``, which may be in YAML's notation.
    ///
    /// - Returns: `nil` for infinity, for what is not a number, and for a hexadecimal one of more than 64 bits.
    static func number(_ text: String) -> JSONNumber? {
        if let number = JSONNumber(text) { return number }
        if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16).map { JSONNumber($0) } }
        if text.hasPrefix("0o") { return UInt64(text.dropFirst(2), radix: 8).map { JSONNumber($0) } }
        var rest = text[...]
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") { rest = rest.dropFirst() }
        let exponentStart = rest.firstIndex { $0 == "e" || $0 == "E" } ?? rest.endIndex
        let parts = rest[..<exponentStart].split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2 else { return nil }
        let digits = whole.drop { $0 == "0" }
        let fraction = parts.count == 2 && !parts[1].isEmpty ? "." + parts[1] : ""
        return JSONNumber((isNegative ? "-" : "") + (digits.isEmpty ? "0" : digits) + fraction + rest[exponentStart...])
    }
}

extension DocumentNode {
    /// The number, if the value is one that JSON can write.
    package var number: JSONNumber? {
        if case .number(let text) = content { YAMLScalar.number(text) } else { nil }
    }

    /// The value as JSON; infinity becomes null.
    package var jsonValue: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number: number.map(JSONValue.number) ?? .null
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.jsonValue))
        case .object(let members):
            .object(Dictionary(members.map { ($0.key, $0.value.jsonValue) }) { _, last in last })
        }
    }
}
