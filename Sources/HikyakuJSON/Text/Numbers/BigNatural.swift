/// A natural number of any size within memory that its user lends: just what the exact conversion of numbers needs.
///
/// What doesn't fit is lost without a trap; its users choose the room such that everything does.
struct BigNatural {
    /// The words in use from the least significant on; the last of them isn't 0.
    private(set) var count = 0
    private let words: UnsafeMutableBufferPointer<UInt64>

    init(_ value: UInt64, in words: UnsafeMutableBufferPointer<UInt64>) {
        self.words = words
        append(value)
    }

    private mutating func append(_ word: UInt64) {
        guard word != 0, count < words.count else { return }
        words[count] = word
        count += 1
    }

    /// Multiplies, and adds to the product.
    mutating func multiply(by factor: UInt64, adding summand: UInt64 = 0) {
        var carry = summand
        for index in 0..<count {
            let product = words[index].multipliedFullWidth(by: factor)
            let (low, overflow) = product.low.addingReportingOverflow(carry)
            words[index] = low
            // A product's upper word is never the largest number, so there is room for one more.
            carry = product.high &+ (overflow ? 1 : 0)
        }
        append(carry)
    }

    mutating func multiply(byPowerOfFive exponent: Int) {
        var rest = exponent
        while rest >= 27 {
            multiply(by: 7_450_580_596_923_828_125)
            rest -= 27
        }
        var factor: UInt64 = 1
        while rest > 0 {
            factor *= 5
            rest -= 1
        }
        multiply(by: factor)
    }

    /// Multiplies by a power of two.
    mutating func shiftLeft(by bits: Int) {
        let (wordCount, bitCount) = bits.quotientAndRemainder(dividingBy: 64)
        multiply(by: 1 << UInt64(bitCount))
        guard wordCount > 0, count > 0 else { return }
        let kept = max(0, min(count, words.count - wordCount))
        for index in (0..<kept).reversed() { words[index + wordCount] = words[index] }
        for index in 0..<min(wordCount, words.count) { words[index] = 0 }
        count = kept + min(wordCount, words.count)
    }

    /// Divides by five and rounds down.
    mutating func divideByFive() {
        var remainder: UInt64 = 0
        for index in (0..<count).reversed() {
            // By halves of words, since a division of whole ones takes more than one machine word.
            let upper = remainder << 32 | words[index] >> 32
            let lower = (upper % 5) << 32 | words[index] & 0xFFFF_FFFF
            words[index] = (upper / 5) << 32 | lower / 5
            remainder = lower % 5
        }
        if count > 0, words[count - 1] == 0 { count -= 1 }
    }

    /// The first 128 bits from the highest one that is set; zeros stand behind a number that has fewer.
    var leadingBits: (high: UInt64, low: UInt64) {
        func word(_ place: Int) -> UInt64 { place < count ? words[count - 1 - place] : 0 }
        let shift = UInt64(word(0).leadingZeroBitCount)
        // A shift by 64 gives 0.
        return (word(0) << shift | word(1) >> (64 - shift), word(1) << shift | word(2) >> (64 - shift))
    }

    /// Below 0, 0 or above it, as this number is less than the other, equal, or greater.
    func compared(to other: BigNatural) -> Int {
        guard count == other.count else { return count < other.count ? -1 : 1 }
        for index in (0..<count).reversed() where words[index] != other.words[index] {
            return words[index] < other.words[index] ? -1 : 1
        }
        return 0
    }
}
