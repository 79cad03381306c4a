/// Where the members of all open objects begin, those of the innermost last.
struct MemberStack: ~Copyable {
    struct Member {
        /// A seeded hash of the key, where repeated keys are looked for.
        var fingerprint: UInt64
        /// Where the key's first quotation mark stands.
        var start: Int
        /// The length of the key as it was written, with its quotation marks.
        var keyLength: Int
        /// Whether the key was written with escapes.
        var isEscaped: Bool
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

extension MemberStack.Member {
    /// The key without its quotation marks, as it was written.
    func keyText(in bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[(start + 1)..<(start + keyLength - 1)])
    }
}
