// Each of these is a requirement of the protocol, for the types that the standard library names.
extension KeyedContainer {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try session.boolean(at: value(for: key))
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try session.string(at: value(for: key))
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try session.double(at: value(for: key))
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try session.float(at: value(for: key))
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try session.integer(type, at: value(for: key))
    }

    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try session.integer(type, at: value(for: key))
    }

    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try session.integer(type, at: value(for: key))
    }

    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try session.integer(type, at: value(for: key))
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try session.integer(type, at: value(for: key))
    }

    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try session.integer(type, at: value(for: key))
    }

    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try session.integer(type, at: value(for: key))
    }

    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try session.integer(type, at: value(for: key))
    }

    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try session.integer(type, at: value(for: key))
    }

    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try session.integer(type, at: value(for: key))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try session.integer(type, at: value(for: key))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try session.integer(type, at: value(for: key))
    }
}

extension KeyedContainer {
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let place = present(key) else { return nil }
        return try session.boolean(at: place)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let place = present(key) else { return nil }
        return try session.string(at: place)
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let place = present(key) else { return nil }
        return try session.double(at: place)
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let place = present(key) else { return nil }
        return try session.float(at: place)
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }

    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }

    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }

    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }

    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }

    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }

    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }

    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }

    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        guard let place = present(key) else { return nil }
        return try session.integer(type, at: place)
    }
}
