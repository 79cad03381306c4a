/// Bytes that are no JSON by [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259), or none that is taken here.
package struct JSONSyntaxError: Error, Sendable, Hashable {
    /// What is wrong at the place.
    package enum Kind: Sendable, Hashable {
        /// There is nothing but white space.
        case empty
        /// A mark of the order of bytes stands before the document.
        case byteOrderMark
        /// The document ends where more has to come.
        case unexpectedEnd
        /// Another byte stands where a value has to begin.
        case noValue
        /// Another byte stands where a key has to begin.
        case noKey
        /// Another byte stands where the colon behind a key has to be.
        case noColon
        /// Another byte stands where a comma or the end of an array or object has to be.
        case noSeparator
        /// A word that begins as `true`, `false` or `null` and is none of them.
        case badWord
        /// A number that RFC 8259, section 6, doesn't know: a leading zero or plus, no digit where one has to be.
        case badNumber
        /// A control character inside of a text, which has to be escaped.
        case controlCharacter
        /// A backslash followed by something else than an escape.
        case badEscape
        /// Half of a pair of UTF-16 surrogates, which stands for no character.
        case loneSurrogate
        /// Bytes in a text that aren't UTF-8.
        case invalidUTF8
        /// Something else than white space behind the document.
        case trailingBytes
        /// Arrays and objects inside of each other beyond the limit.
        case tooDeep
        /// Arrays and objects inside of each other beyond what the thread's stack has room for.
        case stackEnd
        /// A document of 4 GiB or more.
        case tooLarge
        /// A document for whose values the system has no memory.
        case noMemory
        /// A key that its object already has, where that is refused.
        case duplicateKey
    }

    /// The place, counted from the document's first byte.
    package let byteOffset: Int
    /// What is wrong there.
    package let kind: Kind

    /// Makes an error.
    package init(_ kind: Kind, at byteOffset: Int) {
        self.byteOffset = byteOffset
        self.kind = kind
    }
}
