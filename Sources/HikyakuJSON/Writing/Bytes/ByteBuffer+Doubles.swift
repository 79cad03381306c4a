extension ByteBuffer {
    /// Writes the shortest digits that read back as the same number; a whole number stands without `.0`.
    ///
    /// JSON has no text for a number that isn't finite: who calls has looked.
    mutating func appendFinite(_ value: Double) {
        let magnitude = value.magnitude
        guard magnitude < 9_007_199_254_740_992 else { return appendDescription(value.description) }
        if value.sign == .minus { append(UInt8(ascii: "-")) }
        let whole = Int64(magnitude)
        if Double(whole) == magnitude { return appendUnsigned(whole.magnitude) }
        if magnitude >= 0.001, appendDecimal(magnitude) { return }
        appendDescription(magnitude.description)
    }

    mutating func appendFinite(_ value: Float) {
        guard value.magnitude < 16_777_216, value == value.rounded(.towardZero) else {
            return appendDescription(value.description)
        }
        if value.sign == .minus { append(UInt8(ascii: "-")) }
        appendUnsigned(UInt64(value.magnitude))
    }

    /// Writes a number of few places behind the point, as prices and coordinates have.
    ///
    /// No two decimals of 15 digits have the same number, so that one that divides back to the number is the shortest,
    /// but for zeros at its end; and none is missed, since the product is off by less than a quarter.
    private mutating func appendDecimal(_ magnitude: Double) -> Bool {
        let isSmall = magnitude < 1e8
        guard isSmall || magnitude < 1e12 else { return false }
        let scale = isSmall ? 1e7 : 1e3
        let product = magnitude * scale
        let digits = UInt64(product + 0.5)
        let nearest = Double(digits)
        // The division is slow, and most numbers are told apart without.
        guard (product - nearest).magnitude <= product * 0x1p-51, nearest / scale == magnitude else { return false }
        let power: UInt64 = isSmall ? 10_000_000 : 1000
        var fraction = digits % power
        var places = isSmall ? 7 : 3
        while fraction % 10 == 0 {
            fraction /= 10
            places -= 1
        }
        appendUnsigned(digits / power)
        append(UInt8(ascii: "."))
        append(fraction, paddedTo: places)
        return true
    }

    /// Swift writes the shortest digits too, with `.0` behind whole numbers.
    private mutating func appendDescription(_ description: String) {
        var text = description
        text.withUTF8 { digits in
            let isWhole = digits.count > 2 && digits[digits.count - 1] == 0x30 && digits[digits.count - 2] == 0x2E
            append(UnsafeBufferPointer(rebasing: digits[..<(digits.count - (isWhole ? 2 : 0))]))
        }
    }
}
