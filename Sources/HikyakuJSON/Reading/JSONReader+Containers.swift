extension JSONReader {
    /// Reads an object and passes each member with a known key to a closure; other members are skipped.
    ///
    /// Reading is fastest if the members are in the order of `keys`, but any order is accepted. The closure is called
    /// again for a repeated key.
    ///
    /// - Parameters:
    ///   - keys: The known keys.
    ///   - member: Reads the value of a key. A value that it doesn't read is skipped.
    /// - Throws: `DecodingError.typeMismatch` if the value is not an object, and errors of `member`.
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

    /// Reads an object and passes each member with its key to a closure.
    ///
    /// - Parameter member: Reads the value. A value that it doesn't read is skipped.
    /// - Throws: `DecodingError.typeMismatch` if the value is not an object, and errors of `member`.
    @inlinable
    public mutating func readObject(_ member: (String, inout JSONReader) throws -> Void) throws {
        let (beginning, depthAround) = (place, depthLeft)
        do {
            var hasMember = try beginMembers()
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

    /// Reads an array and passes each element to a closure.
    ///
    /// - Parameter element: Reads the value. A value that it doesn't read is skipped.
    /// - Throws: `DecodingError.typeMismatch` if the value is not an array, and errors of `element`.
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

    // MARK: Required values

    /// Unwraps a required value of the object that was read last.
    ///
    /// A type with many required values should unwrap all of them at once and throw ``missing(_:)`` itself. If an
    /// error can be thrown while a value is being initialized, the compiler keeps a copy of it.
    ///
    /// - Throws: `DecodingError.keyNotFound` for `nil`.
    @inlinable
    public func require<Value, Key: RawRepresentable<String>>(_ value: Value?, _ key: Key) throws -> Value {
        guard let value else { throw missing(key) }
        return value
    }

    /// Returns the error for a required key that is missing in the object that was read last.
    ///
    /// - Parameter required: The required keys; the error names the first one that is missing.
    /// - Returns: `DecodingError.keyNotFound`.
    public func missing<Key: RawRepresentable<String>>(_ required: Key...) -> DecodingError {
        let there = keysOfLastObject()
        let names = required.map(\.rawValue)
        let name = names.first { name in !there.contains { $0.elementsEqual(name.utf8) } } ?? names.first ?? ""
        let offset = lastObject - context.bytes
        return .keyNotFound(JSONCodingKey(name), .init("the object has no key \"\(name)\"", at: offset))
    }

    /// UTF-8, since keys are compared by bytes.
    private func keysOfLastObject() -> [String.UTF8View] {
        var reader = JSONReader(context, at: lastObject - context.bytes)
        var keys: [String.UTF8View] = []
        // The object was read before; if that failed, the keys up to the failure are returned.
        try? reader.readObject { key, _ in keys.append(key.utf8) }
        return keys
    }

    // MARK: For the conformances of collections

    /// An estimate of an array's elements from those read so far, if it spans the rest of the document.
    @usableFromInline
    func expectedCount(after count: Int) -> Int {
        guard count >= 16 else { return 0 }
        let left = context.byteCount - offset
        // Floating-point, since the product of integers may overflow. There can't be more elements than bytes.
        return count + min(left, Int(Double(count) * Double(left) / Double(max(1, offset)))) + 1
    }

    /// Skips a member's value that failed, if the key is repeated later in the object.
    ///
    /// The offsets of each key's last value are found when the first value of an object fails.
    @usableFromInline
    @inline(never)
    mutating func skipRepeated(
        _ key: String,
        from start: UnsafePointer<UInt8>,
        _ depth: Int,
        _ lastMembers: inout [String: Int]?,
        _ error: any Error,
    ) throws {
        if error is JSONSyntaxError { throw error }
        goBack(to: start, depth)
        // If the rest is not JSON, the first error is reported.
        let found = lastMembers ?? (try? members(from: key)) ?? [:]
        lastMembers = found
        guard let last = found[key], last > start - context.bytes else { throw error }
        try skip(from: start, depth)
    }

    /// The offsets of each key's last value, from the reader's position on.
    private mutating func members(from first: String) throws -> [String: Int] {
        var key = first
        var places: [String: Int] = [:]
        while true {
            places[key] = offset
            try skip()
            guard try nextMember() else { return places }
            key = try readKey()
        }
    }
}
