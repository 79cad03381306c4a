/// How members that are read by name are searched for.
///
/// A document is first read with guesses, which are right for most documents. If one was wrong, the document is read
/// again in the next way. See ``ReadingContext/reading(at:_:)``.
enum MemberSearch: UInt8, Comparable {
    /// An optional member that is not next is taken as missing, until another member turns out to be it.
    case guessing
    /// A member that is not next is searched for in the rest of its object.
    case searching
    /// All members of an object are found at its beginning, so that the last one of repeated members is known.
    case indexing

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    var next: MemberSearch { self == .guessing ? .searching : .indexing }
}

/// Ends the reading of a document that has to be read in another way; it never leaves the module.
struct MembersMisread: Error {}

/// A name of a member, as a document writes it.
struct MemberName: BitwiseCopyable {
    let start: UnsafePointer<UInt8>
    let count: Int

    @inline(__always)
    init(_ name: StaticString) {
        start = name.utf8Start
        count = name.utf8CodeUnitCount
    }

    /// The name without escapes.
    var text: String { EscapeScan.string(start, count) }

    /// A number by which most names differ.
    ///
    /// It has the last eight bits of the length, and three bytes of the text.
    @inline(__always)
    static func tag(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
        guard count > 0 else { return 0 }
        let ends = UInt32(start.pointee) << 8 | UInt32(start[count &- 1]) << 16 | UInt32(start[count >> 1]) << 24
        return ends | UInt32(truncatingIfNeeded: count & 0xFF)
    }
}

/// The state of an object whose members are read by name.
///
/// Between two members, the reader is before the comma or at the object's closing brace; before the first member, it is
/// at the opening brace.
struct OpenObject: BitwiseCopyable {
    /// The opening brace.
    let start: UnsafePointer<UInt8>
    /// Where the reader goes on after the value that it reads, if that value was passed over before.
    var next: UnsafePointer<UInt8>?
    /// The number of levels that could be nested where the object begins.
    let depthAround: Int
    /// The first entry of the object among the names.
    let firstName: Int
    /// The first entry of the object among the found members.
    let firstFound: Int
    /// Whether an optional member was taken as missing.
    var isGuessed = false
    /// Whether the key of a found member has escapes.
    var hasEscapedKeys = false
}

/// A member that was found while another one was searched for.
struct FoundMember: BitwiseCopyable {
    /// The offset of the first byte after the key's quote.
    private let key: UInt32
    /// The length of the key, with the highest bit set if it has escapes.
    private let length: UInt32
    /// The offset of the value.
    let value: UInt32
    /// See ``MemberName/tag``.
    private(set) var tag: UInt32

    @inline(__always)
    init?(
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
        isEscaped: Bool,
        in base: UnsafePointer<UInt8>,
        value: UnsafePointer<UInt8>,
    ) {
        let offset = value - base
        guard offset >> 31 == 0 else { return nil }
        key = UInt32(truncatingIfNeeded: start - base)
        length = UInt32(truncatingIfNeeded: count) | (isEscaped ? 1 << 31 : 0)
        self.value = UInt32(truncatingIfNeeded: offset)
        tag = MemberName.tag(start, count)
    }

    /// The tag of a member that has been read; that of a name never has this value, since its bytes are not UTF-8.
    static let readTag: UInt32 = .max

    var isEscaped: Bool { length >> 31 == 1 }

    @inline(__always)
    func isEqual(_ name: MemberName, in base: UnsafePointer<UInt8>) -> Bool {
        if isEscaped { return isEqualUnescaped(name, base) }
        return length == name.count && Bytes.equal(base + Int(key), name.start, name.count)
    }

    @inline(never)
    private func isEqualUnescaped(_ name: MemberName, _ base: UnsafePointer<UInt8>) -> Bool {
        text(in: base).utf8.elementsEqual(name.text.utf8)
    }

