/// The keys of a document converted by a key strategy, once for each text.
///
/// Its memory is managed by hand: with arrays instead, a document with snake keys took 12 % more instructions.
final class KeyTexts {
    /// A run of bytes with the lifetime of the texts.
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
        /// Each key so far in its escaped form, in the order of first appearance, with the number of its converted
        /// text.
        var known: [(source: Run, number: Int)] = []
        var placesOfSources: [ExactText: Int] = [:]
        var texts: [(bytes: Run, string: String)] = []
        var numbersOfTexts: [ExactText: Int] = [:]
        /// The key that is expected next: objects of one type have theirs in the same order.
        var expected = 0
    }

    private let convert: (String) -> String
    /// Accessed by its address, since a variable of a class needs dynamic exclusivity checks.
    private let state: UnsafeMutablePointer<State>
    /// This many are compared linearly before a lookup by hash.
    private static let comparedMax = 24

    private init(_ convert: @escaping (String) -> String) {
        self.convert = convert
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    /// `nil` if keys are not converted.
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

    /// The address of the known keys, which changes with each copy; for tests.
    var knownAddress: UnsafeRawPointer? { state.pointee.known.withUnsafeBytes { $0.baseAddress } }

    @inline(__always)
    func text(_ number: Int, equals name: UnsafeBufferPointer<UInt8>) -> Bool {
        state.pointee.texts[number].bytes.equals(name.baseAddress.unsafelyUnwrapped, name.count)
    }

    /// The number of a key's converted text.
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

    /// A function of its own, since it retains the array of keys: an append meanwhile would copy all of them.
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

/// A string that is compared by bytes: `String` considers canonically equivalent strings equal.
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

/// A hash table of the members of an object that has many.
///
/// Hashes are seeded for each process, so that a peer can't choose keys that collide.
struct MemberTable {
    /// A member's position plus one for each slot; 0 for a free slot.
    private var slots: [UInt32]
    private let mask: Int

    init(of object: Int, in session: DecodingSession) {
        let count = session.index.members(of: object)
        let capacity = 1 << (Int.bitWidth - (count * 2).leadingZeroBitCount)
        slots = Array(repeating: 0, count: capacity)
        mask = capacity - 1
        session.forEachMember(of: object) { insert($0, session) }
    }

    /// A member replaces an earlier one with the same key.
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

/// A fast hash of a key from 0 to 127.
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
        // The first four bytes and the last four: names with a common prefix mostly have different ends.
        let ends = UInt64(Bytes.half(start)) << 32 | UInt64(Bytes.half(start + count - 4))
        return ((ends ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15) >> 57
    }
}
