/// The open values of a document, outermost first, and what is needed to close them or to roll them back.
///
/// The frame at index 0 is a sentinel without a value. The state is allocated separately, so that it is a constant of
/// the session: an access to a variable of a class needs a dynamic exclusivity check.
struct FrameStack: ~Copyable {
    private struct State {
        var base: UnsafeMutablePointer<Frame>
        var capacity: Int
        var top = 0
        var serial = 0
        /// The keys of frames with the place ``Frame/Place/kept(_:)``.
        var keptKeys: [any CodingKey] = []
        /// The tables of objects with many keys, innermost last.
        var tables: [KeyTable] = []
    }

    /// A value may encode another one in its place without a container, so there may be more frames than levels of the
    /// document.
    ///
    /// Each needs space on the thread's stack.
    static var countMax: Int { 1024 }

    private let state: UnsafeMutablePointer<State>
    private let writer: UnsafeMutablePointer<JSONWriter>
    private let sortsKeys: Bool

    init(_ writer: UnsafeMutablePointer<JSONWriter>, sortsKeys: Bool) {
        self.writer = writer
        self.sortsKeys = sortsKeys
        let base = UnsafeMutablePointer<Frame>.allocate(capacity: 16)
        base.initialize(to: Frame())
        state = .allocate(capacity: 1)
        state.initialize(to: State(base: base, capacity: 16))
    }

