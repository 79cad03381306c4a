extension IntegerText {
    /// A whole number of at most 18 digits, which is what nearly all are; `nil` leaves it to be looked at closely.
    @inline(__always)
    static func short(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
        let isNegative = start.pointee == Byte.minus
        guard count <= 18 else { return nil }
        var value: Int64 = 0
        var place = isNegative ? 1 : 0
        while place < count {
            value = value &* 10 &+ Int64(start[place] &- Byte.zero)
            place += 1
        }
        return isNegative ? -value : value
    }

    /// The same for a number whose end isn't known; it may have no fraction, no exponent and no leading zero.
    @inline(__always)
    static func short(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) -> (Int64, UnsafePointer<UInt8>)? {
        var place = start
        guard place < end else { return nil }
        let isNegative = place.pointee == Byte.minus
        if isNegative { place += 1 }
        let first = place
        var value: Int64 = 0
        while place < end, Byte.isDigit(place.pointee) {
            value = value &* 10 &+ Int64(place.pointee &- Byte.zero)
            place += 1
        }
        let count = place - first
        guard count > 0, count <= 18, count == 1 || first.pointee != Byte.zero else { return nil }
        if place < end, place.pointee == Byte.point || place.pointee | 0x20 == UInt8(ascii: "e") { return nil }
        return (isNegative ? -value : value, place)
    }
}
