/// SplitMix64: the same numbers for the same seed on every machine, so that the service always has the same articles.
nonisolated struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of a range; not `Int.random`, whose algorithm may change with the standard library.
    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// One of the elements.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(in: 0...(elements.count - 1))]
    }

    /// `true` once in the given number of times, on average.
    mutating func once(in times: Int) -> Bool {
        number(in: 1...times) == 1
    }

    /// Hexadecimal digits.
    mutating func hexadecimal(digits: Int) -> String {
        String((0..<digits).map { _ in pick(Array("0123456789abcdef")) })
    }
}
