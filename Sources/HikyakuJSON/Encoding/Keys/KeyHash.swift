/// Makes sixty-four bits of a key that hang on all its bytes, and on a seed, so that nobody can choose keys that meet.
struct KeyHash {
    /// Drawn once for each process.
    private static let seed = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max) | 1)

    private let start = Self.seed.0
    private let factor = Self.seed.1

    func fingerprint(of key: String) -> UInt64 {
        key.withContiguousBytes { fingerprint(of: $0) }
    }

    func fingerprint(of key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var state = start(for: key.count)
        guard let text = key.baseAddress else { return mixed(state, 0) }
        for index in stride(from: 0, to: key.count, by: 8) {
            let rest = key.count - index
            state = mixed(state, rest >= 8 ? Word.load(text + index) : Word.load(text + index, count: rest))
        }
        return mixed(state, 0)
    }

    /// What the words of a key are mixed into, one after the other, and a 0 in the end.
    @inline(__always) func start(for length: Int) -> UInt64 {
        start ^ UInt64(truncatingIfNeeded: length)
    }

    /// Both halves of a product, so that every bit of the state reaches every bit of the outcome.
    @inline(__always) func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}

extension String {
    /// The text's UTF-8, copied only where the text isn't of Swift's own kind.
    @inline(__always) func withContiguousBytes<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return try copy.withUTF8(body)
    }
}
