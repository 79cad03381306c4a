extension JSONReader {
    /// Reads an object, and hands over each member whose key is known; others are skipped.
    ///
    /// Keys are expected in the order of `keys`, and found in any. A key that comes twice is handed over twice.
    ///
    /// - Parameters:
    ///   - keys: The keys that are known.
    ///   - member: Reads the value of a key; one that it doesn't read is skipped.
    /// - Throws: `DecodingError.typeMismatch` where no object stands, and what `member` throws.
    @inlinable
    @inline(__always)
    public mutating func readObject<Key>(
        _ keys: JSONKeys<Key>,
        _ member: (Key, inout JSONReader) throws -> Void,
    ) throws {
        let (beginning, depthAround) = (place, depthLeft)
        do {
            var expected = 0
            var number = try readFirstKey(of: keys.texts, expected: &expected)
            while number != Self.noMember {
                if number >= 0 {
                    let (start, depth) = (place, depthLeft)
                    try member(keys.keys[number], &self)
                    if place == start || depthLeft != depth { try skip(from: start, depth) }
                } else {
                    try skip()
                }
                number = try readNextKey(of: keys.texts, expected: &expected)
            }
        } catch {
            goBack(to: beginning, depthAround)
            throw error
        }
        lastObject = beginning
    }

    /// Reads an object, and hands over each member with its key.
    ///
    /// - Parameter member: Reads the value; one that it doesn't read is skipped.
    /// - Throws: `DecodingError.typeMismatch` where no object stands, and what `member` throws.
    @inlinable
    public mutating func readObject(_ member: (String, inout JSONReader) throws -> Void) throws {
        let (beginning, depthAround) = (place, depthLeft)
        do {
            var hasMember = try beginObject()
            while hasMember {
                let key = try readKey()
                let (start, depth) = (place, depthLeft)
                try member(key, &self)
                if place == start || depthLeft != depth { try skip(from: start, depth) }
                hasMember = try nextMember()
            }
        } catch {
            goBack(to: beginning, depthAround)
            throw error
        }
        lastObject = beginning
    }

    /// Reads an array, and hands over each element.
    ///
    /// - Parameter element: Reads the value; one that it doesn't read is skipped.
    /// - Throws: `DecodingError.typeMismatch` where no array stands, and what `element` throws.
    @inlinable
    @inline(__always)
    public mutating func readArray(_ element: (inout JSONReader) throws -> Void) throws {
        guard !collectsFailures else { return try readArrayCollecting(element) }
        let (beginning, depthAround) = (place, depthLeft)
        do {
            guard try beginArray() else { return }
            repeat {
                let (start, depth) = (place, depthLeft)
                try element(&self)
                if place == start || depthLeft != depth { try skip(from: start, depth) }
            } while try nextElement()
        } catch {
            goBack(to: beginning, depthAround)
            throw error
        }
    }

    /// Goes past the beginning of an object; `false` where it is empty, and over.
    @usableFromInline
    mutating func beginObject() throws -> Bool {
        guard place < end, place.pointee == Byte.openBrace else { throw mismatch([String: Any].self, "an object") }
        return try begin(endingWith: Byte.closeBrace)
    }

    /// Goes past the beginning of an array; `false` where it is empty, and over.
    @usableFromInline
    mutating func beginArray() throws -> Bool {
        guard place < end, place.pointee == Byte.openBracket else { throw mismatch([Any].self, "an array") }
        return try begin(endingWith: Byte.closeBracket)
    }

    @inline(__always)
    private mutating func begin(endingWith last: UInt8) throws -> Bool {
        if depthLeft <= context.checkedDepth { try checkDepth() }
        place += 1
        skipSpace()
        if place < end, place.pointee == last {
            place += 1
            return false
        }
        depthLeft -= 1
        return true
    }

    @inline(never)
    private func checkDepth() throws {
        guard depthLeft > 0 else { throw fault(.tooDeep) }
        guard !ThreadStack.isAtEnd else { throw fault(.stackEnd) }
    }

    /// Goes past the comma behind a member, or the object's end, and then gives `false`.
    @usableFromInline
    mutating func nextMember() throws -> Bool {
        try goOn(endingWith: Byte.closeBrace)
    }

    /// Goes past the comma behind an element, or the array's end, and then gives `false`.
    @usableFromInline
    mutating func nextElement() throws -> Bool {
        try goOn(endingWith: Byte.closeBracket)
    }

    @inline(__always)
    private mutating func goOn(endingWith last: UInt8) throws -> Bool {
        skipSpace()
        guard place < end else { throw fault(.unexpectedEnd) }
        let byte = place.pointee
        guard byte == Byte.comma || byte == last else { throw fault(.noSeparator) }
        place += 1
        if byte == Byte.comma {
            skipSpace()
            return true
        }
        depthLeft += 1
        return false
    }

    /// What stands for the end of an object where the number of a key is expected.
    @usableFromInline static let noMember = -2

    /// Goes past the beginning of an object and its first key.
    ///
    /// - Returns: The key's number; -1 for one that isn't known, ``noMember`` where the object is empty.
    @usableFromInline
    mutating func readFirstKey(of keys: KeyList, expected: inout Int) throws -> Int {
        guard try beginObject() else { return Self.noMember }
        if let length = keys.length(ofKey: 0, ifAt: place, isFirst: true, before: end) {
            place += length
            skipSpace()
            expected = 1
            return 0
        }
        return try searchKey(of: keys, expected: &expected)
    }

    /// Goes past the comma behind a member and the next one's key, or past the object's end.
    ///
    /// - Returns: The key's number; -1 for one that isn't known, ``noMember`` at the object's end.
    @usableFromInline
    mutating func readNextKey(of keys: KeyList, expected: inout Int) throws -> Int {
        if let length = keys.length(ofKey: expected, ifAt: place, isFirst: false, before: end) {
            place += length
            skipSpace()
            expected += 1
            return expected - 1
        }
        return try nextMember() ? searchKey(of: keys, expected: &expected) : Self.noMember
    }

    @inline(never)
    private mutating func searchKey(of keys: KeyList, expected: inout Int) throws -> Int {
        guard place < end, place.pointee == Byte.quote else { throw fault(.noKey) }
        let start = place + 1
        let found = try text()
        try skipColon()
        let number: Int?
        if found.isEscaped {
            var key = EscapeScan.string(start, found.end - start)
            number = key.withUTF8 { keys.number(of: $0) }
        } else {
            number = keys.number(of: UnsafeBufferPointer(start: start, count: found.end - start))
        }
        guard let number else { return -1 }
        expected = number + 1
        return number
    }

    @usableFromInline
    mutating func readKey() throws -> String {
        guard place < end, place.pointee == Byte.quote else { throw fault(.noKey) }
        let key = try readText()
        try skipColon()
        return key
    }

    /// Goes past a key, whatever it is, and its colon.
    mutating func skipKey() throws {
        guard place < end, place.pointee == Byte.quote else { throw fault(.noKey) }
        _ = try text()
        try skipColon()
    }

    @inline(__always)
    private mutating func skipColon() throws {
        if place < end, place.pointee != Byte.colon { skipSpace() }
        guard place < end, place.pointee == Byte.colon else { throw fault(.noColon) }
        place += 1
        skipSpace()
    }
}
