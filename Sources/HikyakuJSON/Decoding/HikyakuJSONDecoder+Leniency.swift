extension HikyakuJSONDecoder {
    /// What of a document is passed over that RFC 8259 doesn't allow; each has to be asked for by its name.
    ///
    /// ```swift
    /// decoder.leniency = [.comments, .trailingCommas]
    /// ```
    /// A lenient document becomes a strict one before it is read: what is passed over turns into white space, so that
    /// nearly all else keeps its place, and the places that errors name are always those of the document as it came. A
    /// document without any of it is read as it is, after one look at its bytes.
    public struct Leniency: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: UInt8

        /// Makes a set of options from bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// `// up to the line's end` and `/* up to here */`, wherever white space may be.
        public static let comments = Leniency(rawValue: 1)
        /// A comma behind the last element of an array or the last member of an object.
        public static let trailingCommas = Leniency(rawValue: 2)
        /// A mark of the order of bytes before the document, as some editors write it.
        public static let byteOrderMark = Leniency(rawValue: 4)
        /// All of [JSON5](https://spec.json5.org), which includes the others.
        ///
        /// Texts in single quotes, keys without quotes, more escapes and line breaks in texts, hexadecimal integers (of
        /// at most 128 bits), a plus before a number, a point at its beginning or end, and more white space. `Infinity`
        /// and `NaN` are numbers that `Double` and `Float` can hold, whatever ``nonConformingFloatDecodingStrategy``
        /// says, and that a ``JSONNumber`` can't.
        public static let json5: Leniency = [.comments, .trailingCommas, .byteOrderMark, Leniency(rawValue: 8)]

        /// Whether there is more than what turns into white space.
        var isJSON5: Bool { rawValue & 8 != 0 }
    }
}
