#if os(Linux)
import Glibc
import HikyakuHTTP

extension PieceMemory {
    /// The size of each piece of a response's stream, and so the most that is held for a slow reader, in bytes.
    static let capacity = 768 * 1024

    /// For a response's stream: one piece that is read, one that is filled.
    convenience init() { self.init(capacity: Self.capacity, spareMax: 2) }
}

/// The memory that the loop fills during its round, when nothing else uses it.
struct OpenPiece: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private var count: Int

    /// - Parameters:
    ///   - memory: Memory from a ``PieceMemory``.
    ///   - count: How much of it is filled already.
    init(_ memory: UnsafeMutableRawPointer, count: Int) {
        self.memory = memory
        self.count = count
    }

    deinit {
        free(memory)
    }

    /// How many more bytes there is room for.
    var room: Int { PieceMemory.capacity - count }

    /// Receives bytes at the end, up to a count.
    mutating func receive(upTo count: Int, _ receive: (UnsafeMutableRawBufferPointer) -> Received) -> Received {
        let room = UnsafeMutableRawBufferPointer(start: memory + self.count, count: min(count, room))
        let received = receive(room)
        if case .bytes(let count) = received { self.count += min(count, room.count) }
        return received
    }

    /// Adds bytes; `false` if there is no room for them.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let source = bytes.baseAddress else { return true }
        guard bytes.count <= PieceMemory.capacity - count else { return false }
        memcpy(memory + count, source, bytes.count)
        count += bytes.count
        return true
    }

    /// The memory and how much of it is filled; the caller has to free it.
    consuming func close() -> (memory: UnsafeMutableRawPointer, count: Int) {
        let filled = (memory, count)
        discard self
        return filled
    }
}
#endif
