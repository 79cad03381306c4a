import Foundation
import HikyakuBase
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// A disk that finishes no file until the test makes it ready.
final class SlowDisk: Sendable {
    /// Longer than any test needs, also under a sanitizer; a thread that waits longer counts as ``starvedCount``.
    private static let patience = 120.0

    private let isReady = DispatchSemaphore(value: 0)
    private let begun = Lock(0)
    private let starved = Lock(0)

    /// How many threads have come to the disk.
    var begunCount: Int { begun.withLock { $0 } }
    /// How many threads timed out because the disk was never ready: the threads that make it ready were blocked too.
    var starvedCount: Int { starved.withLock { $0 } }

    /// What stores are given in `fsync`'s place.
    var sync: PrivateFile.Sync {
        { descriptor in
            self.begun.withLock { $0 += 1 }
            if self.isReady.wait(timeout: .now() + Self.patience) == .timedOut { self.starved.withLock { $0 += 1 } }
            self.isReady.signal()
            return fsync(descriptor)
        }
    }

    func makeReady() { isReady.signal() }

    /// Returns when `count` threads have come to the disk, or one has given up.
    func waitForThreads(_ count: Int = 1) async throws {
        #expect(try await holds { begunCount >= count || starvedCount > 0 })
    }
}
