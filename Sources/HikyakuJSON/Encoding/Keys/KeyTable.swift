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
