extension JSONReader {
    // MARK: Tuples

    /// Reads the beginning of an array whose elements are read one after another by `element()`.
    ///
    /// ```swift
    /// struct Position: JSONReadable {
    ///     let longitude: Double, latitude: Double, altitude: Double?
    ///
    ///     init(from reader: inout JSONReader) throws {
    ///         try reader.beginTuple()
    ///         longitude = try reader.element()
    ///         latitude = try reader.element()
    ///         altitude = try reader.element()
    ///         try reader.endTuple()
    ///     }
    /// }
    /// ```
    /// - Throws: `DecodingError.typeMismatch` if the value is not an array.
    public mutating func beginTuple() throws {
        guard try !beginArray() else { return }
        // The end of an empty array is read by `endTuple()`, as that of any other.
        place -= 1
        depthLeft -= 1
    }

    /// Reads the next element of the array.
    ///
    /// - Returns: The value; `nil` or a default if there is no further element and the type has one
    ///   (``JSONReadable/missingMember``).
    /// - Throws: `DecodingError.valueNotFound` if the array is too short, and errors of reading the value.
    public mutating func element<Value: JSONReadable>() throws -> Value {
        if try findElement() { return try Value(from: &self) }
        if let missing = Value.missingMember { return missing }
        throw DecodingError.valueNotFound(Value.self, .init("the array has too few elements", at: offset))
    }

    /// Reads all further elements of the array.
    ///
    /// - Returns: The elements; none if there are no more.
    /// - Throws: Errors of reading the elements.
    public mutating func otherElements<Value: JSONReadable>() throws -> [Value] {
        var values: [Value] = []
        while try findElement() { values.append(try Value(from: &self)) }
        return values
    }

    /// Reads the end of the array; further elements are skipped.
    ///
    /// - Throws: A syntax error if the document is not JSON.
    public mutating func endTuple() throws {
        while try findElement() { try skip() }
        _ = try nextElement()
    }

    /// Goes to the next element, or to the array's end and returns `false`.
    private mutating func findElement() throws -> Bool {
        skipSpace()
        if place < end, place.pointee == Byte.closeBracket { return false }
        return try isFirstElement || nextElement()
    }

    /// Whether nothing but white space is between the opening bracket and the reader: no value ends with a bracket
    /// that opens.
    private var isFirstElement: Bool {
        var before = place - 1
        while before > context.bytes, Byte.isSpace(before.pointee) { before -= 1 }
        return before.pointee == Byte.openBracket
    }
}
