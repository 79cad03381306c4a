#if os(Linux)
import FoundationEssentials
import Glibc
import HikyakuHTTP

/// The memory in which a stream's pieces are collected and handed out, used again and again.
///
/// Fresh memory of that size would be mapped by the system page by page, which costs more than the copy into it.
final class PieceMemory: Sendable {
    /// The size of each piece of memory: what is held for a slow reader, in bytes.
    static let capacity = 640 * 1024
    /// From how many bytes on a piece is handed out in its memory; a smaller one is copied, so that a reader who keeps
    /// many small pieces keeps no more than their bytes.
    private static let wholeMin = 64 * 1024
    private static let spareMax = 1

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
#endif
