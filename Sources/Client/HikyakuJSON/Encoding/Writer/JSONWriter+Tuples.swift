extension JSONWriter {
    // MARK: Tuples

    /// Writes an array of values of different types.
    ///
    /// `nil` at the end is left out from the position `countMin` on, and is `null` before it.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - countMin: How many elements the array has at least.
    /// - Throws: `EncodingError` if no value is expected or if more than 512 objects and arrays would be open, and
    ///   errors of the elements.
    public mutating func writeTuple<each Element: JSONWritable>(
        _ elements: repeat each Element,
        countMin: Int,
    ) throws {
        try writeTuple(repeat each elements, others: [String](), countMin: countMin)
    }

    /// Writes an array of values of different types and further ones of the same type.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - others: The elements after these.
    ///   - countMin: How many elements the array has at least.
    /// - Throws: `EncodingError` if no value is expected or if more than 512 objects and arrays would be open, and
    ///   errors of the elements.
    public mutating func writeTuple<each Element: JSONWritable, Other: JSONWritable>(
        _ elements: repeat each Element,
        others: [Other],
        countMin: Int,
    ) throws {
        // How many elements up to the last one that isn't nil.
        var (count, index) = (others.isEmpty ? countMin : Int.max, 0)
        for element in repeat each elements {
            index += 1
            if !Self.isNil(element) { count = max(count, index) }
        }
        index = 0
        try writeArray { writer throws in
            for element in repeat each elements {
                index += 1
                if index <= count { try element.write(to: &writer) }
            }
            for element in others { try element.write(to: &writer) }
        }
    }

    private static func isNil(_ value: some Any) -> Bool {
        (value as? any MaybeNil)?.isNil ?? false
    }
}

/// A type-erased optional.
private protocol MaybeNil {
    var isNil: Bool { get }
}

extension Optional: MaybeNil {
    fileprivate var isNil: Bool { self == nil }
}
