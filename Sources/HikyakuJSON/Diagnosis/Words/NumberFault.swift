/// Why a type of number can't hold the number that stands in a document.
enum NumberFault {
    /// It has a fraction, and the type none.
    case fraction
    /// It is beyond the type's range, which is given in words.
    case range(String)
    /// It could be held, and the decoder wants it to be written otherwise.
    case form

    /// Looks at a number as it is written in the document; `nil` where the name isn't that of a type of number.
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

    private static let integers: [String: any FixedWidthInteger.Type] = {
        var types: [any FixedWidthInteger.Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
        ]
        // Where there are no such types, nothing is decoded as one.
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { types += [Int128.self, UInt128.self] }
        return Dictionary(uniqueKeysWithValues: types.map { (String(describing: $0), $0) })
    }()

    private static let floatingRanges = [
        "Double": "±\(Double.greatestFiniteMagnitude)", "Float": "±\(Float.greatestFiniteMagnitude)",
        "Float16": "±65504.0", "Decimal": "38 digits, with exponents up to ±127",
    ]
}
