/// Random numbers by a seed, so that what a test found can be found again.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        // A counter that is mixed, as SplitMix64 does.
        state = state &+ 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

extension Dictionary where Key: Comparable {
    /// An entry that the generator alone chooses: a dictionary's own order differs from process to process.
    package func randomEntry(using generator: inout SeededGenerator) -> Element? {
        keys.sorted().randomElement(using: &generator).flatMap { key in self[key].map { (key, $0) } }
    }
}
