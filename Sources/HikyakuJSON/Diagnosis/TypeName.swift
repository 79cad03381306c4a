/// The names of types in errors.
///
/// A type that tries one kind of value after another discards most errors, so creating one must be fast. Half of the
/// time was spent on asking the runtime for a type's name.
enum TypeName {
    /// The name as `String(describing:)` gives it.
    static func of(_ type: any Any.Type) -> String {
        if type == Int.self { return "Int" }
        if type == Bool.self { return "Bool" }
        if type == Double.self { return "Double" }
        if type == String.self { return "String" }
        return ofFixedWidth(type) ?? _typeName(type, qualified: false)
    }

    private static func ofFixedWidth(_ type: any Any.Type) -> String? {
        if type == Float.self { return "Float" }
        if type == Int64.self { return "Int64" }
        if type == UInt64.self { return "UInt64" }
        if type == Int32.self { return "Int32" }
        if type == UInt32.self { return "UInt32" }
        if type == UInt.self { return "UInt" }
        if type == Int16.self { return "Int16" }
        if type == UInt16.self { return "UInt16" }
        if type == Int8.self { return "Int8" }
        return type == UInt8.self ? "UInt8" : nil
    }
}

/// The text of an error about a value of another type than expected.
enum MismatchText {
    /// The kind of value that begins with a byte; `nil` for a byte that begins none.
    static func kind(ofValueAt byte: UInt8) -> String? {
        switch byte {
        case Byte.quote: "a string"
        case Byte.openBrace: "an object"
        case Byte.openBracket: "an array"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
        case UInt8(ascii: "n"): "null"
        case Byte.minus, Byte.zero...Byte.nine: "a number"
        default: nil
        }
    }

    static func of(_ expected: String, found: String) -> String {
        var text = ""
        text.reserveCapacity(expected.utf8.count + found.utf8.count + 17)
        text += "expected "
        text += expected
        text += ", found "
        text += found
        return text
    }
}
