/// The powers of five that a `Double` can have to do with, each as its first 128 bits, the rest cut off.
///
/// They are computed when first needed, which takes less time than reading a file of them would: each comes from the
/// one before by a multiplication, or a division, of the exact number.
enum PowersOfFive {
    static let exponents = -342...308
    /// The powers up to this one, from 0 on, are exact.
    static let exactExponentMax = 55

    private static let words = makeWords()

    /// The 128 bits; the highest one is always set.
    @inline(__always)
    static func leadingBits(_ exponent: Int) -> (high: UInt64, low: UInt64) {
        let index = (exponent - exponents.lowerBound) * 2
        return (words[index], words[index + 1])
    }

    /// The place of the highest bit: the power is at least two to this, and less than twice that.
    @inline(__always)
    static func binaryExponent(_ exponent: Int) -> Int {
        // The logarithm of five to the base of two is 152,170 / 65,536, which is near enough for these exponents.
        (exponent * 152_170) >> 16
    }

    private static func makeWords() -> [UInt64] {
        var words = [UInt64](repeating: 0, count: exponents.count * 2)
        func keep(_ number: Natural, _ exponent: Int) {
            let index = (exponent - exponents.lowerBound) * 2
            (words[index], words[index + 1]) = number.leadingBits
        }
        var power = Natural(words: [1])
        for exponent in 0...exponents.upperBound {
            keep(power, exponent)
            power.multiplyByFive()
        }
        // Of two to the 960th, 166 bits are left after the last division: enough for 128 that are right, since
        // rounding down at each step rounds down the whole.
        var reciprocal = Natural(words: Array(repeating: 0, count: 15) + [1])
        for exponent in (exponents.lowerBound..<0).reversed() {
            reciprocal.divideByFive()
            keep(reciprocal, exponent)
        }
        return words
    }
}

/// A natural number of any size.
private struct Natural {
    /// From the least significant on; the last of them isn't 0.
    var words: [UInt64]

    mutating func multiplyByFive() {
        var carry: UInt64 = 0
        for index in words.indices {
            let product = words[index].multipliedFullWidth(by: 5)
            let (low, overflow) = product.low.addingReportingOverflow(carry)
            words[index] = low
            carry = product.high + (overflow ? 1 : 0)
        }
        if carry > 0 { words.append(carry) }
    }

    /// Divides and rounds down.
    mutating func divideByFive() {
        var remainder: UInt64 = 0
        for index in words.indices.reversed() {
            // By halves of words, since a division of whole ones takes more than one machine word.
            let upper = remainder << 32 | words[index] >> 32
            let lower = (upper % 5) << 32 | words[index] & 0xFFFF_FFFF
            words[index] = (upper / 5) << 32 | lower / 5
            remainder = lower % 5
        }
        if words.last == 0 { words.removeLast() }
    }

    /// The first 128 bits from the highest one that is set; zeros stand behind a number that has fewer.
    var leadingBits: (high: UInt64, low: UInt64) {
        func word(_ place: Int) -> UInt64 { place < words.count ? words[words.count - 1 - place] : 0 }
        let shift = UInt64(word(0).leadingZeroBitCount)
        // A shift by 64 gives 0.
        return (word(0) << shift | word(1) >> (64 - shift), word(1) << shift | word(2) >> (64 - shift))
    }
}
