/// Writes the members of an object.
///
/// Its functions don't mutate it, so that the session needn't be retained for each member.
struct StreamKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let session: EncodingSession
    let position: Position

    var codingPath: [any CodingKey] { session.codingPath(of: position) }

    func encodeNil(forKey key: Key) throws { try member(key) { $0.append("null") } }
    func encode(_ value: Bool, forKey key: Key) throws { try member(key) { $0.append(value ? "true" : "false") } }
    func encode(_ value: String, forKey key: Key) throws { try member(key) { $0.appendQuoted(value) } }
    func encode(_ value: Int, forKey key: Key) throws { try member(key) { $0.append(value) } }
    func encode(_ value: Int8, forKey key: Key) throws { try member(key) { $0.append(value) } }
    func encode(_ value: Int16, forKey key: Key) throws { try member(key) { $0.append(value) } }
    func encode(_ value: Int32, forKey key: Key) throws { try member(key) { $0.append(value) } }
    func encode(_ value: Int64, forKey key: Key) throws { try member(key) { $0.append(value) } }
    func encode(_ value: UInt, forKey key: Key) throws { try member(key) { $0.append(value) } }
    func encode(_ value: UInt8, forKey key: Key) throws { try member(key) { $0.append(value) } }
    func encode(_ value: UInt16, forKey key: Key) throws { try member(key) { $0.append(value) } }
    func encode(_ value: UInt32, forKey key: Key) throws { try member(key) { $0.append(value) } }
    func encode(_ value: UInt64, forKey key: Key) throws { try member(key) { $0.append(value) } }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: Int128, forKey key: Key) throws { try member(key) { $0.appendWide(value) } }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try member(key) { $0.appendWide(value) } }

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
            try session.encodeChild(value, kind, place: .key(key, Key.self), of: position)
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
        StreamEncoder(session: session, position: session.openMember(PathKey.superclass, as: .empty, at: position))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        StreamEncoder(session: session, position: session.openMember(key, as: .empty, at: position))
    }

    @inline(__always) private func member(_ key: Key, _ append: (inout ByteBuffer) -> Void) throws {
        try session.beginMember(key.stringValue, at: position)
        append(&session.writer.pointee.bytes)
    }
}
