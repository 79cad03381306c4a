/// The super decoder of a key that its object lacks, which stands for `null`: a superclass may do without any value.
struct MissingDecoder: Decoder, SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]
    /// The object that lacks the key.
    private let place: JSONPlace

    init(_ key: any CodingKey, in object: Int, _ session: DecodingSession) {
        codingPath = session.codingPath(to: object) + [key]
        userInfo = session.settings.userInfo
        place = JSONPlace(byteOffset: session.offset(of: object))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw missing([String: Any].self, "an object")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw missing([Any].self, "an array") }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }

    func decode(_ type: Bool.Type) throws -> Bool { throw missing(type) }
    func decode(_ type: String.Type) throws -> String { throw missing(type) }
    func decode(_ type: Double.Type) throws -> Double { throw missing(type) }
    func decode(_ type: Float.Type) throws -> Float { throw missing(type) }
    func decode(_ type: Int.Type) throws -> Int { throw missing(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { throw missing(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { throw missing(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { throw missing(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { throw missing(type) }
    func decode(_ type: UInt.Type) throws -> UInt { throw missing(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { throw missing(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { throw missing(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { throw missing(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { throw missing(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { throw missing(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { throw missing(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

    private func missing(_ type: any Any.Type, _ name: String? = nil) -> DecodingError {
        let text = "expected \(name ?? String(describing: type)), found nothing"
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: text, underlyingError: place)
        return .valueNotFound(type, context)
    }
}
