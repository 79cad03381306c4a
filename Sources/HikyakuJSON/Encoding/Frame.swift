/// A value that is being encoded: the state of its output, and its position in its parent.
struct Frame {
    enum Kind: UInt8 {
        /// Nothing has been written.
        case empty
        /// A complete value.
        case value
        /// An object or an array that is open.
        case object, array
        /// A `JSONWritable` value; nothing else may write until it is complete.
        case lent
        /// A value that is assembled as a ``TreeNode``; its serial number is inverted, so that it matches no position.
        case tree
        /// Space for a value that becomes a part of a ``TreeNode``.
        case slot

        /// Whether it is not written in order.
        var isApart: Bool { self == .tree || self == .slot }
    }

    /// The key of a value in its parent, used only for coding paths.
    enum Place {
        /// The parent's current element, or the parent itself.
        case none
        /// A key that is on the stack while the frame is open.
        case key(UnsafeRawPointer, any CodingKey.Type)
        /// A key in the session's list.
        case kept(Int)
    }

    /// Unique among all frames of the session, also those at the same depth.
    var serial = -1
    var place = Place.none
    var kind = Kind.value
    /// Whether it has a table, or closed frames inside it that may be written to again.
    var hasExtras = false
    /// The offset of the value.
    var start = 0
    /// The number of open objects and arrays around this one's content; for a tree or a slot, around the value itself.
    var depth = 0
    /// The index of the table of fingerprints, counted from 1; 0 if there is none.
    var table = 0

    // Of objects and arrays only:

    /// How many members or elements were begun.
    var count = 0
    /// The offset of the last of them, including the comma before it.
    var lastStart = 0
    /// The index of the first member among those of all open objects.
    var firstMember = 0
    /// A bit set of the fingerprints so far, by their top six bits.
    var seen: UInt64 = 0
}

/// The open frames, outermost first.
///
/// The frame at index 0 is a sentinel without a value. The state is allocated separately, so that it is a constant of
/// the session: an access to a variable of a class needs a dynamic exclusivity check.
struct FrameStack: ~Copyable {
    private struct State {
        var base: UnsafeMutablePointer<Frame>
        var capacity: Int
        var top = 0
        var serial = 0
        var closed: [ClosedFrame] = []
    }

    /// A value may encode another one in its place without a container, so there may be more frames than levels of the
    /// document.
    ///
    /// Each needs space on the thread's stack.
    static var countMax: Int { 1024 }

    private let state: UnsafeMutablePointer<State>

    init() {
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

    @inline(__always) func push(_ place: Frame.Place, start: Int, depth: Int) -> Position {
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

    @inline(__always) func pop() {
        state.pointee.top &-= 1
    }

    /// The closed frames that may be written to again, in the order of their ends.
    var closed: [ClosedFrame] {
        get { state.pointee.closed }
        nonmutating _modify { yield &state.pointee.closed }
    }

    @inline(never) private func grow() {
        let capacity = state.pointee.capacity
        let moved = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
        moved.moveInitialize(from: state.pointee.base, count: capacity)
        state.pointee.base.deallocate()
        state.pointee.base = moved
        state.pointee.capacity = capacity * 2
    }
}

/// The frame to which an encoder or a container writes, valid while the serial number matches.
struct Position {
    /// Matches no frame, so that every write to it is an error.
    static var nowhere: Position { Position(depth: 0, serial: 0) }

    let depth: Int
    let serial: Int
}
