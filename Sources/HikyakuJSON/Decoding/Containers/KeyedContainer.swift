/// An object, asked for the values of its keys.
///
/// A class, so that one that nobody holds any more can be used for the next object: see ``ContainerPool``.
final class KeyedContainer<Key: CodingKey>: ObjectPlace, KeyedDecodingContainerProtocol {
    var codingPath: [any CodingKey] { session.codingPath(to: object) }

    var allKeys: [Key] { session.keys(of: object).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { session.isNull(at: try value(for: key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try session.value(type, at: value(for: key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let place = present(key) else { return nil }
        return try session.value(type, at: place)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key,
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try ValueDecoder(session: session, place: value(for: key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ValueDecoder(session: session, place: value(for: key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        ValueDecoder(session: session, place: session.value(of: "super", in: object) ?? ValueDecoder.nowhere)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        ValueDecoder(session: session, place: find(key) ?? ValueDecoder.nowhere)
    }

    @inline(__always)
    private func find(_ key: Key) -> Int? { session.value(of: key.stringValue, in: object) }

    /// The place of a value that has to be there.
    @inline(__always)
    func value(for key: Key) throws -> Int {
        guard let place = find(key) else { throw session.missing(key, in: object) }
        return place
    }

    /// The place of a value that may be missing or `null`.
    @inline(__always)
    func present(_ key: Key) -> Int? {
        guard let place = find(key), !session.isNull(at: place) else { return nil }
        return place
    }
}
