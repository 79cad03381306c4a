/// Finds the members of an object that has many, however a type asks for them and whatever a peer calls them.
///
/// Hashes are seeded for each process, so that nobody outside can make keys that meet.
struct MemberTable {
    /// A member's place plus one for each slot; 0 where it is free.
    private var slots: [UInt32]
    private let mask: Int

    init(of object: Int, in session: DecodingSession) {
        let count = session.index.members(of: object)
        let capacity = 1 << (Int.bitWidth - (count * 2).leadingZeroBitCount)
        slots = Array(repeating: 0, count: capacity)
        mask = capacity - 1
        session.forEachMember(of: object) { insert($0, session) }
    }

    /// A member with the same key as an earlier one takes its slot.
    private mutating func insert(_ member: Int, _ session: DecodingSession) {
        let entry = session.index[member]
        var slot = Self.hash(of: entry, session) & mask
        while slots[slot] != 0 {
            let other = Int(slots[slot] - 1)
            if session.areEqual(session.index[other], entry) {
                session.shadow(other)
                break
            }
            slot = (slot + 1) & mask
        }
        slots[slot] = UInt32(truncatingIfNeeded: member + 1)
    }

    func member(named name: UnsafeBufferPointer<UInt8>, in session: DecodingSession) -> Int? {
        var slot = Self.hash(UnsafeRawBufferPointer(name)) & mask
        while slots[slot] != 0 {
            let member = Int(slots[slot] - 1)
            if session.isKey(at: member, named: name) { return member }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private static func hash(of entry: JSONEntry, _ session: DecodingSession) -> Int {
        if entry.kind == .plainKey {
            return hash(UnsafeRawBufferPointer(start: session.start(of: entry), count: session.textLength(of: entry)))
        }
        var text = session.text(ofKey: entry)
        return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        return hasher.finalize()
    }
}

/// A number from 0 to 127 that equal keys have in common, made from little of them.
enum KeyMark {
    @inline(__always)
    static func of(_ entry: JSONEntry, in session: DecodingSession) -> UInt64 {
        if entry.kind == .plainKey { return mark(session.start(of: entry), entry.length) }
        if entry.kind == .convertedKey { return UInt64(truncatingIfNeeded: entry.length) & 127 }
        return ofUnusual(entry, session)
    }

    @inline(never)
    private static func ofUnusual(_ entry: JSONEntry, _ session: DecodingSession) -> UInt64 {
        var text = session.text(ofKey: entry)
        return text.withUTF8 { mark($0.baseAddress.unsafelyUnwrapped, $0.count) }
    }

    @inline(__always)
    private static func mark(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        guard count > 3 else { return UInt64(truncatingIfNeeded: count) }
        // The first four bytes and the last four: names that begin alike end differently mostly.
        let ends = UInt64(Bytes.half(start)) << 32 | UInt64(Bytes.half(start + count - 4))
        return ((ends ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15) >> 57
    }
}
