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
        func keep(_ number: BigNatural, _ exponent: Int) {
            let index = (exponent - exponents.lowerBound) * 2
            (words[index], words[index + 1]) = number.leadingBits
        }
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 16) { memory in
            var power = BigNatural(1, in: memory)
            for exponent in 0...exponents.upperBound {
                keep(power, exponent)
                power.multiply(by: 5)
            }
            // Of two to the 960th, 166 bits are left after the last division: enough for 128 that are right, since
            // rounding down at each step rounds down the whole.
            var reciprocal = BigNatural(1, in: memory)
            reciprocal.shiftLeft(by: 960)
            for exponent in (exponents.lowerBound..<0).reversed() {
                reciprocal.divideByFive()
                keep(reciprocal, exponent)
            }
        }
        return words
    }
}
