/// The members of all open objects, those of the innermost last.
struct MemberStack: ~Copyable {
    struct Member {
        /// A seeded hash of the key, for finding repeated keys.
        var fingerprint: UInt64
        /// The offset of the key's opening quote.
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

    /// Removes the members from an index on.
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

extension ByteBuffer {
    /// Sorts the members of the object that ends here by the bytes of their keys.
    ///
    /// The separators between members are all the same, so only the members move.
    mutating func sort(_ members: UnsafeBufferPointer<MemberStack.Member>) {
        guard members.count > 1 else { return }
        let bytes = bytes
        let isSorted = members.indices.dropLast().allSatisfy { index in
            !(SortedKey(members[index + 1], in: bytes) < SortedKey(members[index], in: bytes))
        }
        guard !isSorted else { return }
        withUnsafeTemporaryAllocation(of: SortedMember.self, capacity: members.count) { buffer in
            var sorted = buffer
            let separator = separatorLength(before: members[1].start)
            for (index, member) in members.enumerated() {
                let end = index == members.count - 1 ? count : members[index + 1].start - separator
                let sortedMember = SortedMember(key: SortedKey(member, in: bytes), start: member.start, end: end)
                sorted.initializeElement(at: index, to: sortedMember)
            }
            sorted.sort { $0.key < $1.key }
            arrange(UnsafeBufferPointer(sorted), separator: bytes[(members[1].start - separator)..<members[1].start])
        }
    }

    /// Overwrites the members in their new order.
    private mutating func arrange(
        _ members: UnsafeBufferPointer<SortedMember>,
        separator: Slice<UnsafeBufferPointer<UInt8>>,
    ) {
        let first = members.reduce(count) { min($0, $1.start) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count - first) { arranged in
            var place = 0
            for (index, member) in members.enumerated() {
                if index > 0 { place = arranged[place...].initialize(fromContentsOf: separator) }
                place = arranged[place...].initialize(fromContentsOf: bytes[member.start..<member.end])
            }
            replace(from: first, with: UnsafeBufferPointer(arranged))
        }
    }

    /// The length of a comma, with the line break and the spaces of pretty output.
    private func separatorLength(before start: Int) -> Int {
        var comma = start - 1
        while bytes[comma] != UInt8(ascii: ",") { comma -= 1 }
        return start - comma
    }
}

private struct SortedMember {
    let key: SortedKey
    let start: Int
    let end: Int
}

/// A key to sort by, as it was written.
private struct SortedKey {
    private let text: UnsafeBufferPointer<UInt8>
    /// The first eight bytes as a number, which differ for most keys.
    private let prefix: UInt64
    private let isEscaped: Bool

    init(_ member: MemberStack.Member, in bytes: UnsafeBufferPointer<UInt8>) {
        text = member.keyText(in: bytes)
        isEscaped = member.isEscaped
        // A key of less than eight bytes is padded with spaces, which sort before all other characters.
        prefix = Self.firstWord(of: text).byteSwapped
    }

    private static func firstWord(of text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let start = text.baseAddress, !text.isEmpty else { return 0 }
        return text.count >= 8 ? Word.load(start) : Word.load(start, count: text.count)
    }

    static func < (left: SortedKey, right: SortedKey) -> Bool {
        if left.isEscaped || right.isEscaped { return unescaped(left, precedes: right) }
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        return left.text.lexicographicallyPrecedes(right.text)
    }

    /// Unescaped, a quotation mark sorts before all letters; escaped, after the capitals.
    @inline(never)
    private static func unescaped(_ left: SortedKey, precedes right: SortedKey) -> Bool {
        EscapeScan.string(left.text).utf8.lexicographicallyPrecedes(EscapeScan.string(right.text).utf8)
    }
}
