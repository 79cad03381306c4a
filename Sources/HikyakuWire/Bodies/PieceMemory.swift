#if os(Linux)
import HikyakuBase
import FoundationEssentials
import Glibc
import HikyakuHTTP

/// The memory in which a stream's pieces are collected and handed out, used again and again.
///
/// Fresh memory of that size would be mapped by the system page by page, which costs more than the copy into it.
final class PieceMemory: Sendable {
    /// The size of each piece of memory: what is held for a slow reader, in bytes.
    static let capacity = 768 * 1024
    /// From how many bytes on a piece is handed out in its memory; a smaller one is copied, so that a reader who keeps
    /// many pieces keeps no more than eight times their bytes.
    private static let wholeMin = capacity / 8
    /// The piece that is read and the one that is filled.
    private static let spareMax = 2

    private let spares: Lock<[UnsafeMutableRawPointer]>

    init() {
        spares = Lock([])
    }

    deinit {
        for spare in spares.withLock(\.self) { free(spare) }
    }

    /// Memory for ``capacity`` bytes; `nil` when the system has none.
    func take() -> UnsafeMutableRawPointer? {
        spares.withLock { $0.popLast() } ?? malloc(Self.capacity)
    }

    func giveBack(_ memory: UnsafeMutableRawPointer) {
        let isKept = spares.withLock { spares in
            guard spares.count < Self.spareMax else { return false }
            spares.append(memory)
            return true
        }
        if !isKept { free(memory) }
    }

    /// What the memory holds, which the piece gives back when it goes.
    func piece(_ memory: UnsafeMutableRawPointer, count: Int) -> Data {
        guard count >= Self.wholeMin else {
            defer { giveBack(memory) }
            return Data(bytes: memory, count: count)
        }
        return Data(bytesNoCopy: memory, count: count, deallocator: .custom { start, _ in self.giveBack(start) })
    }
}

/// The memory to which the loop adds during its round, and which nobody else has meanwhile.
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

    /// Lets bytes be received at the end, so many at most.
    mutating func receive(upTo count: Int, _ receive: (UnsafeMutableRawBufferPointer) -> Received) -> Received {
        let room = UnsafeMutableRawBufferPointer(start: memory + self.count, count: min(count, room))
        let received = receive(room)
        if case .bytes(let count) = received { self.count += min(count, room.count) }
        return received
    }

    /// Adds bytes; `false` when there is no room for them.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let source = bytes.baseAddress else { return true }
        guard bytes.count <= PieceMemory.capacity - count else { return false }
        memcpy(memory + count, source, bytes.count)
        count += bytes.count
        return true
    }

    /// The memory and how much of it is filled, for who frees it from now on.
    consuming func close() -> (memory: UnsafeMutableRawPointer, count: Int) {
        let filled = (memory, count)
        discard self
        return filled
    }
}

/// When a connection that carries a large body waits for many bytes at once, rather than for each that come.
///
/// To read a piece and to wake its reader costs as much as to copy 100 KiB. So where reads follow each other within
/// ``quick`` for a while, the system is asked to tell of ``bytesMin`` bytes, and the loop looks by itself after
/// ``delayMax``, so that a server that falls silent delays nothing for longer.
struct Gathering {
    /// What is waited for: 256 KiB.
    static let bytesMin = 256 * 1024
    /// How long bytes may lie there: 2 ms in nanoseconds; the loop's clock may be behind by 4 ms more.
    static let delayMax: Int64 = 2_000_000
    private static let readsMin = 8

    /// Reads that are no further apart count as quick: 1 ms in nanoseconds, but for tests on a busy machine.
    private let quick: Int64
    private(set) var isOn = false
    private var quickReads = 0
    private var lastRead: Int64 = 0

    init(quick: Int64 = 1_000_000) {
        self.quick = quick
    }

    /// Notes that all was read that had come.
    ///
    /// - Parameters:
    ///   - now: The present instant.
    ///   - bytesLeft: How many bytes of the body are still to come.
    /// - Returns: Whether ``isOn`` has changed.
    mutating func note(_ now: Int64, bytesLeft: Int) -> Bool {
        let wasOn = isOn
        quickReads = now - lastRead < (isOn ? Self.delayMax : quick) ? quickReads + 1 : 0
        lastRead = now
        isOn = bytesLeft >= Self.bytesMin && (isOn ? quickReads > 0 : quickReads >= Self.readsMin)
        return isOn != wasOn
    }

    /// Ends it where nothing was read for ``delayMax``, or at the end of the body.
    ///
    /// - Returns: Whether it was on, and has ended.
    mutating func end(at now: Int64, isOver: Bool = false) -> Bool {
        guard isOn, isOver || now - lastRead >= Self.delayMax else { return false }
        (isOn, quickReads) = (false, 0)
        return true
    }
}
#endif
