extension JSONWriter {
    // MARK: Members by name

    /// Begins an object whose members are written by `member(_:_:)`.
    ///
    /// ```swift
    /// struct Article: JSONWritable {
    ///     let id: Int, note: String?
    ///
    ///     func write(to writer: inout JSONWriter) throws {
    ///         try writer.beginObject()
    ///         try writer.member("id", id)
    ///         try writer.member("note", note)
    ///         try writer.endObject()
    ///     }
    /// }
    /// ```
    /// Other functions may not be called before ``endObject()``.
    ///
    /// - Throws: `EncodingError` if no value is expected or if more than 512 objects and arrays would be open.
    public mutating func beginObject() throws {
        object = try openObject()
        if tag != nil { try writeTag() }
    }

    @inline(never)
    private mutating func writeTag() throws {
        guard let own = tag else { return }
        tag = nil
        try member(own.name, own.text)
    }

    /// Writes a value of a choice as an object that begins with the member by which the choice is read.
    ///
    /// It is for a type that has no such member itself, and that writes its members by ``beginObject()``; others are
    /// written as they are.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The key of the member, without escapes.
    ///   - text: What distinguishes the value from the others.
    /// - Throws: `EncodingError` if no value is expected, and errors of the value.
    public mutating func write<Value: JSONWritable>(
        _ value: Value,
        tagged name: StaticString,
        _ text: String,
    ) throws {
        tag = (name, text)
        defer { tag = nil }
        try write(value)
    }

    /// Writes a member of the object.
    ///
    /// After an error, the writer is before the object, and the object can't be written any further.
    ///
    /// - Parameters:
    ///   - name: The key, without escapes.
    ///   - value: The value.
    /// - Throws: `EncodingError` outside of an object, and errors of the value.
    public mutating func member<Value: JSONWritable>(_ name: StaticString, _ value: Value) throws {
        try appendMember(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)) { writer in
            try value.write(to: &writer)
        }
    }

    /// Writes a member of the object by its `encode(to:)`, or nothing if the value is `nil`.
    ///
    /// See ``encode(_:)``.
    ///
    /// - Parameters:
    ///   - name: The key, without escapes.
    ///   - value: The value.
    /// - Throws: `EncodingError` outside of an object, and errors of the value.
    @_disfavoredOverload
    public mutating func member<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        guard let value else { return }
        try appendMember(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)) { writer in
            try writer.encode(value)
        }
    }

    /// Writes a member of the object, or nothing if the value is `nil`.
    ///
    /// - Parameters:
    ///   - name: The key, without escapes.
    ///   - value: The value.
    /// - Throws: `EncodingError` outside of an object, and errors of the value.
    public mutating func member<Value: JSONWritable>(_ name: StaticString, _ value: Value?) throws {
        if let value { try member(name, value) }
    }

    /// Writes a member that an object must have, as null if the value is `nil`.
    ///
    /// - Parameters:
    ///   - name: The key, without escapes.
    ///   - value: The value.
    /// - Throws: `EncodingError` outside of an object, and errors of the value.
    public mutating func nullableMember<Value: JSONWritable>(_ name: StaticString, _ value: Value?) throws {
        try appendMember(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)) { writer in
            try value.write(to: &writer)
        }
    }

    /// Writes a member that only the service sets, or nothing if the value is `nil`.
    ///
    /// The client leaves such members out of the bodies of requests, if its encoder is a ``HikyakuJSONEncoder``. They
    /// are in every other document, so that a model that is stored keeps them.
    ///
    /// - Parameters:
    ///   - name: The key, without escapes.
    ///   - value: The value.
    /// - Throws: `EncodingError` outside of an object, and errors of the value.
    public mutating func readOnlyMember<Value: JSONWritable>(_ name: StaticString, _ value: Value?) throws {
        if let value, !settings.leavesOutReadOnlyMembers { try member(name, value) }
    }

    /// Writes further members of the object, sorted by their keys.
    ///
    /// - Parameter values: The values by their keys, which should not be those of other members.
    /// - Throws: `EncodingError` outside of an object, and errors of the values.
    public mutating func otherMembers<Value: JSONWritable>(_ values: [String: Value]) throws {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            try key.withContiguousBytes { key in try appendMember(key) { writer in try value.write(to: &writer) } }
        }
    }

    /// Ends the object.
    ///
    /// - Throws: `EncodingError` if the object was not begun by ``beginObject()``.
    public mutating func endObject() throws {
        guard let object, depth == object.depth + 1, expected == .firstMember || expected == .member else {
            throw failure("Can't end an object here: it must be begun by beginObject.")
        }
        closeObject(object)
        self.object = nil
    }

    @inline(__always)
    private mutating func appendMember(
        _ key: UnsafeBufferPointer<UInt8>,
        _ write: (inout JSONWriter) throws -> Void,
    ) throws {
        let outer = object
        do {
            _ = try openMember(key)
            try write(&self)
            try closeMember()
            object = outer
        } catch {
            if let outer { rollBack(to: outer) }
            throw error
        }
    }
}
