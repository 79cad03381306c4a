/// Converts the keys of one document by the encoder's strategy, each of them once.
struct KeyConversion {
    private struct Entry {
        let fingerprint: UInt64
        let key: String
        let converted: String
    }

    let convert: (String) -> String
    /// A hash table by fingerprint with linear probing; its size is a power of two.
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

    /// The result of an earlier conversion of a key.
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

    /// The slot of the key's entry, or the free slot for it.
    private func slot(of key: String, _ fingerprint: UInt64) -> Int {
        let mask = entries.count - 1
        var slot = Int(truncatingIfNeeded: fingerprint) & mask
        while let entry = entries[slot] {
            // Canonically equivalent strings may differ in their bytes, and so in their fingerprints.
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
/// The fingerprints depend on a random seed of the process, so that an attacker can't choose keys that collide.
struct KeyTable {
    /// With at most this many members, each new key is compared with all earlier ones.
    static let scannedMax = 16

    /// Indices of members, counted from 1; 0 is a free slot.
    ///
    /// The size is a power of two.
    private var slots: [Int] = []
    private var count = 0

    /// Inserts the last member, and all earlier ones if they are missing.
    ///
    /// - Returns: Whether an earlier member has the same key.
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

    /// A slot may have the index of a member that was rolled back; the member at that index is compared.
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

/// A 64-bit hash of a key's bytes with a random seed, so that an attacker can't choose keys that collide.
struct KeyHash {
    /// Random for each process.
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

    /// The initial state, into which the words of a key are mixed in order, and finally a 0.
    @inline(__always) func start(for length: Int) -> UInt64 {
        start ^ UInt64(truncatingIfNeeded: length)
    }

    /// Combines both halves of a product, so that every bit of the state influences every bit of the result.
    @inline(__always) func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}

extension String {
    /// Calls a closure with the UTF-8 bytes, which are copied only for bridged strings.
    @inline(__always) func withContiguousBytes<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return try copy.withUTF8(body)
    }
}
