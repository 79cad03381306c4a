#if os(Linux)
import FoundationEssentials
import Glibc

/// Collects a body in memory of `malloc`, which is returned without a copy.
///
/// Its first capacity is the expected length, if that is known, but at most ``firstCapacityMax`` bytes, since a server
/// can announce any length.
struct BodyBuffer: ~Copyable {
    static let firstCapacityMax = 1 << 20
    private static let firstCapacityMin = 4096

    private var start: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    deinit {
        free(start)
    }

    /// Adds bytes; `false` when the system has no memory for them.
    mutating func append(_ bytes: UnsafeRawBufferPointer, expecting expectedCount: Int?) -> Bool {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return true }
        guard reserve(count + bytes.count, expecting: expectedCount), let start else { return false }
        memcpy(start + count, source, bytes.count)
        count += bytes.count
        return true
    }

    /// A copy of the first bytes.
    func beginning(upTo bytesMax: Int) -> Data {
        start.map { Data(bytes: $0, count: min(count, bytesMax)) } ?? Data()
    }

    /// The bytes so far; the buffer is empty afterwards.
    mutating func take() -> Data {
        guard var start, count > 0 else { return Data() }
        if capacity - count > count / 4 + Self.firstCapacityMin, let smaller = realloc(start, count) {
            start = smaller
        }
        let data = Data(bytesNoCopy: start, count: count, deallocator: .free)
        (self.start, capacity, count) = (nil, 0, 0)
        return data
    }

    private mutating func reserve(_ needed: Int, expecting expectedCount: Int?) -> Bool {
        guard needed > capacity else { return true }
        let wanted: Int
        if count == 0 {
            wanted = min(expectedCount ?? Self.firstCapacityMin, Self.firstCapacityMax)
        } else {
            wanted = min(capacity * 2, max(expectedCount ?? .max, 0))
        }
        let newCapacity = max(needed, wanted)
        guard let larger = realloc(start, newCapacity) else { return false }
        start = larger
        capacity = newCapacity
        return true
    }
}
#endif
