/// Looks through all objects of a document for a key that its object already has.
///
/// Keys are compared as what they say: `"a"` and `"\u0061"` are one. Each is looked at once, and again only where
/// another one resembles it, so that the time grows with the document and no faster.
struct DuplicateKeySearch: ~Copyable {
    /// In objects with more members than this, keys are looked up in a set.
    private static let comparedMembersMax = 24

    private let base: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private let index: JSONIndex

    private init(_ base: UnsafePointer<UInt8>, _ count: Int, _ index: consuming JSONIndex) {
        self.base = base
        end = base + count
        self.index = index
    }

    /// Goes through a document before it is read.
    ///
    /// - Throws: The first key in the document that its object already has, at its quote; what else is wrong with the
    ///   document is thrown first.
    static func check(_ bytes: UnsafeBufferPointer<UInt8>, depthMax: Int) throws(JSONSyntaxError) {
        guard let base = bytes.baseAddress else { throw JSONSyntaxError(.empty, at: 0) }
        let search = DuplicateKeySearch(base, bytes.count, try IndexBuilder.index(bytes, depthMax: depthMax))
        guard let key = search.firstRepeatedKey() else { return }
        throw JSONSyntaxError(.duplicateKey, at: search.index[key].offset - 1)
    }

    private func firstRepeatedKey() -> Int? {
        // An object behind the key that was found can't have an earlier one.
        var first = index.count
        var place = 0
        while place < first {
            let entry = index[place]
            if entry.kind == .object {
                first = repeatedKey(of: place, isLarge: entry.length > Self.comparedMembersMax) ?? first
            }
            place += entry.isContainer ? 2 : 1
        }
        return first < index.count ? first : nil
    }

    private func repeatedKey(of object: Int, isLarge: Bool) -> Int? {
        isLarge ? repeatedKeyOfLarge(object) : repeatedKeyOfSmall(object)
    }
}

extension DuplicateKeySearch {
    /// Equal keys have equal marks among 64, and those few that have another's are compared.
    private func repeatedKeyOfSmall(_ object: Int) -> Int? {
        var marks: UInt64 = 0
        let end = index.end(of: object)
        var member = object + 2
        while member < end {
            let mark: UInt64 = 1 &<< withKey(at: member, Self.mark)
            if marks & mark != 0, isRepeated(member, of: object) { return member }
            marks |= mark
            member = index.next(after: member + 1)
        }
        return nil
    }

    private func isRepeated(_ key: Int, of object: Int) -> Bool {
        var member = object + 2
        while member < key {
            if withKey(at: member, { one in withKey(at: key) { one == $0 } }) { return true }
            member = index.next(after: member + 1)
        }
        return false
    }

    private static func mark(of key: KeyBytes) -> UInt64 {
        guard key.count > 0 else { return 0 }
        let middle = UInt64(key.start[key.count >> 1]) &* 0x85EB_CA6B
        let last = UInt64(key.start[key.count - 1]) &* 0xC2B2_AE35
        return (UInt64(key.start[0]) &* 0x9E37_79B9 &+ middle &+ last &+ UInt64(key.count) &* 0x27D4_EB2F) >> 26 & 63
    }

    private func repeatedKeyOfLarge(_ object: Int) -> Int? {
        // What keys with escapes say needs memory of its own, as long as the set refers to it.
        var unescaped: [UnsafeMutablePointer<UInt8>] = []
        defer { unescaped.forEach { $0.deallocate() } }
        var keys = Set<KeyBytes>(minimumCapacity: index.members(of: object))
        let end = index.end(of: object)
        var member = object + 2
        while member < end {
            var key = bytes(of: index[member])
            if index[member].kind != .plainKey {
                let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, key.count))
                unescaped.append(copy)
                key = KeyBytes(start: copy, count: EscapeScan.unescape(key.start, key.count, into: copy))
            }
            guard keys.insert(key).inserted else { return member }
            member = index.next(after: member + 1)
        }
        return nil
    }
}

extension DuplicateKeySearch {
    /// A key without escapes, with a hash that is seeded for each process: nobody outside can make keys that meet.
    private struct KeyBytes: Hashable {
        let start: UnsafePointer<UInt8>
        let count: Int

        static func == (one: KeyBytes, other: KeyBytes) -> Bool {
            one.count == other.count && Bytes.equal(one.start, other.start, one.count)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
        }
    }

    private func bytes(of entry: JSONEntry) -> KeyBytes {
        let start = base + entry.offset
        guard entry.length == JSONEntry.lengthMax else { return KeyBytes(start: start, count: entry.length) }
        // The key was checked when the index was made.
        let found = try? TextScan.text(from: start, to: end)
        return KeyBytes(start: start, count: (found?.end ?? start) - start)
    }

    @inline(__always)
    private func withKey<Result>(at member: Int, _ body: (KeyBytes) -> Result) -> Result {
        let entry = index[member]
        let key = bytes(of: entry)
        guard entry.kind != .plainKey else { return body(key) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, key.count)) { buffer in
            // A buffer of one byte and more has an address.
            let copy = buffer.baseAddress.unsafelyUnwrapped
            return body(KeyBytes(start: copy, count: EscapeScan.unescape(key.start, key.count, into: copy)))
        }
    }
}
