extension LenientScan {
    /// A number as JSON5 has it ([section 6](https://spec.json5.org/#numbers)).
    mutating func number() {
        let hasSign = base[place] == Byte.plus || base[place] == Byte.minus
        let start = hasSign ? place + 1 : place
        if nonFinite(from: start) { return }
        if count - start >= 2, base[start] == Byte.zero, base[start + 1] | 0x20 == UInt8(ascii: "x") {
            hexadecimal(from: start)
        } else {
            decimal(from: start)
        }
    }

    private mutating func decimal(from start: Int) {
        let whole = start..<digitsEnd(from: start)
        var end = whole.upperBound
        let hasPoint = end < count && base[end] == Byte.point
        if hasPoint { end = digitsEnd(from: end + 1) }
        let hasFraction = hasPoint && end > whole.upperBound + 1
        let hasDigits = !whole.isEmpty || hasFraction
        let exponentStart = end
        end = exponentEnd(from: end)
        let isStandIn = !hasFraction && isStandIn(whole, exponentStart..<end)
        let pointEnd = hasFraction ? end : whole.upperBound + (hasPoint ? 1 : 0)
        write(upTo: hasDigits ? end : nil) { output in
            if whole.isEmpty { output.replace(start, start, by: CollectionOfOne(Byte.zero)) }
            if hasPoint, !hasFraction { output.replace(whole.upperBound, pointEnd, by: EmptyCollection()) }
            // As large, and no stand-in for another.
            if isStandIn { output.replace(exponentStart, exponentStart + 1, by: CollectionOfOne(UInt8(ascii: "E"))) }
        }
    }

    private mutating func hexadecimal(from start: Int) {
        var end = start + 2
        while end < count, EscapeScan.hexadecimal(base[end]) != nil { end += 1 }
        let digits = decimalDigits(start + 2..<end)
        write(upTo: digits == nil ? nil : end) { output in
            if let digits { output.replace(start, end, by: digits) }
        }
    }

    /// `Infinity` and `NaN`, for which numbers stand that nothing else can hold.
    ///
    /// - Returns: Whether one of them stands there.
    mutating func nonFinite(from start: Int) -> Bool {
        guard start < count, base[start] == UInt8(ascii: "I") || base[start] == UInt8(ascii: "N"),
            let number = LenientNumber.allCases.first(where: { starts(with: $0.word, at: start) })
        else { return false }
        let end = start + number.word.utf8.count
        write(upTo: end) { $0.replace(start, end, by: number.rawValue.utf8) }
        return true
    }

    /// Writes a number without its plus; leaves it as it is where it is none, or where what follows directly could make
    /// another one of it.
    private mutating func write(upTo end: Int?, _ body: (inout LenientOutput) -> Void) {
        guard let end, end == count || !Self.isWordPart(base[end]) else { return leaveWord() }
        let (start, index) = (place, output.count(upTo: place))
        if base[place] == Byte.plus { output.replace(place, place + 1, by: CollectionOfOne(Byte.space)) }
        body(&output)
        place = end
        pad(from: start, index)
        last = .value
    }
}

extension LenientScan {
    private func digitsEnd(from start: Int) -> Int {
        var end = start
        while end < count, Byte.isDigit(base[end]) { end += 1 }
        return end
    }

    private func exponentEnd(from start: Int) -> Int {
        guard start < count, base[start] | 0x20 == UInt8(ascii: "e") else { return start }
        var digits = start + 1
        if digits < count, base[digits] == Byte.plus || base[digits] == Byte.minus { digits += 1 }
        let end = digitsEnd(from: digits)
        return end == digits ? start : end
    }

    /// Whether a number is written as one that stands for none, once a point without digits behind it is gone.
    private func isStandIn(_ whole: Range<Int>, _ exponent: Range<Int>) -> Bool {
        guard whole.count == 1, exponent.count > 1 else { return false }
        let text = [base[whole.lowerBound]] + UnsafeBufferPointer(start: base, count: exponent.upperBound)[exponent]
        return LenientNumber.allCases.contains { text.elementsEqual($0.rawValue.utf8) }
    }

    private func starts(with word: String, at place: Int) -> Bool {
        UnsafeBufferPointer(start: base + place, count: count - place).starts(with: word.utf8)
    }

    /// A hexadecimal number in decimal digits; `nil` for one without a digit, and for one of more than 128 bits: the
    /// time that it takes grows with its square.
    private func decimalDigits(_ range: Range<Int>) -> [UInt8]? {
        guard !range.isEmpty else { return nil }
        let significant = range.drop { base[$0] == Byte.zero }
        guard significant.count <= 32 else { return nil }
        // The last digit first.
        var digits: [UInt8] = [0]
        for place in significant {
            var carry = Int(EscapeScan.hexadecimal(base[place]) ?? 0)
            for index in digits.indices {
                carry += Int(digits[index]) * 16
                digits[index] = UInt8(carry % 10)
                carry /= 10
            }
            while carry > 0 {
                digits.append(UInt8(carry % 10))
                carry /= 10
            }
        }
        return digits.reversed().map { Byte.zero + $0 }
    }
}

/// The numbers that stand for those that JSON has none for, in a strict document that was a lenient one.
///
/// No type of Swift can hold them, so that nothing has to be asked about all others. A document's own number of that
/// text is written with a capital E.
enum LenientNumber: String, CaseIterable {
    case infinity = "9e99999999"
    case notANumber = "8e99999999"

    fileprivate var word: String {
        switch self {
        case .infinity: "Infinity"
        case .notANumber: "NaN"
        }
    }
}

extension HikyakuJSONDecoder {
    /// Whether a number stands for `Infinity` or `NaN`.
    func isNonFinite(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        nonFinite(Double.self, start, count) != nil
    }

    /// What a number is that is beyond the range of its type.
    func nonFinite<Value: BinaryFloatingPoint>(
        _ type: Value.Type,
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
    ) -> Value? {
        guard leniency.isJSON5 else { return nil }
        let isNegative = start.pointee == Byte.minus
        let text = UnsafeBufferPointer(start: start, count: count).dropFirst(isNegative ? 1 : 0)
        guard let number = LenientNumber.allCases.first(where: { text.elementsEqual($0.rawValue.utf8) }) else {
            return nil
        }
        switch number {
        case .infinity: return isNegative ? -.infinity : .infinity
        case .notANumber: return .nan
        }
    }
}
