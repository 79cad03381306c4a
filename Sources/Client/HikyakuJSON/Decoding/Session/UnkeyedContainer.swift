/// The unkeyed container of an array.
struct UnkeyedContainer: UnkeyedDecodingContainer {
    let session: DecodingSession
    /// The positions of the array and its next element in the index, and that element's number: 32 bits each, so that
    /// the container fits inline into an existential.
    private let array: UInt32
    private var next: UInt32
    private var ordinal: UInt32

    init(_ session: DecodingSession, array: Int) {
        self.session = session
        self.array = UInt32(truncatingIfNeeded: array)
        next = UInt32(truncatingIfNeeded: array + 2)
        ordinal = 0
    }

    var codingPath: [any CodingKey] { session.codingPath(to: Int(array)) }

    var count: Int? { session.index.members(of: Int(array)) }

    var isAtEnd: Bool { Int(next) >= session.index.end(of: Int(array)) }

    var currentIndex: Int { Int(ordinal) }

    mutating func decodeNil() throws -> Bool {
        guard session.isNull(at: try place(of: Never.self)) else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try element(type) { try $0.value(type, at: $1) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try element(KeyedDecodingContainer<NestedKey>.self) {
            try ValueDecoder(session: $0, place: $1).container(keyedBy: type)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try element((any UnkeyedDecodingContainer).self) {
            try ValueDecoder(session: $0, place: $1).unkeyedContainer()
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        try element((any Decoder).self) { ValueDecoder(session: $0, place: $1) }
    }

    /// Advances past an element only after it was read.
    @inline(__always)
    mutating func element<Value>(
        _ type: Value.Type,
        _ read: (DecodingSession, Int) throws -> Value,
    ) throws -> Value {
        let value = try read(session, place(of: type))
        advance()
        return value
    }

    @inline(__always)
    private func place(of type: any Any.Type) throws -> Int {
        guard isAtEnd else { return Int(next) }
        let path = codingPath + [JSONCodingKey(currentIndex)]
        let text = "expected \(type), found the end of the array"
        throw DecodingError.valueNotFound(type, .init(text, at: session.offset(of: Int(array)), codingPath: path))
    }

    @inline(__always)
    private mutating func advance() {
        next = UInt32(truncatingIfNeeded: session.index.next(after: Int(next)))
        ordinal &+= 1
    }
}

// The protocol requires a function for each type of number. One generic function meets the requirements for integers,
// except where the standard library has a default implementation, which the compiler prefers to a generic function.
extension UnkeyedContainer {
    mutating func decode(_ type: Bool.Type) throws -> Bool { try element(type) { try $0.boolean(at: $1) } }
    mutating func decode(_ type: String.Type) throws -> String { try element(type) { try $0.string(at: $1) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try element(type) { try $0.double(at: $1) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try element(type) { try $0.float(at: $1) } }

    @inline(__always)
    mutating func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
        try element(type) { try $0.integer(type, at: $1) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try element(type) { try $0.integer(type, at: $1) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element(type) { try $0.integer(type, at: $1) } }
}
