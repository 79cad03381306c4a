/// Reads the expectation from error texts of Foundation and the standard library, without the values that they quote.
enum ErrorWords {
    /// The expectation of an unacceptable value; `nil` for an unknown text.
    static func expectation(in text: String) -> JSONExpectation? {
        if let words = texts[text] { return .words(words) }
        if text == "Expected collection of key-value pairs; encountered odd-length array instead." {
            return .words("an array of alternating keys and values")
        }
        if let type = name(in: text, between: "Cannot initialize ", and: " from invalid ") {
            return .words("a value of \(type)")
        }
        if let name = name(in: text, from: "> does not fit in ", upTo: ".") {
            return NumberFault.type(named: name).map { .type($0) }
        }
        if text.hasPrefix("Number "), text.contains(" is not representable") {
            return .words("a number that its type can represent")
        }
        return nil
    }

    /// Whether Foundation or the standard library has written a text, rather than an app.
    static func isOfFoundation(_ text: String) -> Bool {
        let starts = ["The given data", "Parsed JSON", "Number ", "Expected ", "Unexpected ", "Unable to ", "Invalid "]
        return expectation(in: text) != nil || starts.contains { text.hasPrefix($0) }
    }

    /// The kind of value that was found according to a text, in the words of a diagnosis.
    static func found(in text: String) -> String? {
        let words = [
            ("found null", "null"), ("found a string", "a string"), ("found string", "a string"),
            ("found a number", "a number"), ("found number", "a number"), ("found an array", "an array"),
            ("found a dictionary", "an object"), ("found bool", "a boolean"), ("found a bool", "a boolean"),
        ]
        return words.first { text.contains($0.0) }?.1
    }

    /// The name of a type, or JSON's word for a container.
    static func name(of type: any Any.Type) -> String {
        let name = String(describing: type)
        if name.hasPrefix("Dictionary<") { return "an object" }
        return name.hasPrefix("Array<") ? "an array" : VisibleText.of(name, max: 100)
    }

    /// Whether a string is expected to have this form.
    static func isOfText(_ words: String) -> Bool { texts.values.contains(words) }

    private static let texts = [
        "Expected date string to be ISO8601-formatted.": "a date in ISO 8601 with an offset",
        "Date string does not match format expected by formatter.": "a date in the format of the decoder's formatter",
        "Invalid URL string.": "a URL",
        "Attempted to decode UUID from invalid UUID string.": "a UUID",
        "Encountered Data is not valid Base64.": "data in Base64",
    ]

    /// A type's name in a text; `nil` if it can't be one.
    private static func name(in text: String, between start: String, and end: String) -> Substring? {
        guard text.hasPrefix(start) else { return nil }
        return name(text.dropFirst(start.count), upTo: end)
    }

    private static func name(in text: String, from start: String, upTo end: String) -> String? {
        guard let last = text.firstRange(of: start) else { return nil }
        return name(text[last.upperBound...], upTo: end).map(String.init)
    }

    private static func name(_ text: Substring, upTo end: String) -> Substring? {
        guard let found = text.prefix(100).firstRange(of: end) else { return nil }
        let name = text[..<found.lowerBound]
        let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "_.<>, ".contains($0) }
        return isName && !name.isEmpty ? name : nil
    }
}

/// Why a numeric type can't hold a number of a document.
enum NumberFault {
    /// It has a fraction, and the type none.
    case fraction
    /// It is beyond the type's range, which is given in words.
    case range(String)
    /// The type can hold it, but the decoder requires another notation.
    case form

    /// Checks a number's text; `nil` if the name is not that of a numeric type.
    init?(of number: Slice<UnsafeBufferPointer<UInt8>>, for typeName: String) {
        if let range = Self.floatingRanges[typeName] {
            self = .range(range)
        } else if let type = Self.integers[typeName], let start = UnsafeBufferPointer(rebasing: number).baseAddress {
            self.init(type, start, number.count)
        } else {
            return nil
        }
    }

    private init<Value: FixedWidthInteger>(_ type: Value.Type, _ start: UnsafePointer<UInt8>, _ count: Int) {
        self =
            switch IntegerText.integer(type, start, count) {
            case .notInteger: .fraction
            case .outOfRange: .range("\(Value.min)...\(Value.max)")
            case .value: .form
            }
    }

    /// The type of number that has a name.
    static func type(named name: String) -> (any Any.Type)? {
        integers[name] ?? (name == "Double" ? Double.self : name == "Float" ? Float.self : nil)
    }

    private static let integers: [String: any (FixedWidthInteger & Sendable).Type] = {
        var types: [any (FixedWidthInteger & Sendable).Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
        ]
        // On older systems without these types, nothing is decoded into them.
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { types += [Int128.self, UInt128.self] }
        return Dictionary(uniqueKeysWithValues: types.map { (String(describing: $0), $0) })
    }()

    private static let floatingRanges = [
        "Double": "±\(Double.greatestFiniteMagnitude)", "Float": "±\(Float.greatestFiniteMagnitude)",
        "Float16": "±65504.0", "Decimal": "38 digits, with exponents up to ±127",
    ]
}

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
