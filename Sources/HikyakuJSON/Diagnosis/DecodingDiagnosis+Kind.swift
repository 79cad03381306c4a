extension DecodingDiagnosis {
    /// What kind of difference it is; new kinds may come with any version.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// A stable word for logs and metrics.
        public let rawValue: String

        /// Makes a kind, for shapes of one's own.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// An object lacks a key that the type requires.
        public static let missingKey = Kind(rawValue: "missingKey")
        /// `null` stands where the type requires a value, or an array ended early.
        public static let missingValue = Kind(rawValue: "missingValue")
        /// A value is of another type than expected.
        public static let typeMismatch = Kind(rawValue: "typeMismatch")
        /// A value is of the right type and yet not acceptable: a text that is no date, say.
        public static let invalidValue = Kind(rawValue: "invalidValue")
        /// A number is beyond what its type can hold.
        public static let outOfRange = Kind(rawValue: "outOfRange")
        /// An object has a key twice, where that is refused.
        public static let duplicateKey = Kind(rawValue: "duplicateKey")
        /// Arrays and objects are inside of each other beyond the limit, or beyond what the thread's stack has room
        /// for.
        public static let tooDeep = Kind(rawValue: "tooDeep")
        /// There is no memory to read the body with.
        public static let outOfMemory = Kind(rawValue: "outOfMemory")
        /// The body can't be read in the format that was expected.
        public static let malformed = Kind(rawValue: "malformed")
        /// There is no body.
        public static let empty = Kind(rawValue: "empty")
        /// The body ends in the midst of its document.
        public static let truncated = Kind(rawValue: "truncated")
        /// The body is a web page: a proxy's, a login's, an error's.
        public static let html = Kind(rawValue: "html")
        /// The body is XML.
        public static let xml = Kind(rawValue: "xml")
        /// The body is a text for people.
        public static let plainText = Kind(rawValue: "plainText")
        /// The body's bytes aren't UTF-8, which JSON has to be ([RFC 8259, section
        /// 8.1](https://www.rfc-editor.org/rfc/rfc8259#section-8.1)).
        public static let wrongCharset = Kind(rawValue: "wrongCharset")
        /// A mark of the order of bytes stands before the document, which must not be sent (RFC 8259, section 8.1).
        public static let byteOrderMark = Kind(rawValue: "byteOrderMark")
    }
}
