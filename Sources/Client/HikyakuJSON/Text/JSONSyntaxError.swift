/// A syntax error: bytes that are not JSON by [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259), or that exceed a
/// limit.
struct JSONSyntaxError: Error, Sendable, Hashable {
    /// What is wrong at the offset.
    enum Kind: Sendable, Hashable {
        /// There is nothing but white space.
        case empty
        /// A byte order mark precedes the document.
        case byteOrderMark
        /// The document ends too early.
        case unexpectedEnd
        /// A value was expected.
        case noValue
        /// A key was expected.
        case noKey
        /// A colon was expected after a key.
        case noColon
        /// A comma or the end of an array or object was expected.
        case noSeparator
        /// A word that begins as `true`, `false` or `null` and is none of them.
        case badWord
        /// A number that violates RFC 8259, section 6: a leading zero or plus, or a missing digit.
        case badNumber
        /// An unescaped control character in a string.
        case controlCharacter
        /// A backslash that begins no escape.
        case badEscape
        /// A lone UTF-16 surrogate, which encodes no character.
        case loneSurrogate
        /// Bytes in a string that are not UTF-8.
        case invalidUTF8
        /// Content other than white space after the document.
        case trailingBytes
        /// More nested arrays and objects than the limit.
        case tooDeep
        /// More nested arrays and objects than fit the thread's stack.
        case stackEnd
        /// A document of 4 GiB or more.
        case tooLarge
        /// Not enough memory for the values of the document.
        case noMemory
        /// A repeated key of an object, if these are rejected.
        case duplicateKey
    }

    /// The offset from the document's first byte.
    let byteOffset: Int
    /// What is wrong there.
    let kind: Kind

    /// Makes an error.
    init(_ kind: Kind, at byteOffset: Int) {
        self.byteOffset = byteOffset
        self.kind = kind
    }
}
