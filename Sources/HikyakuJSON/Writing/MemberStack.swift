/// Where the members of all open objects begin, those of the innermost last.
struct MemberStack: ~Copyable {
    struct Member {
        /// A seeded hash of the key, where repeated keys are looked for.
        var fingerprint: UInt64
        /// Where the key's first quotation mark stands.
        var start: Int
        /// The length of the key as it was written, with its quotation marks.
        var keyLength: Int
    }

    private(set) var base: UnsafeMutablePointer<Member>
    private(set) var count = 0
    private var capacity = 0

    init() {
        base = .allocate(capacity: 0)
    }

    deinit {
        base.deallocate()
    }

    @inline(__always) mutating func push(_ member: Member) {
        if count == capacity { grow() }
        (base + count).initialize(to: member)
        count += 1
    }

    /// Forgets the members from a place on.
    @inline(__always) mutating func truncate(to length: Int) {
        count = min(count, length)
    }

    @inline(never) private mutating func grow() {
        capacity = max(capacity * 2, 32)
        let moved = UnsafeMutablePointer<Member>.allocate(capacity: capacity)
        moved.moveInitialize(from: base, count: count)
        base.deallocate()
        base = moved
    }
}

extension ByteBuffer {
    /// Puts the members of the object that ends here in the order of their keys' bytes.
    ///
    /// What stands between two members is the same everywhere, so that only the members change their places.
    mutating func sort(_ members: UnsafeMutableBufferPointer<MemberStack.Member>) {
        guard members.count > 1 else { return }
        let bytes = bytes
        var keys = members.indices.map { index in
            SortedKey(index: index, text: members[index].keyText(in: bytes))
        }
        guard !keys.indices.dropFirst().allSatisfy({ !(keys[$0] < keys[$0 - 1]) }) else { return }
        keys.sort()
        let first = members[0].start
        let separator = bytes[first..<members[1].start].suffix(separatorLength(before: members[1].start))
        var sorted: [UInt8] = []
        sorted.reserveCapacity(count - first)
        for (place, key) in keys.enumerated() {
            if place > 0 { sorted += separator }
            let isLast = key.index == members.count - 1
            let end = isLast ? count : members[key.index + 1].start - separator.count
            sorted += bytes[members[key.index].start..<end]
        }
        replace(from: first, with: sorted)
    }

    /// A comma, and the line break and the spaces behind it in pretty output.
    private func separatorLength(before start: Int) -> Int {
        var comma = start - 1
        while bytes[comma] != UInt8(ascii: ",") { comma -= 1 }
        return start - comma
    }
}

extension MemberStack.Member {
    /// The key without its quotation marks, as it was written.
    func keyText(in bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[(start + 1)..<(start + keyLength - 1)])
    }
}

/// A key to sort by, as it was written.
private struct SortedKey: Comparable {
    let index: Int
    let text: UnsafeBufferPointer<UInt8>
    /// The first eight bytes, which tell most keys apart.
    private let prefix: UInt64
    private let isEscaped: Bool

    init(index: Int, text: UnsafeBufferPointer<UInt8>) {
        self.index = index
        self.text = text
        isEscaped = text.contains(UInt8(ascii: "\\"))
        prefix = (0..<8).reduce(0) { $0 << 8 | UInt64($1 < text.count ? text[$1] : 0) }
    }

    static func == (left: SortedKey, right: SortedKey) -> Bool {
        left.index == right.index
    }

    static func < (left: SortedKey, right: SortedKey) -> Bool {
        if left.isEscaped || right.isEscaped {
            // Without its escape a quotation mark stands before all letters, with it behind those in capitals.
            return UnescapedText(left.text).lexicographicallyPrecedes(UnescapedText(right.text))
        }
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        return left.text.lexicographicallyPrecedes(right.text)
    }
}
