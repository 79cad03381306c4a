/// Writes the elements of an array.
struct StreamUnkeyedContainer: UnkeyedEncodingContainer {
    let session: EncodingSession
    let position: Position

    var codingPath: [any CodingKey] { session.codingPath(of: position) }

    var count: Int { session.count(at: position) }

    func encodeNil() throws { try element { $0.append("null") } }
    func encode(_ value: Bool) throws { try element { $0.append(value ? "true" : "false") } }
    func encode(_ value: String) throws { try element { $0.appendQuoted(value) } }
    func encode(_ value: Int) throws { try element { $0.append(value) } }
    func encode(_ value: Int8) throws { try element { $0.append(value) } }
    func encode(_ value: Int16) throws { try element { $0.append(value) } }
    func encode(_ value: Int32) throws { try element { $0.append(value) } }
    func encode(_ value: Int64) throws { try element { $0.append(value) } }
    func encode(_ value: UInt) throws { try element { $0.append(value) } }
    func encode(_ value: UInt8) throws { try element { $0.append(value) } }
    func encode(_ value: UInt16) throws { try element { $0.append(value) } }
    func encode(_ value: UInt32) throws { try element { $0.append(value) } }
    func encode(_ value: UInt64) throws { try element { $0.append(value) } }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: Int128) throws { try element { $0.appendWide(value) } }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: UInt128) throws { try element { $0.appendWide(value) } }

    func encode(_ value: Double) throws {
        guard value.isFinite else {
            return try encode(session.text(ofNonConforming: value, at: position, key: PathKey(count)))
        }
        try element { $0.appendFinite(value) }
    }

    func encode(_ value: Float) throws {
        guard value.isFinite else {
            return try encode(session.text(ofNonConforming: value, at: position, key: PathKey(count)))
        }
        try element { $0.appendFinite(value) }
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let kind = session.kinds.kind(of: Value.self)
        try session.beginElement(at: position)
        try session.encodeChild(value, kind, place: .none, of: position)
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
