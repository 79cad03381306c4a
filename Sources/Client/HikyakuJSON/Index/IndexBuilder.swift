#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Checks a document in one pass and creates an entry for each value and key.
///
/// Nested arrays and objects are tracked in the entries, not on the stack: while a container is open, its second word
/// has the index of the enclosing one (low) and, while an inner one is open, the number of its members so far (high).
///
/// All functions are inlined into one loop and nothing takes the builder's address, so that the position stays in
/// registers.
struct IndexBuilder {
    private let base: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private let depthMax: Int
    /// The nesting depth at which a check is needed: first that of ordinary documents, then the limit.
    private var depthMark: Int
    private var place: UnsafePointer<UInt8>
    private var entries: UnsafeMutablePointer<UInt64>
    private var count = 0
    private var capacity: Int
    private var depth = 0
    /// The index of the innermost open container's entry.
    private var container = Self.none
    private var members = 0

    /// 32 set bits, which is -1 if an `Int` has 32 bits, as on watches.
    ///
    /// No entry has this index.
    private static let none = Int(truncatingIfNeeded: UInt32.max)

    init(_ bytes: UnsafeBufferPointer<UInt8>, expectedCount: Int, depthMax: Int) throws(JSONSyntaxError) {
        guard let base = bytes.baseAddress, bytes.count > 0 else { throw JSONSyntaxError(.empty, at: 0) }
        guard bytes.count < UInt32.max else { throw JSONSyntaxError(.tooLarge, at: Int(clamping: UInt32.max)) }
        self.base = base
        self.depthMax = depthMax
        depthMark = min(depthMax, ThreadStack.trustedDepth)
        place = base
        end = base + bytes.count
        capacity = max(32, expectedCount)
        guard let memory = malloc(capacity * MemoryLayout<UInt64>.stride) else {
            throw JSONSyntaxError(.noMemory, at: 0)
        }
        entries = memory.bindMemory(to: UInt64.self, capacity: capacity)
    }

    /// Reads a document, or one value inside it.
    ///
    /// At most `depthMax` containers may be nested.
    static func index(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int? = nil,
        depthMax: Int,
    ) throws(JSONSyntaxError) -> JSONIndex {
        // A nested value may be a small part of the document.
        let expectedCount = start == nil ? bytes.count / 8 : 0
        var builder = try IndexBuilder(bytes, expectedCount: expectedCount, depthMax: depthMax)
        do throws(TextScan.Fault) {
            if let start {
                builder.place += start
                try builder.values()
            } else {
                try builder.document()
            }
        } catch {
            free(builder.entries)
            throw error.error(in: builder.base)
        }
        return JSONIndex(
            entries: builder.entries,
            count: builder.count,
            end: builder.place - builder.base,
            isDeep: builder.depthMark > ThreadStack.trustedDepth,
        )
    }

    @inline(__always)
    private mutating func document() throws(TextScan.Fault) {
        skipSpace()
        guard place < end else { throw fault(.empty) }
        if place == base, end - base >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF {
            throw fault(.byteOrderMark)
        }
        try values()
        skipSpace()
        if place < end { throw fault(.trailingBytes) }
    }

    /// One value with its content.
    @inline(__always)
    private mutating func values() throws(TextScan.Fault) {
        repeat {
            try value()
        } while try goOn()
    }

    /// Reads a value, or the beginning of a container up to its first value.
    @inline(__always)
    private mutating func value() throws(TextScan.Fault) {
        while true {
            guard place < end else { throw fault(.unexpectedEnd) }
            if capacity - count < 4 { try grow() }
            switch place.pointee {
            case Byte.quote:
                return try string()
            case Byte.openBrace:
                try open(.object)
                if isClosed(by: Byte.closeBrace) { return close() }
                try key()
            case Byte.openBracket:
                try open(.array)
                if isClosed(by: Byte.closeBracket) { return close() }
            case Byte.minus, Byte.zero...Byte.nine:
                return try number()
            default:
                return try word()
            }
        }
    }

    /// Advances to the next value, past the ends of containers; `false` when the outermost one is closed.
    @inline(__always)
    private mutating func goOn() throws(TextScan.Fault) -> Bool {
        while container != Self.none {
            skipSpace()
            guard place < end else { throw fault(.unexpectedEnd) }
            let isObject = JSONEntry(word: entries[container]).kind == .object
            let byte = place.pointee
            members += 1
            if byte == Byte.comma {
                place += 1
                skipSpace()
                if isObject {
                    if capacity - count < 4 { try grow() }
                    try key()
                }
                return true
            }
            guard byte == (isObject ? Byte.closeBrace : Byte.closeBracket) else { throw fault(.noSeparator) }
            place += 1
            close()
        }
        return false
    }

