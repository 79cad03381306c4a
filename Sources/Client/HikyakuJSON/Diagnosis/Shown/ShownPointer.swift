/// A JSON Pointer of a diagnosis while it is made: with the keys that are names, and others masked.
///
/// See ``ValueShape/ofKey(_:)``. A pointer that would be too long ends at an enclosing value.
struct ShownPointer {
    /// The maximum length in bytes, since each of many diagnoses has a pointer.
    static let bytesMax = 16 * 1024

    private let revealingValues: Bool
    private(set) var text = ""
    /// Whether a key is masked, so that the pointer doesn't lead to the value.
    private(set) var isMasked = false

    init(revealingValues: Bool) {
        self.revealingValues = revealingValues
    }

    /// Appends a key of the document; `false` if the pointer becomes too long.
    mutating func append(key: String) -> Bool {
        let shown = revealingValues ? key : ValueShape.ofKey(key)
        guard append(token: JSONPointer.escaped(shown)) else { return false }
        if !shown.utf8.elementsEqual(key.utf8) { isMasked = true }
        return true
    }

    /// Appends a key of a type, which is always shown; `false` if the pointer becomes too long.
    mutating func append(keyOfType key: String) -> Bool { append(token: JSONPointer.escaped(key)) }

    /// Appends the index of an element; `false` if the pointer becomes too long.
    mutating func append(index: Int) -> Bool { append(token: String(index)) }

    /// Appends the keys and indices of a coding path, as far as there is room.
    mutating func append(_ path: [any CodingKey]) {
        for key in path {
            // Foundation and the standard library make the key of an element like this.
            let index = key.intValue.flatMap { key.stringValue == "Index \($0)" ? $0 : nil }
            guard index.map({ append(index: $0) }) ?? append(key: key.stringValue) else { return }
        }
    }

    private mutating func append(token: String) -> Bool {
        guard text.utf8.count + token.utf8.count < Self.bytesMax else { return false }
        text += "/" + token
        return true
    }

    /// The place of a diagnosis, in words.
    ///
    /// - Parameters:
    ///   - pointer: The pointer.
    ///   - isMasked: Whether a key in it is masked.
    ///   - whole: What an empty pointer means.
    /// - Returns: The words.
    static func words(_ pointer: String, isMasked: Bool, whole: String) -> String {
        guard !pointer.isEmpty else { return "in the \(whole) as a whole" }
        return "at \(VisibleText.of(pointer, max: 200))\(isMasked ? " (keys masked)" : "")"
    }
}
