/// The encoder that a value of a Codable type gets, and its container of a single value.
///
/// The protocols of all containers require a function for each type of integer. One generic function meets them, except
/// for integers of 128 bits, for which the compiler prefers the standard library's default implementations.
struct StreamEncoder: Encoder {
    let session: EncodingSession
    let position: Position

    var codingPath: [any CodingKey] { session.codingPath(of: position) }
    var userInfo: [CodingUserInfoKey: Any] { session.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let position = session.open(.object, at: position)
        return KeyedEncodingContainer(StreamKeyedContainer(session: session, position: position))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        StreamUnkeyedContainer(session: session, position: session.open(.array, at: position))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        self
    }
}

extension StreamEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { try scalar { $0.append("null") } }
    func encode(_ value: Bool) throws { try scalar { $0.append(value ? "true" : "false") } }
    func encode(_ value: String) throws { try scalar { $0.appendQuoted(value) } }
    func encode(_ value: Double) throws {
        guard value.isFinite else { return try encode(session.text(ofNonConforming: value, at: position)) }
        try scalar { $0.appendFinite(value) }
    }

    func encode(_ value: Float) throws {
        guard value.isFinite else { return try encode(session.text(ofNonConforming: value, at: position)) }
        try scalar { $0.appendFinite(value) }
    }

    @inline(__always)
    func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
        try scalar { $0.appendInteger(value) }
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: Int128) throws { try scalar { $0.appendInteger(value) } }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: UInt128) throws { try scalar { $0.appendInteger(value) } }

    func encode<Value: Encodable>(_ value: Value) throws {
        let kind = session.kinds.kind(of: Value.self)
        try session.beginSingleValue(at: position)
        try session.encodeChild(value, kind, place: .none)
    }

    @inline(__always) private func scalar(_ append: (inout ByteBuffer) -> Void) throws {
        try session.beginSingleValue(at: position)
        append(&session.writer.pointee.bytes)
    }
}

/// Writes the members of an object.
///
/// Its functions are not mutating, so that the session is not retained for each member.
struct StreamKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let session: EncodingSession
    let position: Position

    var codingPath: [any CodingKey] { session.codingPath(of: position) }

    func encodeNil(forKey key: Key) throws { try member(key) { $0.append("null") } }
    func encode(_ value: Bool, forKey key: Key) throws { try member(key) { $0.append(value ? "true" : "false") } }
    func encode(_ value: String, forKey key: Key) throws { try member(key) { $0.appendQuoted(value) } }

    @inline(__always)
    func encode<Value: FixedWidthInteger & Encodable>(_ value: Value, forKey key: Key) throws {
        try member(key) { $0.appendInteger(value) }
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: Int128, forKey key: Key) throws { try member(key) { $0.appendInteger(value) } }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try member(key) { $0.appendInteger(value) } }

    func encode(_ value: Double, forKey key: Key) throws {
        guard value.isFinite else {
            return try encode(session.text(ofNonConforming: value, at: position, key: key), forKey: key)
        }
        try member(key) { $0.appendFinite(value) }
    }

    func encode(_ value: Float, forKey key: Key) throws {
        guard value.isFinite else {
            return try encode(session.text(ofNonConforming: value, at: position, key: key), forKey: key)
        }
        try member(key) { $0.appendFinite(value) }
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let kind = session.kinds.kind(of: Value.self)
        try session.beginMember(key.stringValue, at: position)
        try withUnsafePointer(to: key) { key in
            try session.encodeChild(value, kind, place: .key(key, Key.self))
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key,
    ) -> KeyedEncodingContainer<NestedKey> {
        let nested = session.openMember(key, as: .object, at: position)
        return KeyedEncodingContainer(StreamKeyedContainer<NestedKey>(session: session, position: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let nested = session.openMember(key, as: .array, at: position)
        return StreamUnkeyedContainer(session: session, position: nested)
    }

    func superEncoder() -> any Encoder {
        superEncoder(of: JSONCodingKey("super"))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        superEncoder(of: key)
    }

    private func superEncoder(of key: any CodingKey) -> any Encoder {
        StreamEncoder(session: session, position: session.openMember(key, as: .empty, at: position))
    }

    @inline(__always) private func member(_ key: Key, _ append: (inout ByteBuffer) -> Void) throws {
        try session.beginMember(key.stringValue, at: position)
        append(&session.writer.pointee.bytes)
    }
}

/// Writes the elements of an array.
struct StreamUnkeyedContainer: UnkeyedEncodingContainer {
    let session: EncodingSession
    let position: Position

    var codingPath: [any CodingKey] { session.codingPath(of: position) }

    var count: Int { session.count(at: position) }

    func encodeNil() throws { try element { $0.append("null") } }
    func encode(_ value: Bool) throws { try element { $0.append(value ? "true" : "false") } }
    func encode(_ value: String) throws { try element { $0.appendQuoted(value) } }

    @inline(__always)
    func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
        try element { $0.appendInteger(value) }
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: Int128) throws { try element { $0.appendInteger(value) } }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: UInt128) throws { try element { $0.appendInteger(value) } }

    func encode(_ value: Double) throws {
        guard value.isFinite else {
            return try encode(session.text(ofNonConforming: value, at: position, key: JSONCodingKey(count)))
        }
        try element { $0.appendFinite(value) }
    }

    func encode(_ value: Float) throws {
        guard value.isFinite else {
            return try encode(session.text(ofNonConforming: value, at: position, key: JSONCodingKey(count)))
        }
        try element { $0.appendFinite(value) }
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let kind = session.kinds.kind(of: Value.self)
        try session.beginElement(at: position)
        try session.encodeChild(value, kind, place: .none)
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        let nested = session.openElement(as: .object, at: position)
        return KeyedEncodingContainer(StreamKeyedContainer<NestedKey>(session: session, position: nested))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let nested = session.openElement(as: .array, at: position)
        return StreamUnkeyedContainer(session: session, position: nested)
    }

    func superEncoder() -> any Encoder {
        StreamEncoder(session: session, position: session.openElement(as: .empty, at: position))
    }

    @inline(__always) private func element(_ append: (inout ByteBuffer) -> Void) throws {
        try session.beginElement(at: position)
        append(&session.writer.pointee.bytes)
    }
}
