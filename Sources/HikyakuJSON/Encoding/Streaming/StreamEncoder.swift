/// The encoder that a value of a Codable type gets, and its container of a single value.
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

    func encode(_ value: Int) throws { try scalar { $0.append(value) } }
    func encode(_ value: Int8) throws { try scalar { $0.append(value) } }
    func encode(_ value: Int16) throws { try scalar { $0.append(value) } }
    func encode(_ value: Int32) throws { try scalar { $0.append(value) } }
    func encode(_ value: Int64) throws { try scalar { $0.append(value) } }
    func encode(_ value: UInt) throws { try scalar { $0.append(value) } }
    func encode(_ value: UInt8) throws { try scalar { $0.append(value) } }
    func encode(_ value: UInt16) throws { try scalar { $0.append(value) } }
    func encode(_ value: UInt32) throws { try scalar { $0.append(value) } }
    func encode(_ value: UInt64) throws { try scalar { $0.append(value) } }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: Int128) throws { try scalar { $0.appendWide(value) } }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: UInt128) throws { try scalar { $0.appendWide(value) } }

    func encode<Value: Encodable>(_ value: Value) throws {
        let kind = session.kinds.kind(of: Value.self)
        try session.beginSingleValue(at: position)
        try session.encodeChild(value, kind, place: .none, of: position)
    }

    @inline(__always) private func scalar(_ append: (inout ByteBuffer) -> Void) throws {
        try session.beginSingleValue(at: position)
        append(&session.writer.pointee.bytes)
    }
}
