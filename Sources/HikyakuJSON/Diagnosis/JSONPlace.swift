/// Where in a document a value stands that couldn't be decoded; a `DecodingError` carries it as its underlying error.
package struct JSONPlace: Error, Sendable {
    /// The first byte of the value, of a missing one that of what lacks it.
    package let byteOffset: Int

    /// Makes a place.
    package init(byteOffset: Int) {
        self.byteOffset = byteOffset
    }
}
