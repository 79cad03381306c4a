#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that grow at their end, without the checks and the reference counts of an array.
///
/// What appends reserves first; the unchecked stores of the other files stay inside of what they have reserved.
struct ByteBuffer: ~Copyable {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        base = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit {
        base.deallocate()
    }

    /// The bytes so far; they move with the next append.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base, count: count)
    }

    /// Makes room for so many bytes, and says where they go.
    @inline(__always) mutating func reserve(_ length: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < length { grow(by: length) }
        return base + count
    }

    /// Counts bytes as written, which ``reserve(_:)`` made room for.
    @inline(__always) mutating func advance(by length: Int) {
        count += length
    }

    @inline(__always) mutating func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        count += 1
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append($0) }
    }

    mutating func append(repeating byte: UInt8, count length: Int) {
        reserve(length).update(repeating: byte, count: length)
        count += length
    }

    /// Takes back what was written behind a place.
    @inline(__always) mutating func truncate(to length: Int) {
        count = min(count, length)
    }

    /// Writes over bytes that are there.
    mutating func replace(from offset: Int, with bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, offset >= 0, offset + bytes.count <= count else { return }
        (base + offset).update(from: start, count: bytes.count)
    }

    /// Hands the bytes over and begins anew; a large buffer isn't copied but changes its owner.
    mutating func takeData() -> Data {
        defer { count = 0 }
        guard count >= 4096 else { return Data(bytes: base, count: count) }
        let data = Data(bytesNoCopy: base, count: count, deallocator: .custom { start, _ in start.deallocate() })
        base = .allocate(capacity: 0)
        capacity = 0
        return data
    }

    @inline(never) private mutating func grow(by length: Int) {
        let larger = max(capacity * 2, count + length, 64)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = larger
    }
}