    deinit {
        state.pointee.base.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The index of the innermost frame.
    @inline(__always) var top: Int { state.pointee.top }

    @inline(__always) subscript(index: Int) -> UnsafeMutablePointer<Frame> {
        state.pointee.base + index
    }

    /// Whether a position is that of the innermost frame.
    @inline(__always) func isTop(_ position: Position) -> Bool {
        state.pointee.top == position.depth && self[position.depth].pointee.serial == position.serial
    }

    /// Whether a position is that of an open frame which is written in order.
    @inline(__always) func isOpen(_ position: Position) -> Bool {
        position.depth <= top && self[position.depth].pointee.serial == position.serial
    }

    /// A position of no frame.
    func makePosition() -> Position {
        state.pointee.serial &+= 1
        return Position(depth: 0, serial: state.pointee.serial)
    }

    // MARK: Opening and closing

    @inline(__always) func push(_ place: Frame.Place) -> Position {
        let (start, depth) = (writer.pointee.bytes.count, writer.pointee.depth)
        state.pointee.top &+= 1
        state.pointee.serial &+= 1
        let position = Position(depth: state.pointee.top, serial: state.pointee.serial)
        if position.depth == state.pointee.capacity { grow() }
        // The properties of objects and arrays are set when one is opened.
        let frame = self[position.depth]
        frame.pointee.serial = position.serial
        frame.pointee.place = place
        frame.pointee.kind = .empty
        frame.pointee.count = 0
        frame.pointee.start = start
        frame.pointee.depth = depth
        frame.pointee.table = 0
        return position
    }

    @inline(never) private func grow() {
        let capacity = state.pointee.capacity
        let moved = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
        moved.moveInitialize(from: state.pointee.base, count: capacity)
        state.pointee.base.deallocate()
        state.pointee.base = moved
        state.pointee.capacity = capacity * 2
    }

    /// Makes an open frame an object or an array.
    @inline(__always) func open(_ kind: Frame.Kind, _ frame: UnsafeMutablePointer<Frame>) {
        writer.pointee.appendOpen(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        frame.pointee.kind = kind
        frame.pointee.depth = writer.pointee.depth
        frame.pointee.count = 0
        frame.pointee.seen = 0
        frame.pointee.firstMember = writer.pointee.members.count
    }

    /// Writes what completes the innermost value.
    @inline(__always) func finishTop() {
        let frame = self[top]
        switch frame.pointee.kind {
        case .value, .lent: break
        case .object: closeObject(frame)
        case .array: writer.pointee.appendClose(UInt8(ascii: "]"), isEmpty: frame.pointee.count == 0)
        case .empty:
            // As in Foundation, a value that encodes nothing is an empty object.
            writer.pointee.appendOpen(UInt8(ascii: "{"))
            writer.pointee.appendClose(UInt8(ascii: "}"), isEmpty: true)
        }
    }

    private func closeObject(_ frame: UnsafeMutablePointer<Frame>) {
        if sortsKeys {
            writer.pointee.sortMembers(from: frame.pointee.firstMember)
        } else {
            writer.pointee.members.truncate(to: frame.pointee.firstMember)
        }
        writer.pointee.appendClose(UInt8(ascii: "}"), isEmpty: frame.pointee.count == 0)
    }

    /// Forgets the innermost frame.
    @inline(__always) func drop() {
        let frame = self[top]
        if frame.pointee.table > 0 { dropTable(of: frame) }
        if case .kept(let index) = frame.pointee.place { forgetKeys(from: index) }
        state.pointee.top &-= 1
    }

    @inline(never) private func dropTable(of frame: UnsafeMutablePointer<Frame>) {
        state.pointee.tables.removeSubrange((frame.pointee.table - 1)...)
    }

    /// Forgets all frames.
    func removeAll() {
        while top > 0 { drop() }
    }

    /// Rolls back the last member or element of the innermost frame, or its single value.
    func takeBackLast() {
        let frame = self[top]
        let isContainer = frame.pointee.kind == .object || frame.pointee.kind == .array
        let start = isContainer ? frame.pointee.lastStart : frame.pointee.start
        writer.pointee.bytes.truncate(to: start)
        writer.pointee.depth = frame.pointee.depth
        guard isContainer else { return frame.pointee.kind = .empty }
        frame.pointee.count -= 1
        if frame.pointee.kind == .object {
            writer.pointee.members.truncate(to: frame.pointee.firstMember + frame.pointee.count)
        }
    }
}

extension FrameStack {
    // MARK: Keys

    /// The place of the key that is kept next.
    var nextKeptPlace: Frame.Place { .kept(state.pointee.keptKeys.count) }

    /// Keeps a key until its frame is dropped.
    func keep(_ key: any CodingKey) {
        state.pointee.keptKeys.append(key)
    }

    private func forgetKeys(from index: Int) {
        state.pointee.keptKeys.removeSubrange(index...)
    }

    /// The coding path of an open frame.
    func path(to depth: Int) -> [any CodingKey] {
        depth > 0 ? (1...depth).compactMap { key(of: $0) } : []
    }

    /// The key of an open frame in its parent.
    private func key(of index: Int) -> (any CodingKey)? {
        let parent = self[index - 1].pointee
        return key(self[index].pointee.place) ?? (parent.kind == .array ? JSONCodingKey(parent.count - 1) : nil)
    }

    func key(_ place: Frame.Place) -> (any CodingKey)? {
        switch place {
        case .key(let key, let type): type.loaded(from: key)
        case .kept(let index): state.pointee.keptKeys[index]
        case .none: nil
        }
    }

    /// Checks whether an object has an earlier member with the last member's key.
    @inline(never) func isRepeated(in frame: UnsafeMutablePointer<Frame>) -> Bool {
        let members = UnsafeBufferPointer(
            start: writer.pointee.members.base + frame.pointee.firstMember,
            count: frame.pointee.count,
        )
        guard members.count > KeyTable.scannedMax else {
            return members.indices.dropLast().contains { isSameKey(members[$0], members[members.count - 1]) }
        }
        if frame.pointee.table == 0 {
            state.pointee.tables.append(KeyTable())
            frame.pointee.table = state.pointee.tables.count
        }
        return state.pointee.tables[frame.pointee.table - 1].insertLast(of: members) { isSameKey($0, $1) }
    }

    private func isSameKey(_ one: MemberStack.Member, _ other: MemberStack.Member) -> Bool {
        guard one.fingerprint == other.fingerprint, one.keyLength == other.keyLength else { return false }
        let bytes = writer.pointee.bytes.bytes
        return one.keyText(in: bytes).elementsEqual(other.keyText(in: bytes))
    }
}

extension CodingKey {
    fileprivate static func loaded(from key: UnsafeRawPointer) -> any CodingKey {
        key.assumingMemoryBound(to: Self.self).pointee
    }
}
