/// Makes sixty-four bits of a key that hang on all its bytes, and on a seed, so that nobody can choose keys that meet.
struct KeyHash {
    /// Drawn once for each process.
    private static let seed = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max) | 1)

    private let start = Self.seed.0
    private let factor = Self.seed.1

    @inline(__always) func fingerprint(of key: String) -> UInt64 {
        if let fingerprint = key.utf8.withContiguousStorageIfAvailable({ fingerprint(of: $0) }) { return fingerprint }
        var copy = key
        return copy.withUTF8 { fingerprint(of: $0) }
    }

    @inline(__always) private func fingerprint(of key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var state = start ^ UInt64(truncatingIfNeeded: key.count)
        guard let text = key.baseAddress else { return state }
        var index = 0
        while index < key.count {
            let rest = key.count &- index
            let word = rest >= 8 ? Word.load(text + index) : Word.load(text + index, count: rest)
            state = mixed(state ^ word)
            index &+= 8
        }
        return mixed(state)
    }

    /// Both halves of a product, so that every bit of the state reaches every bit of the outcome.
    @inline(__always) private func mixed(_ state: UInt64) -> UInt64 {
        let product = state.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}
