/// What the keys of a document become by a key strategy, found once for each text.
///
/// Its memory is managed by hand: with arrays instead, a document with snake keys took 12 % more instructions.
final class KeyTexts {
    /// A run of bytes that lives as long as the texts do.
    private struct Run {
        let start: UnsafeMutablePointer<UInt8>
        let count: Int

        init(_ bytes: some Collection<UInt8>) {
            let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
            _ = buffer.initialize(from: bytes)
            start = buffer.baseAddress.unsafelyUnwrapped
            count = bytes.count
        }

        @inline(__always)
        func equals(_ other: UnsafePointer<UInt8>, _ otherCount: Int) -> Bool {
            count == otherCount && Bytes.equal(start, other, count)
        }
    }

    private struct State {
        /// Each key that was seen, escapes and all, in the order of its first appearance, and the number of what it
        /// became.
        var known: [(source: Run, number: Int)] = []
        var placesOfSources: [ExactText: Int] = [:]
        var texts: [(bytes: Run, string: String)] = []
        var numbersOfTexts: [ExactText: Int] = [:]
        /// The key that is expected next: objects of one type have theirs in the same order.
        var expected = 0
    }

    private let convert: (String) -> String
    /// Held by its address, since the accesses to a variable of a class are looked after at run time.
    private let state: UnsafeMutablePointer<State>
    /// As many are compared one after another before their hashes are.
    private static let comparedMax = 24

    private init(_ convert: @escaping (String) -> String) {
        self.convert = convert
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    /// Nothing is kept where keys stay as they are.
    static func make(for strategy: HikyakuJSONDecoder.KeyDecodingStrategy) -> KeyTexts? {
        switch strategy {
        case .useDefaultKeys: nil
        case .convertFromSnakeCase: KeyTexts(SnakeCase.camelCase)
        case .custom(let function): KeyTexts(function)
        }
    }

    deinit {
        for known in state.pointee.known { known.source.start.deallocate() }
        for text in state.pointee.texts { text.bytes.start.deallocate() }
        state.deinitialize(count: 1)
        state.deallocate()
    }

    subscript(number: Int) -> String { state.pointee.texts[number].string }

    /// Where the keys that were seen lie, which is elsewhere after each copy.
    var knownAddress: UnsafeRawPointer? { state.pointee.known.withUnsafeBytes { $0.baseAddress } }

    @inline(__always)
    func text(_ number: Int, equals name: UnsafeBufferPointer<UInt8>) -> Bool {
        state.pointee.texts[number].bytes.equals(name.baseAddress.unsafelyUnwrapped, name.count)
    }

    /// The number of what a key becomes.
    @inline(__always)
    func number(of entry: JSONEntry, in session: DecodingSession) -> Int {
        let length = session.textLength(of: entry)
        let start = session.start(of: entry)
        let expected = state.pointee.expected
        if expected < state.pointee.known.count, state.pointee.known[expected].source.equals(start, length) {
            state.pointee.expected = expected + 1
            return state.pointee.known[expected].number
        }
        return find(UnsafeBufferPointer(start: start, count: length), entry, session)
    }

    @inline(never)
    private func find(_ source: UnsafeBufferPointer<UInt8>, _ entry: JSONEntry, _ session: DecodingSession) -> Int {
        let place = placeAmongFirst(source) ?? search(source, entry, session)
        state.pointee.expected = place + 1
        return state.pointee.known[place].number
    }

    /// A call of its own, since the keys that are looked through are held that long: all would be copied by whoever
    /// adds one meanwhile.
    @inline(never)
    private func placeAmongFirst(_ source: UnsafeBufferPointer<UInt8>) -> Int? {
        let start = source.baseAddress.unsafelyUnwrapped
        return state.pointee.known.prefix(Self.comparedMax).firstIndex { $0.source.equals(start, source.count) }
    }

    private func search(_ source: UnsafeBufferPointer<UInt8>, _ entry: JSONEntry, _ session: DecodingSession) -> Int {
        let key = ExactText(String(decoding: source, as: UTF8.self))
        if let place = state.pointee.placesOfSources[key] { return place }
        let number = number(of: convert(session.text(ofKey: entry)))
        state.pointee.known.append((Run(source), number))
        state.pointee.placesOfSources[key] = state.pointee.known.count - 1
        return state.pointee.known.count - 1
    }

    private func number(of text: String) -> Int {
        if let number = state.pointee.numbersOfTexts[ExactText(text)] { return number }
        state.pointee.texts.append((Run(text.utf8), text))
        state.pointee.numbersOfTexts[ExactText(text)] = state.pointee.texts.count - 1
        return state.pointee.texts.count - 1
    }
}

/// A text that equals none but itself: `String` takes some that are written with other bytes for the same.
struct ExactText: Hashable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

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
