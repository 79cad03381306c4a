extension JSONReader {
    // MARK: Members by name

    /// Reads the beginning of an object whose members are read by `member(_:)`.
    ///
    /// ```swift
    /// struct Article: JSONReadable {
    ///     let id: Int, title: String, note: String?
    /// }
    /// nonisolated extension Article {
    ///     init(from reader: inout JSONReader) throws {
    ///         try reader.beginObject()
    ///         self.init(
    ///             id: try reader.member("id"),
    ///             title: try reader.member("title"),
    ///             note: try reader.member("note"),
    ///         )
    ///         try reader.endObject()
    ///     }
    /// }
    /// ```
    /// One assignment for each property is slower: if one of several can fail, the compiler keeps a copy of the value.
    /// Other reading functions may not be called before ``endObject()``.
    ///
    /// - Throws: `DecodingError.typeMismatch` if the value is not an object.
    public mutating func beginObject() throws {
        try openObject()
    }

    /// Reads a member of the object.
    ///
    /// Reading is fastest if the members of the document are in the order of the calls, but any order is accepted. If
    /// a key is repeated, the last value is read; earlier ones may have any type. A member that may be missing or
    /// `null` has an optional type.
    ///
    /// After an error, the reader is before the object, and the object can't be read any further. An initializer that
    /// calls this function may run again for the same value, so it should have no side effects.
    ///
    /// - Parameter name: The key as a document writes it: a quotation mark, a backslash or a control character is given
    ///   with its escape.
    /// - Returns: The value; `nil` or a default if there is none and the type has one (``JSONReadable/missingMember``).
    /// - Throws: `DecodingError.keyNotFound` if there is no such member, and errors of reading the value.
    public mutating func member<Value: JSONReadable>(_ name: StaticString) throws -> Value {
        let name = MemberName(name)
        return findNextMember(name) ? try foundMember(name) : try searchedMember(name)
    }

    /// Reads the value of a member that is not next, or returns what its type has for a missing one.
    ///
    /// It is a function of its own, since the metadata of an optional value takes longer to find than most members.
    @inline(never)
    mutating func searchedMember<Value: JSONReadable>(_ name: MemberName) throws -> Value {
        let isOptional = search == .guessing && Value.missingMember != nil
        if try searchMember(name, isOptional: isOptional) { return try foundMember(name) }
        return try absentMember(name)
    }

    @inline(never)
    private mutating func absentMember<Value: JSONReadable>(_ name: MemberName) throws -> Value {
        guard let missing = Value.missingMember else { throw missingMember(name) }
        noteDefault(name, Value.self)
        return missing
    }

    /// Reads the value of a member.
    @inline(__always)
    private mutating func foundMember<Value: JSONReadable>(_ name: MemberName) throws -> Value {
        let (start, outer, marks) = (place, object, marks)
        do {
            let value = try Value(from: &self)
            try endMember(of: outer, from: start, marks)
            return value
        } catch {
            guard readsAgain(after: error, from: start, of: outer, marks) else {
                throw failedMember(name, from: start, of: outer, error)
            }
            return try foundMemberAgain(name)
        }
    }

    @inline(never)
    private mutating func foundMemberAgain<Value: JSONReadable>(_ name: MemberName) throws -> Value {
        try foundMember(name)
    }

    /// Reads a member of the object, or returns a default if it is missing or `null`.
    ///
    /// ``HikyakuJSONDecoder/onDrift`` is called each time that the default is used.
    ///
    /// - Parameters:
    ///   - name: The key as a document writes it.
    ///   - defaultValue: The value to use.
    /// - Returns: The value, or the default.
    /// - Throws: Errors of reading the value.
    public mutating func member<Value: JSONReadable>(
        _ name: StaticString,
        default defaultValue: @autoclosure () -> Value,
    ) throws -> Value {
        let value: Value? = try member(name)
        if let value { return value }
        context.drift(.defaultedKey, at: object.start - context.bytes, key: name.description, Value.self)
        return defaultValue()
    }

    /// Reads a member of the object by its `init(from:)` of `Decodable`, with the decoder's strategies.
    ///
    /// See `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value; `nil` if there is none and the type is optional.
    /// - Throws: `DecodingError.keyNotFound` if there is no such member, and errors of decoding the value.
    @_disfavoredOverload
    public mutating func member<Value: Decodable>(_ name: StaticString) throws -> Value {
        let name = MemberName(name)
        let missing = (Value.self as? any OptionalValue.Type)?.absent as? Value
        if !findNextMember(name), try !searchMember(name, isOptional: missing != nil) {
            guard let missing else { throw missingMember(name) }
            return missing
        }
        let (start, outer, marks) = (place, object, marks)
        do {
            let value = try decode(Value.self)
            try endMember(of: outer, from: start, marks)
            return value
        } catch {
            throw failedMember(name, from: start, of: outer, error)
        }
    }

    /// Reads all members of the object that `member(_:)` has not read.
    ///
    /// Call it after all calls of `member(_:)` and before ``endObject()``.
    ///
    /// - Returns: The values by their keys.
    /// - Throws: Errors of reading the values.
    public mutating func otherMembers<Value: JSONReadable>() throws -> [String: Value] {
        let others = try findOthers()
        let (outer, end, marks) = (object, place, marks)
        var values: [String: Value] = [:]
        // The last of repeated members comes first.
        for (key, offset) in others where values[key] == nil {
            place = context.bytes + offset
            let start = place
            do {
                values[key] = try Value(from: &self)
                try endMember(of: outer, from: start, marks)
            } catch {
                throw failedMember(nil, from: start, of: outer, error)
            }
        }
        place = end
        return values
    }

    /// Notes that the type's default is used for a missing member.
    private func noteDefault(_ name: MemberName, _ type: any Any.Type) {
        guard context.settings.driftLog != nil, let type = type as? any DefaultTaking.Type else { return }
        let key = EscapeScan.string(name.start, name.count)
        context.drift(.defaultedKey, at: object.start - context.bytes, key: key, type.valueType)
    }

    /// Reads the end of the object.
    ///
    /// Members that have not been read are skipped, after the same syntax check as for any other value.
    ///
    /// - Throws: A syntax error if the document is not JSON.
    public mutating func endObject() throws {
        if place >= end || place.pointee != Byte.closeBrace { try passRest() }
        closeObject()
    }
}

/// A type-erased optional.
private protocol OptionalValue {
    static var absent: Any { get }
}

extension Optional: OptionalValue {
    fileprivate static var absent: Any { Self.none as Any }
}

extension JSONReader {
    // MARK: Values of several types

    /// Returns a member of the next object that is a string, without reading the object.
    ///
    /// A type with a case for each kind of object finds the kind by it.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The string; `nil` if the next value is not an object, or has no such member.
    /// - Throws: A syntax error if the object is not JSON.
    public mutating func textMember(_ name: StaticString) throws -> String? {
        let (start, depth, name) = (place, depthLeft, MemberName(name))
        defer { goBack(to: start, depth) }
        guard place < end, place.pointee == Byte.openBrace else { return nil }
        return try findText(of: name)
    }

    /// Reads a value if the next one is of its type.
    ///
    /// - Parameter type: The type of the value.
    /// - Returns: The value; `nil` if the next one is of another type, and then it is not read.
    public mutating func readIfPossible<Value: JSONReadable>(_ type: Value.Type = Value.self) -> Value? {
        try? read(type)
    }
}
