/// The keys of one document by the encoder's strategy, each converted once.
struct KeyConversion {
    private struct Entry {
        let fingerprint: UInt64
        let key: String
        let converted: String
    }

    let convert: (String) -> String
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

    /// What a key was converted to before.
    func known(_ key: String) -> String? {
        guard !entries.isEmpty else { return nil }
        return entries[slot(of: key, hash.fingerprint(of: key))]?.converted
    }

    mutating func insert(_ key: String, _ converted: String) {
        if count * 2 >= entries.count { grow() }
        let fingerprint = hash.fingerprint(of: key)
        let slot = slot(of: key, fingerprint)
        if entries[slot] == nil { count += 1 }
        entries[slot] = Entry(fingerprint: fingerprint, key: key, converted: converted)
    }

    /// Where the key's entry is, or where it belongs.
    private func slot(of key: String, _ fingerprint: UInt64) -> Int {
        let mask = entries.count - 1
        var slot = Int(truncatingIfNeeded: fingerprint) & mask
        while let entry = entries[slot] {
            // Texts that are equal by Unicode's rules may differ in their bytes, and so in their fingerprints.
            if entry.fingerprint == fingerprint, entry.key == key { break }
            slot = (slot + 1) & mask
        }
        return slot
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

/// The members of one object with many keys, by their fingerprints.
///
/// The fingerprints hang on a seed that each process draws, so that nobody can choose keys that fall on one place.
struct KeyTable {
    /// Up to so many members, each new key is compared with all before.
    static let scannedMax = 16

    /// Indices of members, counted from 1, and 0 where there is none; their number is a power of two.
    private var slots: [Int] = []
    private var count = 0

    /// Puts in the last member, and all before where they aren't yet.
    ///
    /// - Returns: Whether one before it is the same.
    mutating func insertLast(
        of members: UnsafeBufferPointer<MemberStack.Member>,
        isSame: (MemberStack.Member, MemberStack.Member) -> Bool,
    ) -> Bool {
        if slots.isEmpty || count * 2 > slots.count { rebuild(members) }
        return insert(members.count - 1, of: members, isSame: isSame)
    }

    private mutating func rebuild(_ members: UnsafeBufferPointer<MemberStack.Member>) {
        var capacity = 64
        while capacity < members.count * 4 { capacity *= 2 }
        slots = Array(repeating: 0, count: capacity)
        count = 0
        for index in members.indices.dropLast() { _ = insert(index, of: members) { _, _ in false } }
    }

    /// A slot may point to a member that was taken back since; what stands there now is compared.
    private mutating func insert(
        _ index: Int,
        of members: UnsafeBufferPointer<MemberStack.Member>,
        isSame: (MemberStack.Member, MemberStack.Member) -> Bool,
    ) -> Bool {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: members[index].fingerprint) & mask
        while slots[slot] != 0 {
            let other = slots[slot] - 1
            if other < index, isSame(members[other], members[index]) { return true }
            slot = (slot + 1) & mask
        }
        slots[slot] = index + 1
        count += 1
        return false
    }
}

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
