/// The keyed container of an object.
///
/// A class, so that one without other references can be reused for the next object: see ``ContainerPool``.
final class KeyedContainer<Key: CodingKey>: ObjectPlace, KeyedDecodingContainerProtocol {
    var codingPath: [any CodingKey] { with { $0.codingPath(to: object) } }

    var allKeys: [Key] { with { $0.keys(of: object).compactMap { Key(stringValue: $0) } } }

    func contains(_ key: Key) -> Bool { with { find(key, $0) != nil } }

    func decodeNil(forKey key: Key) throws -> Bool { try with { $0.isNull(at: try value(for: key, $0)) } }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try with { try $0.value(type, at: value(for: key, $0)) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try with { session in
            guard let place = place(ifPresent: key, session) else {
                if session.settings.driftLog != nil { session.noteAbsence(of: key, type, in: object) }
                return nil
            }
            return try session.value(type, at: place)
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key,
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(of: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(of: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        superDecoder(JSONCodingKey("super"))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        superDecoder(key)
    }

    private func superDecoder(_ key: any CodingKey) -> any Decoder {
        with { session in
            guard let place = session.value(of: key.stringValue, in: object) else {
                return MissingDecoder(key, in: object, session)
            }
            return ValueDecoder(session: session, place: place)
        }
    }

    private func decoder(of key: Key) throws -> ValueDecoder {
        try with { ValueDecoder(session: $0, place: try value(for: key, $0)) }
    }

    @inline(__always)
    private func find(_ key: Key, _ session: DecodingSession) -> Int? {
        session.value(of: key.stringValue, in: object)
    }

    /// The position of a required value.
    @inline(__always)
    private func value(for key: Key, _ session: DecodingSession) throws -> Int {
        guard let place = find(key, session) else { throw session.missing(key, in: object) }
        return place
    }

    /// The position of a value; `nil` if it is missing or `null`.
    @inline(__always)
    private func place(ifPresent key: Key, _ session: DecodingSession) -> Int? {
        guard let place = find(key, session), !session.isNull(at: place) else { return nil }
        return place
    }

    /// Reads a required value.
    @inline(__always)
    private func present<Value>(_ key: Key, _ read: (DecodingSession, Int) throws -> Value) throws -> Value {
        try with { try read($0, value(for: key, $0)) }
    }

    /// Reads a value; `nil` if it is missing or `null`.
    @inline(__always)
    private func ifPresent<Value>(_ key: Key, _ read: (DecodingSession, Int) throws -> Value) throws -> Value? {
        try with { session in
            guard let place = place(ifPresent: key, session) else { return nil }
            return try read(session, place)
        }
    }
}

// The protocol requires a function for each type of number. One generic function meets the requirements for integers,
// except where the standard library has a default implementation, which the compiler prefers to a generic function.
extension KeyedContainer {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try present(key) { try $0.boolean(at: $1) } }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try present(key) { try $0.string(at: $1) } }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try present(key) { try $0.double(at: $1) } }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try present(key) { try $0.float(at: $1) } }

    @inline(__always)
    func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try integer(key)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try ifPresent(key) { try $0.boolean(at: $1) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try ifPresent(key) { try $0.string(at: $1) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try ifPresent(key) { try $0.double(at: $1) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try ifPresent(key) { try $0.float(at: $1) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integerIfPresent(key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try integerIfPresent(key) }

    @inline(__always)
    private func integer<Value: FixedWidthInteger>(_ key: Key) throws -> Value {
        try present(key) { try $0.integer(Value.self, at: $1) }
    }

    @inline(__always)
    private func integerIfPresent<Value: FixedWidthInteger>(_ key: Key) throws -> Value? {
        try ifPresent(key) { try $0.integer(Value.self, at: $1) }
    }
}
