/// The keys of one document by the encoder's strategy, each converted once.
struct KeyConversion {
    private struct Entry {
        let fingerprint: UInt64
        let key: String
        let converted: String
    }

    private let convert: (String) -> String
    /// By fingerprint, with the next free place where one is taken; their number is a power of two.
    private var entries: [Entry?] = []
    private var count = 0
    private let hash = KeyHash()

    init(_ strategy: HikyakuJSONEncoder.KeyEncodingStrategy) {
        switch strategy {
        case .useDefaultKeys: convert = { $0 }
        case .convertToSnakeCase: convert = SnakeCase.snakeCase
        case .custom(let convert): self.convert = convert
        }
    }

    mutating func converted(_ key: String) -> String {
        let fingerprint = hash.fingerprint(of: key)
        if count * 2 >= entries.count { grow() }
        let mask = entries.count - 1
        var slot = Int(truncatingIfNeeded: fingerprint) & mask
        while let entry = entries[slot] {
            // Texts that are equal by Unicode's rules may differ in their bytes, and so in their fingerprints.
            if entry.fingerprint == fingerprint, entry.key == key { return entry.converted }
            slot = (slot + 1) & mask
        }
        let converted = convert(key)
        entries[slot] = Entry(fingerprint: fingerprint, key: key, converted: converted)
        count += 1
        return converted
    }

    private mutating func grow() {
        let all = entries.compactMap { $0 }
        entries = Array(repeating: nil, count: max(entries.count * 2, 32))
        for entry in all {
            var slot = Int(truncatingIfNeeded: entry.fingerprint) & (entries.count - 1)
            while entries[slot] != nil { slot = (slot + 1) & (entries.count - 1) }
            entries[slot] = entry
        }
    }
}
