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

/// The index pass alone, for benchmarks.
@_spi(Benchmarks)
public enum JSONIndexing {
    /// Checks a document and counts the entries of its index.
    public static func index(_ bytes: Data) throws -> Int {
        try bytes.withBytes { try IndexBuilder.index($0, depthMax: 512).count }
    }
}
