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
        /// The closed frames that may be written to again, in the order of their ends.
        var closed: [ClosedFrame] = []
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

    /// Whether a position is that of an open frame, also if it is written as a tree.
    func isOnStack(_ position: Position) -> Bool {
        guard position.depth <= top else { return false }
        let serial = self[position.depth].pointee.serial
        return serial == position.serial || serial == ~position.serial
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
        frame.pointee.hasExtras = false
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
    @inline(__always) func finishTop(writeTree: () -> Void) {
        let frame = self[top]
        switch frame.pointee.kind {
        case .value, .lent, .slot: break
        case .object: closeObject(frame)
        case .array: writer.pointee.appendClose(UInt8(ascii: "]"), isEmpty: frame.pointee.count == 0)
        case .tree: writeTree()
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
        if frame.pointee.hasExtras { dropExtras(of: frame) }
        if case .kept(let index) = frame.pointee.place { forgetKeys(from: index) }
        pop()
    }

    /// Forgets the innermost frame, which has neither a table nor a key.
    @inline(__always) func pop() {
        state.pointee.top &-= 1
    }

    @inline(never) private func dropExtras(of frame: UnsafeMutablePointer<Frame>) {
        dropTable(of: frame)
        forgetClosed(from: frame.pointee.start)
    }

    private func dropTable(of frame: UnsafeMutablePointer<Frame>) {
        if frame.pointee.table > 0 { state.pointee.tables.removeSubrange((frame.pointee.table - 1)...) }
    }

    /// Forgets all frames.
    func removeAll() {
        while top > 0 { drop() }
        forgetClosed(from: 0)
    }

    /// Rolls back the last member or element of the innermost frame, or its single value.
    func takeBackLast() {
        let frame = self[top]
        let isContainer = frame.pointee.kind == .object || frame.pointee.kind == .array
        let start = isContainer ? frame.pointee.lastStart : frame.pointee.start
        writer.pointee.bytes.truncate(to: start)
        if frame.pointee.hasExtras { forgetClosed(from: start) }
        writer.pointee.depth = frame.pointee.depth
        guard isContainer else { return frame.pointee.kind = .empty }
        frame.pointee.count -= 1
        if frame.pointee.kind == .object {
            writer.pointee.members.truncate(to: frame.pointee.firstMember + frame.pointee.count)
        }
    }
}

extension FrameStack {
    // MARK: Closed frames that may be written to again

    func isClosed(_ position: Position) -> Bool {
        state.pointee.closed.contains { $0.serial == position.serial }
    }

    /// The innermost open frame around one that was closed.
    func openFrame(around position: Position) -> Int? {
        guard let closed = state.pointee.closed.last(where: { $0.serial == position.serial }) else { return nil }
        var depth = min(closed.depth, top + 1) - 1
        while depth > 0 {
            let frame = self[depth].pointee
            if frame.serial > 0, frame.serial < closed.serial, frame.kind != .slot { return depth }
            depth -= 1
        }
        return nil
    }

    /// Closes frames that may be written to again.
    ///
    /// - Returns: Whether their content keeps its offsets, so that it can be found again.
    func closeAside(above depth: Int) -> Bool {
        if sortsKeys {
            // Sorting the members of an object moves the closed values inside it.
            let isMoved = state.pointee.closed.last.map { $0.end > self[depth + 1].pointee.start } ?? false
            if isMoved || top > depth + 1 { return false }
        }
        for index in (depth + 1)...top where self[index].pointee.kind.isApart { return false }
        while top > depth { closeTopAside() }
        self[depth].pointee.hasExtras = true
        return true
    }

    private func closeTopAside() {
        let frame = self[top]
        var place = frame.pointee.place
        if case .key = place, let key = key(of: top) {
            // The key is on the stack only while the value is encoded.
            place = nextKeptPlace
            keep(key)
        }
        let isEmpty = frame.pointee.kind == .empty
        finishTop {}
        state.pointee.closed.append(
            ClosedFrame(
                serial: frame.pointee.serial,
                depth: top,
                isEmpty: isEmpty,
                place: place,
                index: self[top - 1].pointee.count - 1,
                start: frame.pointee.start,
                end: writer.pointee.bytes.count,
            )
        )
        dropTable(of: frame)
        pop()
    }

    /// Removes the closed frames whose text overlaps a range.
    func takeClosed(in range: Range<Int>) -> [ClosedFrame] {
        let closed = state.pointee.closed
        let end = closed.lastIndex { $0.start < range.upperBound }.map { $0 + 1 } ?? 0
        let start = closed.lastIndex { $0.end <= range.lowerBound }.map { $0 + 1 } ?? 0
        guard start < end else { return [] }
        state.pointee.closed.removeSubrange(start..<end)
        return Array(closed[start..<end])
    }

    private func forgetClosed(from start: Int) {
        let all = state.pointee.closed
        var (count, firstKey) = (all.count, state.pointee.keptKeys.count)
        while count > 0, all[count - 1].end > start {
            count -= 1
            if case .kept(let index) = all[count].place { firstKey = min(firstKey, index) }
        }
        state.pointee.closed.removeSubrange(count...)
        forgetKeys(from: firstKey)
    }

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

    /// The key of an open frame in its parent, unless the parent is a slot.
    func key(of index: Int) -> (any CodingKey)? {
        let parent = self[index - 1].pointee
        return key(self[index].pointee.place, index: parent.kind == .array ? parent.count - 1 : nil)
    }

    /// The key of a closed frame in its parent.
    func key(of closed: ClosedFrame) -> (any CodingKey)? {
        key(closed.place, index: closed.index)
    }

    private func key(_ place: Frame.Place, index: Int?) -> (any CodingKey)? {
        switch place {
        case .key(let key, let type): type.loaded(from: key)
        case .kept(let index): state.pointee.keptKeys[index]
        case .none: index.map { JSONCodingKey($0) }
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
            frame.pointee.hasExtras = true
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
