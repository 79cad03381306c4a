/// Decides by exact arithmetic what ``BinaryRounding`` had to leave open: which is rare, so that it may take a while.
enum ExactRounding {
    /// No middle between two numbers has more digits: of two `Double`s it has 767 at most.
    ///
    /// Of digits behind, it matters only whether there are any.
    private static let digitsMax = 800
    /// Room for all that is compared: 800 digits take 42 words, and so do the powers of five against them.
    private static let wordsMax = 64

    /// - Parameters:
    ///   - type: The type whose bits they are.
    ///   - floor: The bit pattern of the number below.
    ///   - start: The number's text.
    ///   - count: The text's length.
    /// - Returns: The nearest number's bit pattern.
    @inline(never)
    static func nearest<Value: BinaryFloatingPoint>(
        _ type: Value.Type,
        floor: UInt64,
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
    ) -> UInt64 {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * wordsMax) { memory in
            let order = order(
                type,
                floor,
                start,
                count,
                UnsafeMutableBufferPointer(rebasing: memory[..<wordsMax]),
                UnsafeMutableBufferPointer(rebasing: memory[wordsMax...]),
            )
            return order > 0 || order == 0 && floor & 1 == 1 ? floor + 1 : floor
        }
    }

    /// Compares the text's number with the middle between the number below and the next.
    private static func order<Value: BinaryFloatingPoint>(
        _ type: Value.Type,
        _ floor: UInt64,
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
        _ textMemory: UnsafeMutableBufferPointer<UInt64>,
        _ middleMemory: UnsafeMutableBufferPointer<UInt64>,
    ) -> Int {
        var (number, exponent) = digits(start, count, textMemory)
        let significandBits = UInt64(Value.significandBitCount)
        let stored = Int(floor >> significandBits)
        let significand = floor & (1 << significandBits - 1) | (stored > 0 ? 1 << significandBits : 0)
        let bias = 1 << (Value.exponentBitCount - 1) - 1
        // The middle is this many halves of the number's last bit.
        var middle = BigNatural(2 * significand + 1, in: middleMemory)
        let binaryExponent = max(stored, 1) - bias - Value.significandBitCount - 1
        number.multiply(byPowerOfFive: max(0, exponent))
        middle.multiply(byPowerOfFive: max(0, -exponent))
        let shift = binaryExponent - exponent
        if shift > 0 { middle.shiftLeft(by: shift) } else { number.shiftLeft(by: -shift) }
        return number.compared(to: middle)
    }

    /// The digits as a number, and the power of ten that it is to be multiplied by.
    private static func digits(
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
        _ memory: UnsafeMutableBufferPointer<UInt64>,
    ) -> (number: BigNatural, exponent: Int) {
        var digits = Digits(number: BigNatural(0, in: memory))
        for index in 0..<count {
            let byte = start[index]
            if byte | 0x20 == UInt8(ascii: "e") {
                digits.exponent += Int(clamping: NumberParts.power(from: start + index, to: start + count))
                break
            }
            digits.take(byte)
        }
        if digits.hasMore { digits.append(1) }
        digits.flush()
        return (digits.number, digits.exponent)
    }

    /// A number that grows by digits: by 19 at once, since each time takes a pass over it.
    private struct Digits {
        var number: BigNatural
        var exponent = 0
        var hasMore = false
        private var count = 0
        private var isFraction = false
        private var pending: UInt64 = 0
        private var pendingScale: UInt64 = 1

        init(number: BigNatural) {
            self.number = number
        }

        mutating func take(_ byte: UInt8) {
            let digit = byte &- Byte.zero
            if digit >= 10 {
                isFraction = byte == Byte.point
            } else if count == digitsMax {
                hasMore = hasMore || digit != 0
                if !isFraction { exponent += 1 }
            } else {
                append(digit)
                // What is appended stands for a place before the point, or behind it.
                if !isFraction { exponent += 1 }
                if count > 0 || digit != 0 { count += 1 }
            }
        }

        /// Adds a digit at the end, which makes the unit ten times smaller.
        mutating func append(_ digit: UInt8) {
            pending = pending * 10 + UInt64(digit)
            pendingScale *= 10
            exponent -= 1
            if pendingScale == 10_000_000_000_000_000_000 { flush() }
        }

        mutating func flush() {
            number.multiply(by: pendingScale, adding: pending)
            (pending, pendingScale) = (0, 1)
        }
    }
}
