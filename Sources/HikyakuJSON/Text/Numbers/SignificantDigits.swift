/// The digits of a number's text without the zeros before and behind: `-0.01250e9` is minus 125 times ten to the fifth.
///
/// Two texts stand for the same number if and only if all of this is the same.
struct SignificantDigits {
    let isNegative: Bool
    /// How many there are, 0 for the number 0.
    let count: Int
    /// The power of ten that the digits as a whole number are to be multiplied by; 0 for the number 0.
    let exponent: Int
    /// The first of the digits; among those that follow there may be a point.
    private let start: UnsafePointer<UInt8>

    /// Reads a text that follows the grammar of JSON's numbers.
    init(_ start: UnsafePointer<UInt8>, _ count: Int) {
        let end = start + count
        var found = Places(firstDigit: start)
        var position = start
        while position < end, position.pointee | 0x20 != UInt8(ascii: "e") {
            found.take(position)
            position += 1
        }
        let power = position < end ? NumberParts.power(from: position, to: end) : 0
        isNegative = count > 0 && start.pointee == Byte.minus
        self.start = found.firstDigit
        self.count = found.significantCount
        exponent = found.significantCount == 0 ? 0 : power - found.fractionCount + found.zeroCount
    }

    /// Gives each digit, as a number from 0 to 9.
    @inline(__always)
    func forEach(_ body: (UInt8) -> Void) {
        var position = start
        var left = count
        while left > 0 {
            let digit = position.pointee &- Byte.zero
            position += 1
            if digit < 10 {
                body(digit)
                left -= 1
            }
        }
    }

    /// What is known while digits are counted.
    private struct Places {
        var firstDigit: UnsafePointer<UInt8>
        var significantCount = 0
        /// Zeros behind the last digit that is none.
        var zeroCount = 0
        var fractionCount = 0
        private var isFraction = false

        init(firstDigit: UnsafePointer<UInt8>) {
            self.firstDigit = firstDigit
        }

        mutating func take(_ place: UnsafePointer<UInt8>) {
            let digit = place.pointee &- Byte.zero
            guard digit < 10 else {
                isFraction = place.pointee == Byte.point
                return
            }
            if isFraction { fractionCount += 1 }
            if digit == 0 {
                zeroCount += 1
            } else {
                if significantCount == 0 { (firstDigit, zeroCount) = (place, 0) }
                significantCount += zeroCount + 1
                zeroCount = 0
            }
        }
    }
}
