/// What a type's `init(from:)` is handed: a place in a document.
struct ValueDecoder: Decoder {
    let session: DecodingSession
    /// The value's place in the index.
    let place: Int

    var codingPath: [any CodingKey] { session.codingPath(to: place) }

    var userInfo: [CodingUserInfoKey: Any] { session.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard session.index[place].kind == .object else {
            throw session.mismatch([String: Any].self, "an object", at: place)
        }
        try session.checkStack(at: place)
        return session.tools.container(type, session, object: place)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard session.index[place].kind == .array else {
            throw session.mismatch([Any].self, "an array", at: place)
        }
        try session.checkStack(at: place)
        return UnkeyedContainer(session, array: place)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { session.isNull(at: place) }

    func decode(_ type: Bool.Type) throws -> Bool { try session.boolean(at: place) }
    func decode(_ type: String.Type) throws -> String { try session.string(at: place) }
    func decode(_ type: Double.Type) throws -> Double { try session.double(at: place) }
    func decode(_ type: Float.Type) throws -> Float { try session.float(at: place) }
    func decode(_ type: Int.Type) throws -> Int { try session.integer(type, at: place) }
    func decode(_ type: Int8.Type) throws -> Int8 { try session.integer(type, at: place) }
    func decode(_ type: Int16.Type) throws -> Int16 { try session.integer(type, at: place) }
    func decode(_ type: Int32.Type) throws -> Int32 { try session.integer(type, at: place) }
    func decode(_ type: Int64.Type) throws -> Int64 { try session.integer(type, at: place) }
    func decode(_ type: UInt.Type) throws -> UInt { try session.integer(type, at: place) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try session.integer(type, at: place) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try session.integer(type, at: place) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try session.integer(type, at: place) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try session.integer(type, at: place) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try session.integer(type, at: place) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try session.integer(type, at: place) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try session.value(type, at: place)
    }
}
