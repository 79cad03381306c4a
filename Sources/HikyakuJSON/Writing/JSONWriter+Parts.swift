#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONWriter {
    /// How many objects and arrays may be open at once; a cycle of references would go on until the stack ends.
    static var depthMax: Int { 512 }

    /// A place to go back to when what follows throws.
    @usableFromInline struct Mark {
        let count: Int
        let members: Int
        let depth: Int
        let expected: Expected
    }

    var mark: Mark {
        Mark(count: bytes.count, members: members.count, depth: depth, expected: expected)
    }

    @usableFromInline mutating func rollBack(to mark: Mark) {
        truncate(to: mark.count)
        members.truncate(to: mark.members)
        depth = mark.depth
        expected = mark.expected
    }

    // MARK: Values

    /// Writes what stands before a value.
    ///
    /// What can fail for another reason fails before, so that nothing is left behind.
    @inline(__always) mutating func beginValue() throws {
        switch expected {
        case .value: return
        case .firstElement, .element: separate(isFirst: expected == .firstElement)
        case .firstMember, .member, .nothing: throw misplaced("a value")
        }
    }

    @inline(__always) mutating func endValue() {
        expected = expected == .value ? .nothing : .element
    }

    @usableFromInline mutating func appendNull() throws {
        try beginValue()
        bytes.append("null")
        endValue()
    }

    // MARK: Arrays and objects

    @usableFromInline mutating func openArray() throws -> Mark {
        let mark = mark
        try open(UInt8(ascii: "["))
        expected = .firstElement
        return mark
    }

    @usableFromInline mutating func closeArray(_ mark: Mark) {
        appendClose(UInt8(ascii: "]"), isEmpty: expected == .firstElement)
        expected = mark.expected
        endValue()
    }

    @usableFromInline mutating func openObject() throws -> Mark {
        let mark = mark
        try open(UInt8(ascii: "{"))
        expected = .firstMember
        return mark
    }

    @usableFromInline mutating func closeObject(_ mark: Mark) {
        if settings.sortsKeys {
            sortMembers(from: mark.members)
            forgetPlaces(from: mark.count)
        }
        appendClose(UInt8(ascii: "}"), isEmpty: expected == .firstMember)
        expected = mark.expected
        endValue()
    }

    @usableFromInline mutating func openMember(_ key: String) throws -> Mark {
        guard expected == .firstMember || expected == .member else { throw misplaced("the member \"\(key)\"") }
        let mark = mark
        separate(isFirst: expected == .firstMember)
        if settings.sortsKeys {
            _ = key.withContiguousBytes { appendMember($0, nil) }
        } else {
            _ = key.withContiguousBytes { appendKey($0, nil) }
        }
        expected = .value
        return mark
    }

    @usableFromInline mutating func closeMember() throws {
        guard expected == .nothing else { throw failure("Write a value for each key, or leave out both.") }
        expected = .member
    }

    private mutating func open(_ bracket: UInt8) throws {
        if depth >= ThreadStack.trustedDepth { try checkDepth() }
        try beginValue()
        appendOpen(bracket)
    }

    @inline(never) private mutating func checkDepth() throws {
        guard depth < Self.depthMax else { throw failure(Self.tooDeep) }
        guard !ThreadStack.isAtEnd else { throw failure(Self.stackEnd(depth: depth)) }
    }

    // MARK: Punctuation, also for the containers of Codable

    @inline(__always) mutating func separate(isFirst: Bool) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        if isPretty { breakLine() }
    }

    /// Writes a key as ``appendKey(_:_:)`` does, and remembers its member.
    @inline(__always) mutating func appendMember(_ text: UnsafeBufferPointer<UInt8>, _ hash: KeyHash?) -> UInt64 {
        let start = bytes.count
        let fingerprint = appendKey(text, hash)
        let length = bytes.count - start - (isPretty ? 3 : 1)
        let isEscaped = length != text.count + 2
        members.push(.init(fingerprint: fingerprint, start: start, keyLength: length, isEscaped: isEscaped))
        return fingerprint
    }

    /// Writes a key and what stands between it and its value; the fingerprint is that of ``KeyHash``.
    @inline(__always) mutating func appendKey(_ text: UnsafeBufferPointer<UInt8>, _ hash: KeyHash?) -> UInt64 {
        guard isPretty else { return bytes.appendKey(text, hash) }
        bytes.appendQuoted(text)
        bytes.append(" : ")
        return hash?.fingerprint(of: text) ?? 0
    }

    @inline(__always) mutating func appendOpen(_ bracket: UInt8) {
        bytes.append(bracket)
        depth += 1
    }

    @inline(__always) mutating func appendClose(_ bracket: UInt8, isEmpty: Bool) {
        depth -= 1
        if isPretty {
            // Foundation leaves an empty line between the brackets of nothing.
            if isEmpty { bytes.append(UInt8(ascii: "\n")) }
            breakLine()
        }
        bytes.append(bracket)
    }

    mutating func sortMembers(from first: Int) {
        bytes.sort(UnsafeBufferPointer(start: members.base + first, count: members.count - first))
        members.truncate(to: first)
    }

    @inline(never) private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(repeating: UInt8(ascii: " "), count: depth * 2)
    }
}

// MARK: Failures

extension JSONWriter {
    static var tooDeep: String {
        "More than \(depthMax) objects and arrays are open. Look for a value that contains itself, or write it flatter."
    }

    static func stackEnd(depth: Int) -> String {
        """
        The stack of this thread is at its end with \(depth) objects and arrays open. Look for a value that contains \
        itself, or encode on a thread with a larger stack.
        """
    }

    /// An error that says where the document stands, which is found out from the bytes so far.
    mutating func failure(_ text: String, value: Any = ()) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: codingPath(), debugDescription: text))
    }

    @inline(never) private mutating func misplaced(_ what: String) -> EncodingError {
        let place =
            switch expected {
            case .value: "a value belongs; write the object or the array around it first"
            case .firstElement, .element: "an element of an array belongs"
            case .firstMember, .member: "a member of an object belongs; give the value a key with writeMember"
            case .nothing: "nothing more belongs, since the value is complete; write an array or an object around both"
            }
        return failure("Wrote \(what) where \(place).")
    }

    static func wroteNothing<Value>(_ value: Value) -> String {
        "\(Value.self) wrote nothing. Have its write(to:) write exactly one value, which may be null."
    }

    /// The path from the document's beginning to what is being written.
    private mutating func codingPath() -> [any CodingKey] {
        let isBeforeNext = expected == .element || expected == .member
        let path = makePartial().path(to: bytes.count, in: bytes.bytes, isBeforeNext: isBeforeNext)
        return (session?.codingPath ?? []) + path
    }
}
