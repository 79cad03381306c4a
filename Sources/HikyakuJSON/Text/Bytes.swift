/// Short runs of bytes.
enum Bytes {
    /// Whether two runs are equal, for the length of keys: two words that overlap instead of a loop.
    @inline(__always)
    static func equal(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if count >= 8 {
            if count > 16 { return equalLong(one, other, count) }
            return word(one) == word(other) && word(one + count - 8) == word(other + count - 8)
        }
        if count >= 4 { return half(one) == half(other) && half(one + count - 4) == half(other + count - 4) }
        if count >= 2 { return pair(one) == pair(other) && one[count - 1] == other[count - 1] }
        return count == 0 || one.pointee == other.pointee
    }

    private static func equalLong(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var place = 0
        while place + 8 < count {
            guard word(one + place) == word(other + place) else { return false }
            place += 8
        }
        return word(one + count - 8) == word(other + count - 8)
    }

    @inline(__always)
    static func word(_ place: UnsafePointer<UInt8>) -> UInt64 {
        UnsafeRawPointer(place).loadUnaligned(as: UInt64.self)
    }

    @inline(__always)
    static func half(_ place: UnsafePointer<UInt8>) -> UInt32 {
        UnsafeRawPointer(place).loadUnaligned(as: UInt32.self)
    }

    @inline(__always)
    private static func pair(_ place: UnsafePointer<UInt8>) -> UInt16 {
        UnsafeRawPointer(place).loadUnaligned(as: UInt16.self)
    }
}