    func text(in base: UnsafePointer<UInt8>) -> String {
        let (start, count) = (base + Int(key), Int(length & (1 << 31 - 1)))
        if isEscaped { return EscapeScan.string(start, count) }
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    @inline(__always)
    func isAny(of names: UnsafeBufferPointer<MemberName>, in base: UnsafePointer<UInt8>) -> Bool {
        for name in names where isEqual(name, in: base) { return true }
        return false
    }

    /// The value of the last member of a name, which is marked as read.
    @inline(__always)
    static func take(
        _ name: MemberName,
        from members: UnsafeMutableBufferPointer<FoundMember>,
        _ base: UnsafePointer<UInt8>,
    ) -> Int? {
        guard let first = members.baseAddress else { return nil }
        let tag = MemberName.tag(name.start, name.count)
        var place = first + members.count
        while place > first {
            place -= 1
            if place.pointee.tag == tag, place.pointee.isEqual(name, in: base) { return place.pointee.read() }
        }
        return nil
    }

    /// The same for objects in which a key has escapes.
    @inline(never)
    static func takeUnescaped(
        _ name: MemberName,
        from members: UnsafeMutableBufferPointer<FoundMember>,
        _ base: UnsafePointer<UInt8>,
    ) -> Int? {
        guard let index = members.lastIndex(where: { !$0.isRead && $0.isEqual(name, in: base) }) else { return nil }
        return members[index].read()
    }

    private mutating func read() -> Int {
        tag = Self.readTag
        return Int(value)
    }

    var isRead: Bool { tag == Self.readTag }
}

/// A stack of plain values, which allocates nothing until it is used.
struct PlainStack<Element: BitwiseCopyable>: ~Copyable {
    private(set) var count = 0
    private var capacity = 0
    private var base: UnsafeMutablePointer<Element>?

    deinit { base?.deallocate() }

    /// The elements from one on; those of all open objects are on the same stack.
    @inline(__always)
    func elements(from first: Int) -> UnsafeBufferPointer<Element> {
        guard let base, first < count else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: base + first, count: count - first)
    }

    /// The elements from one on, to be changed.
    @inline(__always)
    mutating func mutableElements(from first: Int) -> UnsafeMutableBufferPointer<Element> {
        guard let base, first < count else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
        return UnsafeMutableBufferPointer(start: base + first, count: count - first)
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        // There is memory once the capacity isn't 0.
        (base.unsafelyUnwrapped + count).initialize(to: element)
        count &+= 1
    }

    /// Whether another element needs more memory than the system has.
    mutating func checkRoom() throws {
        if count == capacity { try HeapRoom.check(capacity * 2, of: Element.self) }
    }

    @inline(__always)
    mutating func truncate(to count: Int) {
        if count < self.count { self.count = count }
    }

    @inline(never)
    private mutating func grow() {
        let larger = max(32, capacity * 2)
        let room = UnsafeMutablePointer<Element>.allocate(capacity: larger)
        if let base {
            room.moveInitialize(from: base, count: count)
            base.deallocate()
        }
        (base, capacity) = (room, larger)
    }
}

extension ReadingContext {
    /// Reads a value, and reads it again if a guess about the order of members was wrong.
    ///
    /// The reading of one value ends after at most three attempts.
    @inline(__always)
    final func reading<Value>(at offset: Int, _ body: (inout JSONReader) throws -> Value) throws -> Value {
        while true {
            let driftsBefore = settings.driftLog?.mark
            var reader = JSONReader(self, at: offset)
            do {
                let value = try body(&reader)
                if !reader.hasMisread { return value }
            } catch {
                if !reader.hasMisread { throw error }
            }
            readAgain(reader.firstSearch, driftsBefore)
        }
    }

    @inline(never)
    private final func readAgain(_ search: MemberSearch, _ driftsBefore: DriftLog.Mark?) {
        if memberSearch == search { memberSearch = search.next }
        if let driftsBefore { settings.driftLog?.goBack(to: driftsBefore) }
    }
}
