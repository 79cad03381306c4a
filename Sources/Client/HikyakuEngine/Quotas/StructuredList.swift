import HikyakuBase

/// A List or a Dictionary of Structured Fields
/// ([RFC 9651](https://www.rfc-editor.org/rfc/rfc9651#section-4.2)), as far as quotas need it.
///
/// A field that breaks a rule of the syntax gives nothing at all.
package struct StructuredList {
    /// A value without parameters.
    package enum BareItem: Equatable {
        case integer(Int64)
        case decimal(Double)
        case string(String)
        case token(String)
        /// The text in Base64.
        case bytes(String)
        case boolean(Bool)
        case date(Int64)
        /// The text with its percent-encoding.
        case displayString(String)
    }

    struct Member: Equatable {
        /// The key in a Dictionary; `nil` in a List.
        var key: String?
        /// `nil` for an Inner List.
        var item: BareItem?
        var parameters: [String: BareItem] = [:]
    }

    let members: [Member]

    /// Reads a List.
    package init?(list text: String) {
        var parser = StructuredFieldParser(text)
        guard let members = parser.members({ $0.member() }) else { return nil }
        self.members = members
    }

    /// Reads a Dictionary; of equal keys the last counts.
    package init?(dictionary text: String) {
        var parser = StructuredFieldParser(text)
        guard let members = parser.members({ $0.dictionaryMember() }) else { return nil }
        self.members = members
    }

    /// The value of a Dictionary's key.
    package subscript(key: String) -> BareItem? { members.last { $0.key == key }?.item }
}

extension StructuredList.BareItem {
    /// The number, if it is an Integer.
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    /// The text, if it is a String or a Token.
    var text: String? {
        switch self {
        case .string(let text), .token(let text): text
        default: nil
        }
    }
}

/// The parser of RFC 9651, section 4.2; each function returns `nil` where the algorithm there fails.
private struct StructuredFieldParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while let byte = next, condition(byte) { position += 1 }
        return bytes[start..<position]
    }

    private mutating func skipSpaces(andTabs: Bool = false) {
        _ = take { $0 == 0x20 || (andTabs && $0 == 0x09) }
    }

    /// The members of a List or a Dictionary, up to the end of the field.
    mutating func members(_ member: (inout Self) -> StructuredList.Member?) -> [StructuredList.Member]? {
        var members: [StructuredList.Member] = []
        skipSpaces()
        while next != nil {
            guard let member = member(&self) else { return nil }
            members.append(member)
            skipSpaces(andTabs: true)
            guard next != nil else { break }
            guard takes(",") else { return nil }
            skipSpaces(andTabs: true)
            // No comma at the end.
            guard next != nil else { return nil }
        }
        return members
    }

    mutating func dictionaryMember() -> StructuredList.Member? {
        guard let key = key() else { return nil }
        if takes("=") {
            var member = member()
            member?.key = key
            return member
        }
        guard let parameters = parameters() else { return nil }
        return StructuredList.Member(key: key, item: .boolean(true), parameters: parameters)
    }

    /// An Item or an Inner List, with its parameters.
    mutating func member() -> StructuredList.Member? {
        var item: StructuredList.BareItem?
        if takes("(") {
            guard skipInnerList() else { return nil }
        } else {
            item = bareItem()
            guard item != nil else { return nil }
        }
        return parameters().map { StructuredList.Member(item: item, parameters: $0) }
    }

    /// Checks the items of an Inner List, which no field of quotas has.
    private mutating func skipInnerList() -> Bool {
        while next != nil {
            skipSpaces()
            if takes(")") { return true }
            guard bareItem() != nil, parameters() != nil else { return false }
            guard next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else { return false }
        }
        return false
    }

    private mutating func parameters() -> [String: StructuredList.BareItem]? {
        var parameters: [String: StructuredList.BareItem] = [:]
        while takes(";") {
            skipSpaces()
            guard let key = key() else { return nil }
            guard takes("=") else {
                parameters[key] = .boolean(true)
                continue
            }
            guard let value = bareItem() else { return nil }
            parameters[key] = value
        }
        return parameters
    }

    private mutating func key() -> String? {
        guard let first = next, Self.isLowercase(first) || first == UInt8(ascii: "*") else { return nil }
        let key = take { Self.isLowercase($0) || ASCII.isDigit($0) || "_-.*".utf8.contains($0) }
        return String(decoding: key, as: UTF8.self)
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) && !ASCII.isUppercase(byte) }

    private mutating func bareItem() -> StructuredList.BareItem? {
        switch next {
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: ":"): return byteSequence()
        case UInt8(ascii: "?"): return boolean()
        case UInt8(ascii: "@"): return date()
        case UInt8(ascii: "%"): return displayString()
        case let byte? where byte == UInt8(ascii: "-") || ASCII.isDigit(byte): return number()
        case let byte? where byte == UInt8(ascii: "*") || ASCII.isLetter(byte):
            let token = take { ASCII.isToken($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
            return .token(String(decoding: token, as: UTF8.self))
        default: return nil
        }
    }

    /// An Integer of at most 15 digits, or a Decimal of at most 12 digits and 3 more.
    private mutating func number() -> StructuredList.BareItem? {
        let isNegative = takes("-")
        let whole = take { ASCII.isDigit($0) }
        guard !whole.isEmpty, whole.count <= 15 else { return nil }
        let magnitude: Int64 = whole.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        guard takes(".") else { return .integer(isNegative ? -magnitude : magnitude) }
        let fraction = take { ASCII.isDigit($0) }
        guard whole.count <= 12, 1...3 ~= fraction.count else { return nil }
        let scale = [10.0, 100, 1000][fraction.count - 1]
        let parts: Int64 = fraction.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        let value = Double(magnitude) + Double(parts) / scale
        return .decimal(isNegative ? -value : value)
    }

    private mutating func string() -> String? {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
                    return nil
                }
                position += 1
                text.append(escaped)
            case 0x20...0x7E: text.append(byte)
            default: return nil
            }
        }
        return nil
    }

    private mutating func byteSequence() -> StructuredList.BareItem? {
        position += 1
        let digits = take {
            ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
        }
        let padding = take { $0 == UInt8(ascii: "=") }
        // Padding may be missing (section 4.2.7), but six bits alone are not a byte.
        guard takes(":"), digits.count % 4 != 1, padding.count <= 2 else { return nil }
        return .bytes(String(decoding: digits, as: UTF8.self))
    }

    private mutating func boolean() -> StructuredList.BareItem? {
        position += 1
        if takes("1") { return .boolean(true) }
        return takes("0") ? .boolean(false) : nil
    }

    private mutating func date() -> StructuredList.BareItem? {
        position += 1
        guard let byte = next, byte == UInt8(ascii: "-") || ASCII.isDigit(byte) else { return nil }
        return number()?.integer.map { .date($0) }
    }

    private mutating func displayString() -> StructuredList.BareItem? {
        position += 1
        guard takes("\"") else { return nil }
        let start = position
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return .displayString(String(decoding: bytes[start..<(position - 1)], as: UTF8.self))
            case UInt8(ascii: "%"):
                let digits = bytes[position...].prefix(2)
                let isEncoded = digits.allSatisfy { ASCII.hexadecimalValue($0) != nil && !ASCII.isUppercase($0) }
                guard digits.count == 2, isEncoded else { return nil }
                position += 2
            case 0x20...0x7E: continue
            default: return nil
            }
        }
        return nil
    }
}
