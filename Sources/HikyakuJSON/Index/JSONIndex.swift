#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What stands where in a document that was checked: one entry for each value and key, in the order of the document.
///
/// It needs the document's bytes to say anything of texts and numbers, and doesn't keep them. See ``JSONEntry``.
struct JSONIndex: ~Copyable {
    let entries: UnsafeMutablePointer<UInt64>
    let count: Int
    /// The place behind the value, in bytes from the document's beginning.
    let end: Int
    /// Whether containers are inside of each other beyond ``ThreadStack/trustedDepth``.
    let isDeep: Bool

    /// Takes over the entries, which come from `malloc`.
    init(entries: UnsafeMutablePointer<UInt64>, count: Int, end: Int, isDeep: Bool) {
        self.entries = entries
        self.count = count
        self.end = end
        self.isDeep = isDeep
    }

    deinit {
        free(entries)
    }

    @inline(__always)
    subscript(index: Int) -> JSONEntry {
        get { JSONEntry(word: entries[index]) }
        nonmutating set { entries[index] = newValue.word }
    }

    /// The index behind the last entry of the container.
    @inline(__always)
    func end(of container: Int) -> Int { Int(truncatingIfNeeded: entries[container + 1] & 0xFFFF_FFFF) }

    /// The index behind a value.
    @inline(__always)
    func next(after value: Int) -> Int { self[value].isContainer ? end(of: value) : value + 1 }

    /// The member of an object that is expected to be asked for next; 0 before the first question.
    @inline(__always)
    func expected(in object: Int) -> Int { Int(truncatingIfNeeded: entries[object + 1] >> 32) }

    @inline(__always)
    func expect(_ member: Int, in object: Int) {
        entries[object + 1] = entries[object + 1] & 0xFFFF_FFFF | UInt64(truncatingIfNeeded: member) << 32
    }

    /// The number of values in an array or members in an object, counted where the entry can't hold it.
    func members(of container: Int) -> Int {
        let count = self[container].length
        guard count == JSONEntry.lengthMax else { return count }
        var found = 0
        var place = container + 2
        let isObject = self[container].kind == .object
        while place < end(of: container) {
            place = next(after: isObject ? place + 1 : place)
            found += 1
        }
        return found
    }
}

/// One entry of a ``JSONIndex``: what kind of value stands where, in eight bytes.
///
/// From the lowest bit: 32 bits for the place of its first byte (of a text, the one behind the quote), 28 for the
/// length in bytes (of a container, the number of members), 4 for the kind. A length beyond what 28 bits hold is
/// ``lengthMax``, and is then found by looking at the bytes again.
///
/// A container has a second word: from the lowest bit 32 bits for the index behind its last entry, and 32 for the
/// member that is expected to be asked for next, 0 before the first question. An object's members are pairs of entries,
/// a key and a value.
struct JSONEntry {
    enum Kind: UInt8 {
        case null
        case `false`
        case `true`
        /// A number without fraction and exponent.
        case integer
        /// A number with a fraction or an exponent.
        case decimal
        /// A text of ASCII without escapes.
        case plainString
        /// A text that goes beyond ASCII, without escapes.
        case wideString
        /// A text with escapes.
        case escapedString
        case array
        case object
        /// A key whose bytes are its value.
        case plainKey
        /// A key with escapes.
        case escapedKey
        /// A key that comes again behind it, and therefore counts for nothing.
        case shadowedKey
        /// A key that was converted; in place of the length stands the number of its text among those that are kept.
        case convertedKey
    }

    static let lengthMax = 1 << 28 - 1

    var word: UInt64

    @inline(__always)
    init(word: UInt64) {
        self.word = word
    }

    @inline(__always)
    init(_ kind: Kind, at offset: Int, length: Int) {
        word =
            UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: min(length, Self.lengthMax)) << 32
            | UInt64(kind.rawValue) << 60
    }

    @inline(__always)
    var kind: Kind {
        // Only entries that were made from a kind are ever looked at, and the kinds are numbered from 0 on, as they are
        // in memory; asking `init(rawValue:)` costs a call.
        unsafeBitCast(UInt8(truncatingIfNeeded: word >> 60), to: Kind.self)
    }

    @inline(__always)
    var offset: Int { Int(truncatingIfNeeded: word & 0xFFFF_FFFF) }

    @inline(__always)
    var length: Int { Int(truncatingIfNeeded: word >> 32 & 0xFFF_FFFF) }

    @inline(__always)
    var isContainer: Bool { kind == .array || kind == .object }

    @inline(__always)
    var isString: Bool { kind == .plainString || kind == .wideString || kind == .escapedString }

    /// The place of its first byte; of a text or key, its quote.
    @inline(__always)
    var start: Int { isString || isKey ? offset - 1 : offset }

    @inline(__always)
    var isKey: Bool { kind.rawValue >= Kind.plainKey.rawValue }
}

/// The index pass alone, to be measured.
@_spi(Benchmarks)
public enum JSONIndexing {
    /// Checks a document and counts the entries of its index.
    public static func index(_ bytes: Data) throws -> Int {
        try bytes.withBytes { try IndexBuilder.index($0, depthMax: 512).count }
    }
}
