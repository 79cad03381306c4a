import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The memory in which a stream's pieces are collected and returned; it is reused.
///
/// The system would map new memory of that size page by page, which costs more than the copy into it.
package final class PieceMemory: Sendable {
    /// The size of each piece of memory, in bytes.
    private let capacity: Int
    /// How many pieces of memory are kept while nothing uses them.
    private let spareMax: Int
    private let spares = Lock<[UnsafeMutableRawPointer]>([])

    package init(capacity: Int, spareMax: Int) {
        (self.capacity, self.spareMax) = (capacity, spareMax)
    }

    deinit {
        for spare in spares.withLock(\.self) { free(spare) }
    }

    /// Memory for one piece; `nil` when the system has none.
    package func take() -> UnsafeMutableRawPointer? {
        spares.withLock { $0.popLast() } ?? malloc(capacity)
    }

    package func giveBack(_ memory: UnsafeMutableRawPointer) {
        let isKept = spares.withLock { spares in
            guard spares.count < spareMax else { return false }
            spares.append(memory)
            return true
        }
        if !isKept { free(memory) }
    }

    /// The memory's content, which gives the memory back when it is freed.
    ///
    /// A piece of less than an eighth is copied, so that a reader that keeps many pieces uses at most eight times their
    /// size.
    package func piece(_ memory: UnsafeMutableRawPointer, count: Int) -> Data {
        guard count >= capacity / 8 else {
            defer { giveBack(memory) }
            return Data(bytes: memory, count: count)
        }
        return Data(bytesNoCopy: memory, count: count, deallocator: .custom { start, _ in self.giveBack(start) })
    }
}
