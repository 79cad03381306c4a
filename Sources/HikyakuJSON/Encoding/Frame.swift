/// A value that is being encoded: what has been written of it, and where it stands in its parent.
struct Frame {
    enum Kind: UInt8 {
        /// Nothing has been written.
        case empty
        /// Something complete, in one piece.
        case value
        /// An object or an array that is open.
        case object, array
        /// A value that writes itself; until it is done, nothing else may write.
        case lent
        /// A value that is put together as a ``TreeNode``; its serial number is inverted, so that no position fits.
        case tree
        /// No value, but where one is written that a ``TreeNode`` takes then.
        case slot

        /// Whether it isn't written in order.
        var isApart: Bool { self == .tree || self == .slot }
    }

    /// How a value is found in its parent; looked at only for a coding path.
    enum Place {
        /// As the parent's current element, or as the parent itself.
        case none
        /// Under a key that lives on the stack for as long as the frame is open.
        case key(UnsafeRawPointer, any CodingKey.Type)
        /// Under a key that the session keeps.
        case kept(Int)
    }

    /// Tells this frame from all others of the session, also from those at the same depth.
    var serial = -1
    var place = Place.none
    var kind = Kind.value
    /// Whether it has a table, or frames inside of it were closed while somebody might still write to them.
    var hasExtras = false
    /// Where the value begins.
    var start = 0
    /// The number of objects and arrays that are open around what stands inside of this one; around the value itself
    /// where that is a tree or a slot.
    var depth = 0
    /// The table of fingerprints, counted from 1; 0 before there is one.
    var table = 0

    // Of objects and arrays only:

    /// How many members or elements were begun.
    var count = 0
    /// Where the last of them begins, with the comma before it.
    var lastStart = 0
    /// The first member's place among those of all open objects.
    var firstMember = 0
    /// One bit for each fingerprint that was seen, chosen by it.
    var seen: UInt64 = 0
}

/// The open frames, outermost first.
///
/// The one at index 0 is no value; it keeps all others from being the first.
/// Its state lies apart, so that the session has it as a constant: each access to a class' variable would be checked
/// while it runs.
struct FrameStack: ~Copyable {
    private struct State {
        var base: UnsafeMutablePointer<Frame>
        var capacity: Int
        var top = 0
        var serial = 0
        var closed: [ClosedFrame] = []
    }

    /// A value may encode itself as another without a container around it, so that there may be more frames than levels
    /// of the document; each takes some space of the thread's stack.
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
        // What only objects and arrays have is written when one is opened.
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

    /// Those that were closed while they may yet be written to, in the order of their ends.
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

/// Where an encoder or a container writes: a frame, if that is still the one it was made for.
struct Position {
    /// Fits no frame, so that all that is written there is noticed.
    static var nowhere: Position { Position(depth: 0, serial: 0) }

    let depth: Int
    let serial: Int
}