    @inline(__always)
    private mutating func open(_ kind: JSONEntry.Kind) throws(TextScan.Fault) {
        depth += 1
        if depth > depthMark {
            guard depth <= depthMax else { throw fault(.tooDeep) }
            depthMark = depthMax
        }
        if container != Self.none { entries[container + 1] |= UInt64(truncatingIfNeeded: members) << 32 }
        entries[count] = JSONEntry(kind, at: place - base, length: 0).word
        entries[count + 1] = UInt64(UInt32(truncatingIfNeeded: container))
        container = count
        members = 0
        count += 2
        place += 1
        skipSpace()
    }

    @inline(__always)
    private mutating func isClosed(by byte: UInt8) -> Bool {
        guard place < end, place.pointee == byte else { return false }
        place += 1
        return true
    }

    @inline(__always)
    private mutating func close() {
        depth -= 1
        let around = Int(truncatingIfNeeded: entries[container + 1] & 0xFFFF_FFFF)
        entries[container] |= UInt64(truncatingIfNeeded: min(members, JSONEntry.lengthMax)) << 32
        entries[container + 1] = UInt64(truncatingIfNeeded: count)
        container = around
        guard around != Self.none else { return }
        members = Int(truncatingIfNeeded: entries[around + 1] >> 32)
        entries[around + 1] &= 0xFFFF_FFFF
    }

    /// A key, the colon, and the white space around.
    @inline(__always)
    private mutating func key() throws(TextScan.Fault) {
        guard place < end else { throw fault(.unexpectedEnd) }
        guard place.pointee == Byte.quote else { throw fault(.noKey) }
        let start = place + 1
        let found = try TextScan.text(from: start, to: end)
        append(JSONEntry(found.isEscaped ? .escapedKey : .plainKey, at: start - base, length: found.end - start))
        place = found.end + 1
        skipSpace()
        guard place < end else { throw fault(.unexpectedEnd) }
        guard place.pointee == Byte.colon else { throw fault(.noColon) }
        place += 1
        skipSpace()
    }

    @inline(__always)
    private mutating func string() throws(TextScan.Fault) {
        let start = place + 1
        let found = try TextScan.text(from: start, to: end)
        let kind = found.isPlain ? JSONEntry.Kind.plainString : found.isEscaped ? .escapedString : .wideString
        append(JSONEntry(kind, at: start - base, length: found.end - start))
        place = found.end + 1
    }

    @inline(__always)
    private mutating func number() throws(TextScan.Fault) {
        let found = try NumberScan.number(from: place, to: end)
        append(JSONEntry(found.isInteger ? .integer : .decimal, at: place - base, length: found.end - place))
        place = found.end
    }

    @inline(__always)
    private mutating func word() throws(TextScan.Fault) {
        let (kind, found) = try WordScan.word(from: place, to: end)
        append(JSONEntry(kind, at: place - base, length: found - place))
        place = found
    }

    @inline(__always)
    private mutating func append(_ entry: JSONEntry) {
        entries[count] = entry.word
        count += 1
    }

    @inline(__always)
    private mutating func grow() throws(TextScan.Fault) {
        guard let larger = Self.moved(entries, capacity) else { throw fault(.noMemory) }
        entries = larger
        capacity *= 2
    }

    /// Returns the entries in twice the memory; `nil` if there is none, and the entries are not moved.
    @inline(never)
    private static func moved(
        _ entries: UnsafeMutablePointer<UInt64>,
        _ capacity: Int,
    ) -> UnsafeMutablePointer<UInt64>? {
        // Prevents an overflow of an `Int` of 32 bits.
        guard capacity <= Int.max / (2 * MemoryLayout<UInt64>.stride) else { return nil }
        // `realloc` can move pages without a copy.
        let larger = realloc(entries, 2 * capacity * MemoryLayout<UInt64>.stride)
        return larger?.assumingMemoryBound(to: UInt64.self)
    }

    @inline(__always)
    private mutating func skipSpace() {
        while place < end, place.pointee <= Byte.space, Byte.isSpace(place.pointee) { place += 1 }
    }

    @inline(__always)
    private func fault(_ kind: JSONSyntaxError.Kind) -> TextScan.Fault {
        TextScan.Fault(place: place, kind: kind)
    }
}
