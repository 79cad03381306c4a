/// Finds the end of a number ([RFC 8259, section 6](https://www.rfc-editor.org/rfc/rfc8259#section-6)).
enum NumberScan {
    /// A number's end, and whether it has neither fraction nor exponent.
    struct Found {
        let end: UnsafePointer<UInt8>
        let isInteger: Bool
    }

    /// Reads a number as far as it goes; it begins with a minus or a digit.
    @inline(__always)
    static func number(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(TextScan.Fault) -> Found {
        var place = start
        if place.pointee == Byte.minus { place += 1 }
        let digits = place
        place = digitsEnd(from: place, to: end)
        let count = place - digits
        guard count == 1 || count > 1 && digits.pointee != Byte.zero else {
            throw fault(count == 0 ? place : digits, end)
        }
        guard place < end, place.pointee == Byte.point || place.pointee | 0x20 == UInt8(ascii: "e") else {
            return Found(end: place, isInteger: true)
        }
        return Found(end: try tail(from: place, to: end), isInteger: false)
    }

    @inline(__always)
    private static func digitsEnd(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) -> UnsafePointer<UInt8> {
        var place = start
        while place < end, Byte.isDigit(place.pointee) { place += 1 }
        return place
    }

    /// The fraction and the exponent.
    @inline(__always)
    private static func tail(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(TextScan.Fault) -> UnsafePointer<UInt8> {
        var place = start
        if place.pointee == Byte.point {
            place = digitsEnd(from: place + 1, to: end)
            guard place > start + 1 else { throw fault(place, end) }
        }
        if place < end, place.pointee | 0x20 == UInt8(ascii: "e") {
            place += 1
            if place < end, place.pointee == Byte.plus || place.pointee == Byte.minus { place += 1 }
            let digits = place
            place = digitsEnd(from: place, to: end)
            guard place > digits else { throw fault(place, end) }
        }
        return place
    }

    private static func fault(_ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> TextScan.Fault {
        TextScan.Fault(place: place, kind: place == end ? .unexpectedEnd : .badNumber)
    }
}
