#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Data {
    /// Calls a closure with the bytes.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try withUnsafeBytes { try $0.withMemoryRebound(to: UInt8.self, body) }
    }
}

/// Names for the bytes of the grammar.
enum Byte {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let plus: UInt8 = 0x2B
    static let comma: UInt8 = 0x2C
    static let minus: UInt8 = 0x2D
    static let point: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let nine: UInt8 = 0x39
    static let colon: UInt8 = 0x3A
    static let openBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let closeBracket: UInt8 = 0x5D
    static let openBrace: UInt8 = 0x7B
    static let closeBrace: UInt8 = 0x7D

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == space || byte == lineFeed || byte == carriageReturn || byte == tab
    }
}

/// Short runs of bytes.
enum Bytes {
    /// The offset of a document, after a byte order mark if there is one.
    static func start(of document: UnsafeBufferPointer<UInt8>) -> Int {
        document.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Whether two runs are equal.
    ///
    /// For the lengths of keys, two overlapping words are compared instead of a loop.
    @inline(__always)
    static func equal(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if count >= 8 {
            if count > 16 { return equalLong(one, other, count) }
            return word(one) == word(other) && word(one + count - 8) == word(other + count - 8)
        }
        if count >= 4 { return half(one) == half(other) && half(one + count - 4) == half(other + count - 4) }
        if count >= 2 { return pair(one) == pair(other) && one[count - 1] == other[count - 1] }
        return count == 0 || one.pointee == other.pointee
    }

    private static func equalLong(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var place = 0
        while place + 8 < count {
            guard word(one + place) == word(other + place) else { return false }
            place += 8
        }
        return word(one + count - 8) == word(other + count - 8)
    }

    @inline(__always)
    static func word(_ place: UnsafePointer<UInt8>) -> UInt64 {
        UnsafeRawPointer(place).loadUnaligned(as: UInt64.self)
    }

    @inline(__always)
    static func half(_ place: UnsafePointer<UInt8>) -> UInt32 {
        UnsafeRawPointer(place).loadUnaligned(as: UInt32.self)
    }

    /// Two bytes as ``pair(_:)`` reads them.
    @inline(__always)
    static func pair(of first: UInt8, _ second: UInt8) -> UInt16 {
        UInt16(littleEndian: UInt16(first) | UInt16(second) << 8)
    }

    @inline(__always)
    static func pair(_ place: UnsafePointer<UInt8>) -> UInt16 {
        UnsafeRawPointer(place).loadUnaligned(as: UInt16.self)
    }
}
