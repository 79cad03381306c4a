/// Reads `true`, `false` and `null`, and says what else can't begin a value.
enum WordScan {
    static func word(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(TextScan.Fault) -> (JSONEntry.Kind, UnsafePointer<UInt8>) {
        switch start.pointee {
        case UInt8(ascii: "t"): (.true, try match("true", from: start, to: end))
        case UInt8(ascii: "f"): (.false, try match("false", from: start, to: end))
        case UInt8(ascii: "n"): (.null, try match("null", from: start, to: end))
        default: throw TextScan.Fault(place: start, kind: .noValue)
        }
    }

    @inline(__always)
    private static func match(
        _ word: StaticString,
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(TextScan.Fault) -> UnsafePointer<UInt8> {
        for index in 0..<word.utf8CodeUnitCount {
            guard start + index < end else { throw TextScan.Fault(place: end, kind: .unexpectedEnd) }
            guard start[index] == word.utf8Start[index] else {
                throw TextScan.Fault(place: start, kind: .badWord)
            }
        }
        return start + word.utf8CodeUnitCount
    }
}
