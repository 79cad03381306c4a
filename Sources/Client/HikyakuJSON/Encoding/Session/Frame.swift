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
    /// The offset of the value.
    var start = 0
    /// The number of open objects and arrays around this one's content.
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

/// The frame, or the node of a tree, to which an encoder or a container writes.
///
/// It is valid while the serial number matches.
struct Position {
    /// Matches neither, so that every write to it is an error.
    static var nowhere: Position { Position(depth: 0, serial: 0) }

    let depth: Int
    let serial: Int
}

/// The position of a session's value in the enclosing value, which is resolved only for a coding path.
enum ParentPath {
    case none
    /// Inside a `JSONWritable` value: after the path of its session, if it has one, at an offset of the bytes.
    case direct(session: EncodingSession?, PartialDocument, to: Int)
}
