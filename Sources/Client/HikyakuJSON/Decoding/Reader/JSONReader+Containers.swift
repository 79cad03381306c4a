extension JSONReader {
    /// Reads an object of any keys, and passes each member with its key to a closure.
    ///
    /// An object of known keys is read by ``beginObject()`` and `member(_:)`.
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
