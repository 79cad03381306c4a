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
}

/// The state of an object whose members are read by name.
struct OpenObject: BitwiseCopyable {
    /// The opening brace.
    var start: UnsafePointer<UInt8>
    /// The closing brace, once all members have been found.
    var end: UnsafePointer<UInt8>?
    /// The number of separators before the next member: 0 for the first one, otherwise 1.
    var separators = 0
    /// Whether an optional member was taken as missing.
    var isGuessed = false
    /// The number of levels that could be nested where the object begins.
    let depthAround: Int
    /// The first entry of the object among the names.
    let firstName: Int
    /// The first entry of the object among the found members.
    let firstFound: Int
}

/// A member that was found while another one was searched for.
struct FoundMember: BitwiseCopyable {
    /// The offset of the first byte after the key's quote.
    let key: UInt32
    /// The length of the key, with the highest bit set if it has escapes.
    private let length: UInt32
    /// The offset of the value.
    let value: UInt32

    init?(key: Int, length: Int, isEscaped: Bool, value: Int) {
        guard let key = UInt32(exactly: key), let value = UInt32(exactly: value), length < 1 << 31 else { return nil }
        self.key = key
        self.length = UInt32(length) | (isEscaped ? 1 << 31 : 0)
        self.value = value
    }

    var keyLength: Int { Int(length & (1 << 31 - 1)) }
    var isEscaped: Bool { length >> 31 == 1 }
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

    @inline(__always)
    mutating func append(_ element: Element) throws {
        if count == capacity { try grow() }
        guard let base else { return }
        (base + count).initialize(to: element)
        count += 1
    }

    @inline(__always)
    mutating func truncate(to count: Int) {
        if count < self.count { self.count = count }
    }

    @inline(never)
    private mutating func grow() throws {
        let larger = max(32, capacity * 2)
        try HeapRoom.check(larger, of: Element.self)
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
            readAgain(reader.search, driftsBefore)
        }
    }

    @inline(never)
    private final func readAgain(_ search: MemberSearch, _ driftsBefore: DriftLog.Mark?) {
        if memberSearch == search { memberSearch = search.next }
        if let driftsBefore { settings.driftLog?.goBack(to: driftsBefore) }
    }
}
