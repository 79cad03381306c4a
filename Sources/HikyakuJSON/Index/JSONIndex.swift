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

/// The positions and kinds of all values and keys of a checked document, one entry for each, in the order of the
/// document.
///
/// Strings and numbers are read from the document's bytes, which the index does not keep. See ``JSONEntry``.
struct JSONIndex: ~Copyable {
    let entries: UnsafeMutablePointer<UInt64>
    let count: Int
    /// The end of the value, in bytes from the document's beginning.
    let end: Int
    /// Whether containers are nested deeper than ``ThreadStack/trustedDepth``.
    let isDeep: Bool

    /// Takes ownership of the entries, which were allocated by `malloc`.
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

    /// The index after the last entry of the container.
    @inline(__always)
    func end(of container: Int) -> Int { Int(truncatingIfNeeded: entries[container + 1] & 0xFFFF_FFFF) }

    /// The index after a value.
    @inline(__always)
    func next(after value: Int) -> Int { self[value].isContainer ? end(of: value) : value + 1 }

    /// The member of an object that is probably requested next; 0 before the first request.
    @inline(__always)
    func expected(in object: Int) -> Int { Int(truncatingIfNeeded: entries[object + 1] >> 32) }

    @inline(__always)
    func expect(_ member: Int, in object: Int) {
        entries[object + 1] = entries[object + 1] & 0xFFFF_FFFF | UInt64(truncatingIfNeeded: member) << 32
    }

    /// The number of elements or members, counted if the entry can't hold it.
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

/// One entry of a ``JSONIndex``: the kind and position of a value, in eight bytes.
///
/// From the lowest bit: 32 bits for the offset of its first byte (for a string, the byte after the quote), 28 for the
/// length in bytes (for a container, the number of members), 4 for the kind. A length that does not fit is
/// ``lengthMax``, and is then found by a scan of the bytes.
///
/// A container has a second word: from the lowest bit 32 bits for the index after its last entry, and 32 for the member
/// that is probably requested next, 0 before the first request. An object's members are pairs of entries, a key and a
/// value.
struct JSONEntry {
    enum Kind: UInt8 {
        case null
        case `false`
        case `true`
        /// A number without fraction and exponent.
        case integer
        /// A number with a fraction or an exponent.
        case decimal
        /// An ASCII string without escapes.
        case plainString
        /// A string with non-ASCII characters, without escapes.
        case wideString
        /// A string with escapes.
        case escapedString
        case array
        case object
        /// A key whose bytes are its value.
        case plainKey
        /// A key with escapes.
        case escapedKey
        /// A key that is repeated later in its object, and is therefore ignored.
        case shadowedKey
        /// A converted key; the length is replaced by the number of its text in ``KeyTexts``.
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
        // All entries were created from a kind, and the raw values equal the representation in memory;
        // `init(rawValue:)` costs a call.
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

    /// The offset of its first byte; for a string or key, of its quote.
    @inline(__always)
    var start: Int { isString || isKey ? offset - 1 : offset }

    @inline(__always)
    var isKey: Bool { kind.rawValue >= Kind.plainKey.rawValue }
}

/// The index pass alone, for benchmarks.
@_spi(Benchmarks)
public enum JSONIndexing {
    /// Checks a document and counts the entries of its index.
    public static func index(_ bytes: Data) throws -> Int {
        try bytes.withBytes { try IndexBuilder.index($0, depthMax: 512).count }
    }
}
