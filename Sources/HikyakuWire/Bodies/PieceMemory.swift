#if os(Linux)
import HikyakuBase
import FoundationEssentials
import Glibc
import HikyakuHTTP

/// The memory in which a stream's pieces are collected and returned; it is reused.
///
/// The system would map new memory of that size page by page, which costs more than the copy into it.
final class PieceMemory: Sendable {
    /// The size of each piece of memory, and so the most that is held for a slow reader, in bytes.
    static let capacity = 768 * 1024
    /// From how many bytes on a piece is returned without a copy; smaller pieces are copied, so that a reader that
    /// keeps many pieces uses at most eight times their size.
    private static let wholeMin = capacity / 8
    /// One for the piece that is read, one for the piece that is filled.
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

    /// The memory's content, which gives the memory back when it is freed.
    func piece(_ memory: UnsafeMutableRawPointer, count: Int) -> Data {
        guard count >= Self.wholeMin else {
            defer { giveBack(memory) }
            return Data(bytes: memory, count: count)
        }
        return Data(bytesNoCopy: memory, count: count, deallocator: .custom { start, _ in self.giveBack(start) })
    }
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

    /// Receives bytes at the end, so many at most.
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

/// Decides when a connection with a large body waits for many bytes at once.
///
/// Reading a piece and waking its reader costs as much as copying 100 KiB. So if several reads follow each other within
/// ``quick``, the system reports only ``bytesMin`` bytes or more. The loop reads without an event after ``delayMax``,
/// so that bytes before a pause of the server are not delayed for longer.
struct Gathering {
    /// How many bytes the system waits for: 256 KiB.
    static let bytesMin = 256 * 1024
    /// How long bytes may wait: 2 ms in nanoseconds; the loop's clock may be behind by 4 ms more.
    static let delayMax: Int64 = 2_000_000
    private static let readsMin = 8

    /// The longest time between quick reads: 1 ms in nanoseconds, except in tests on a busy machine.
    private let quick: Int64
    private(set) var isOn = false
    private var quickReads = 0
    private var lastRead: Int64 = 0

    init(quick: Int64 = 1_000_000) {
        self.quick = quick
    }

    /// Notes that all received bytes were read.
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

    /// Ends it if nothing was read for ``delayMax``, or at the end of the body.
    ///
    /// - Returns: Whether it was on, and has ended.
    mutating func end(at now: Int64, isOver: Bool = false) -> Bool {
        guard isOn, isOver || now - lastRead >= Self.delayMax else { return false }
        (isOn, quickReads) = (false, 0)
        return true
    }
}
#endif
