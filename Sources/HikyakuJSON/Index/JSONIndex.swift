#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
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
