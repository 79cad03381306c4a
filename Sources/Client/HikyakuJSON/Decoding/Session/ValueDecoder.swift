/// The decoder for a type's `init(from:)`: a position in a document.
struct ValueDecoder: Decoder {
    let session: DecodingSession
    /// The value's position in the index.
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

    @inline(__always)
    func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
        try session.integer(type, at: place)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try session.integer(type, at: place) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try session.integer(type, at: place) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try session.value(type, at: place)
    }
}

/// A value of a document whose keys are found unconverted, for envelopes.
///
/// Key strategies apply to the keys of types, not to an envelope's. A found value is decoded in place, so that all
/// parts of a document share its index.
package struct DocumentPlace {
    private let decoder: ValueDecoder

    /// Creates it for a decoder's value; `nil` if the decoder is not from `HikyakuJSONDecoder`.
    package init?(_ decoder: any Decoder) {
        guard let decoder = decoder as? ValueDecoder else { return nil }
        self.decoder = decoder
    }

    /// Follows keys from object to object.
    ///
    /// - Returns: The value of the last key; `nil` if one of the keys is missing.
    /// - Throws: `DecodingError` if a value on the path is not an object.
    package func value(at keys: [String]) throws -> (any Decoder)? {
        let (place, missing) = try follow(keys)
        return missing == nil ? ValueDecoder(session: decoder.session, place: place) : nil
    }

    /// The error for a key that ``value(at:)`` does not find, with the offset of the object that lacks it.
    package func missing(_ keys: [String]) throws -> DecodingError {
        let (place, missing) = try follow(keys)
        return decoder.session.missing(JSONCodingKey(missing ?? keys.last ?? ""), in: place)
    }

    /// The position of the value, or of the object that lacks one of the keys.
    private func follow(_ keys: [String]) throws -> (place: Int, missing: String?) {
        let session = decoder.session
        var place = decoder.place
        for key in keys {
            guard let next = session.value(ofSource: key, in: try object(at: place)) else { return (place, key) }
            place = next
        }
        return (place, nil)
    }

    private func object(at place: Int) throws -> Int {
        guard decoder.session.index[place].kind == .object else {
            throw decoder.session.mismatch([String: Any].self, "an object", at: place)
        }
        return place
    }

    /// The error for a value that can be decoded but is not acceptable.
    ///
    /// - Parameters:
    ///   - words: The expectation, in words that follow "expected".
    ///   - decoder: The decoder of the value, of any kind.
    /// - Returns: The error.
    package static func unacceptable(_ words: String, at decoder: any Decoder) -> DecodingError {
        let (text, expectation) = ("expected \(words)", JSONExpectation.words(words))
        if let decoder = decoder as? ValueDecoder {
            return .dataCorrupted(decoder.session.context(text, at: decoder.place, expectation))
        }
        let path = decoder.codingPath
        return .dataCorrupted(.init(codingPath: path, debugDescription: text, underlyingError: expectation))
    }
}

extension DecodingSession {
    /// Finds the value of an unconverted key.
    fileprivate func value(ofSource name: String, in object: Int) -> Int? {
        guard keyTexts != nil else { return value(of: name, in: object) }
        var found: Int?
        // The last one wins.
        forEachMember(of: object) { if sourceText(ofKeyAt: $0).utf8.elementsEqual(name.utf8) { found = $0 + 1 } }
        return found
    }
}

/// The super decoder of a missing key, which decodes as `null`: a superclass may need no value.
struct MissingDecoder: Decoder, SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]
    /// The object that lacks the key.
    private let offset: Int

    init(_ key: any CodingKey, in object: Int, _ session: DecodingSession) {
        codingPath = session.codingPath(to: object) + [key]
        userInfo = session.settings.userInfo
        offset = session.offset(of: object)
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
    @inline(__always)
    func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value { throw missing(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { throw missing(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { throw missing(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

    private func missing(_ type: any Any.Type, _ name: String? = nil) -> DecodingError {
        let text = "expected \(name ?? String(describing: type)), found nothing"
        return .valueNotFound(type, .init(text, at: offset, codingPath: codingPath))
    }
}
