/// Where in the document a value stands that a `DecodingError` speaks of, carried as its underlying error.
///
/// An error alone has a coding path, whose keys may be converted ones; the place is sure, and found without a search.
package struct JSONPlace: Error, Sendable {
    /// The value's first byte; of a key that is missing, the object's; at an array's end, that of its closing bracket.
    package let byteOffset: Int
    /// What was asked for, where the error has no room for it.
    package let expectation: JSONExpectation?

    /// Makes a place.
    package init(byteOffset: Int, expectation: JSONExpectation? = nil) {
        self.byteOffset = byteOffset
        self.expectation = expectation
    }
}

/// What was asked for where `DecodingError.dataCorrupted` is thrown, which has room for a text only.
///
/// Its own, as the underlying error, when the place is no more than the coding path.
package enum JSONExpectation: Error, Sendable {
    /// In words that follow "expected": `a date in ISO 8601`.
    case words(String)
    /// A number's type, so that a value beyond it is named as such.
    case type(any Any.Type)
}
