#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The checksum and the length at the end of a gzip member (RFC 1952, section 8), for systems whose library does not
/// add them: Apple's.
package struct GzipChecksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1) }
    }

    private var value = UInt32.max
    private var count: UInt32 = 0

    package init() {}

    package mutating func add(_ bytes: Data) {
        let table = Self.table
        for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 0xFF)] ^ (value >> 8) }
        count &+= UInt32(truncatingIfNeeded: bytes.count)
    }

    /// The eight bytes of the end.
    package var trailer: Data {
        Data([~value, count].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } })
    }
}
