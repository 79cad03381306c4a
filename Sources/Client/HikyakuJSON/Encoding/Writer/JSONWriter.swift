#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes a document in order, piece by piece; a ``JSONWritable`` value writes itself to it.
///
/// ```swift
/// struct Coordinates: JSONWritable {     // [35.68, 139.77]
///     let latitude: Double, longitude: Double
///
///     func write(to writer: inout JSONWriter) throws {
///         try writer.writeArray { writer in
///             try writer.write(latitude)
///             try writer.write(longitude)
///         }
///     }
/// }
/// ```
/// A writer expects one value at the beginning and after a member's key, members inside an object, and elements
/// inside an array. It adds commas, quotation marks and line breaks itself. A call at the wrong position throws
/// `EncodingError`. A call that throws writes nothing, so that `try?` leaves out an element.
///
/// Dates, data and non-finite numbers are written by the strategies of the ``HikyakuJSONEncoder`` that created the
/// writer. The key strategy doesn't apply, because a type that writes itself gives the document's keys. Repeated keys
/// are not detected.
public struct JSONWriter: ~Copyable {
    /// What may come next.
    enum Expected: UInt8 {
        case value, firstElement, element, firstMember, member, nothing
    }

    var bytes: ByteBuffer
    var members = MemberStack()
    let settings: EncodingSettings
    let isPretty: Bool
    var expected = Expected.value
    /// How many objects and arrays are open.
    var depth = 0
    /// The state before the object whose members are being written by name.
    var object: Mark?
    /// The member that the next object begins with, if its value has none that distinguishes it from others.
    var tag: (name: StaticString, text: String)?
    /// The offset of the value that is being written directly.
    private var origin = 0
    /// The state of that value for coding paths, created on demand.
    private var partial: PartialDocument?
    /// The error of a misplaced `writeNull`, which can't throw.
    var misuse: (any Error)?
    /// The session of a Codable parent, which owns this writer.
    unowned var session: EncodingSession?
    /// The session of the last Codable value inside a direct one, for reuse.
    var child: EncodingSession?

    init(settings: EncodingSettings, capacity: Int = 512) {
        self.settings = settings
        isPretty = settings.isPretty
        bytes = ByteBuffer(capacity: capacity)
    }

    /// Begins a value that is written directly.
    mutating func beginDirectly() {
        expected = .value
        origin = bytes.count
        partial = nil
    }

    /// Discards all bytes after a length.
    mutating func truncate(to count: Int) {
        bytes.truncate(to: count)
        partial?.truncate(to: count)
    }

    /// Invalidates cached path positions after bytes were moved.
    private mutating func forgetPlaces(from count: Int) {
        partial?.truncate(to: count)
    }

    /// The value that is being written directly, for paths.
    private mutating func makePartial() -> PartialDocument {
        if let partial { return partial }
        let made = PartialDocument(from: origin)
        partial = made
        return made
    }

    // MARK: Values

    /// Writes a value as the whole document, an element of an array, or the value of a member.
    ///
    /// - Throws: `EncodingError` if no value is expected, and errors of the value.
    @inlinable public mutating func write<Value: JSONWritable>(_ value: Value) throws {
        let mark = mark
        do { try value.write(to: &self) } catch {
            rollBack(to: mark)
            throw error
        }
    }

    /// Writes `null`.
    ///
    /// If no value is expected, encoding the whole document fails at the end.
    public mutating func writeNull() {
        do { try appendNull() } catch { misuse = misuse ?? error }
    }

    /// Writes an array of the elements that `elements` writes.
    ///
    /// - Throws: `EncodingError` if no value is expected or if more than 512 objects and arrays would be open, and
    ///   errors of `elements`.
    @inlinable public mutating func writeArray(_ elements: (inout JSONWriter) throws -> Void) throws {
        let mark = try openArray()
        do { try elements(&self) } catch {
            rollBack(to: mark)
            throw error
        }
        closeArray(mark)
    }

    // MARK: Objects of any keys

    /// Writes an object of the members that `members` writes.
    @inlinable mutating func writeObject(_ members: (inout JSONWriter) throws -> Void) throws {
        let mark = try openObject()
        do { try members(&self) } catch {
            rollBack(to: mark)
            throw error
        }
        closeObject(mark)
    }

    /// Writes a key and the value that `value` writes.
    @inlinable mutating func writeMember(_ key: String, by value: (inout JSONWriter) throws -> Void) throws {
        let mark = try openMember(key)
        do {
            try value(&self)
            try closeMember()
        } catch {
            rollBack(to: mark)
            throw error
        }
    }
}

extension JSONWriter {
    /// A state to roll back to.
    @usableFromInline struct Mark {
        let count: Int
        let members: Int
        let depth: Int
        let expected: Expected
    }

    @usableFromInline var mark: Mark {
        Mark(count: bytes.count, members: members.count, depth: depth, expected: expected)
    }

    /// Goes back to the state before a value that throws.
    @usableFromInline mutating func rollBack(to mark: Mark) {
        guard let recorder = settings.recorder else { return restore(mark) }
        recordFailure(recorder)
        restore(mark)
        recorder.settle(at: bytes.count)
    }

    @inline(never) private mutating func recordFailure(_ recorder: FailureRecorder) {
        let count = bytes.count
        let path = codingPath()
        recorder.record(at: count) { path }
    }

    private mutating func restore(_ mark: Mark) {
        truncate(to: mark.count)
        members.truncate(to: mark.members)
        depth = mark.depth
        expected = mark.expected
    }

    // MARK: Values

    /// Writes the separator before a value.
    ///
    /// All other checks come before it, so that a failure leaves no separator.
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

    /// Writes a scalar value with the separator before it.
    @inline(__always) mutating func appendValue(_ append: (inout ByteBuffer) -> Void) throws {
        try beginValue()
        append(&bytes)
        endValue()
    }

    @usableFromInline mutating func appendNull() throws {
        try appendValue { $0.append("null") }
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
        try key.withContiguousBytes { try openMember($0) }
    }

    mutating func openMember(_ key: UnsafeBufferPointer<UInt8>) throws -> Mark {
        guard expected == .firstMember || expected == .member else {
            throw misplaced("the member \"\(String(decoding: key, as: UTF8.self))\"")
        }
        let mark = mark
        separate(isFirst: expected == .firstMember)
        _ = settings.sortsKeys ? appendMember(key, nil) : appendKey(key, nil)
        expected = .value
        return mark
    }

    @usableFromInline mutating func closeMember() throws {
        guard expected == .nothing else {
            throw failure("Wrote a key without a value. Write a value, or leave out the key.")
        }
        expected = .member
    }

    private mutating func open(_ bracket: UInt8) throws {
        if depth >= ThreadStack.trustedDepth { try checkDepth() }
        try beginValue()
        appendOpen(bracket)
    }

    @inline(never) private mutating func checkDepth() throws {
        guard depth < ThreadStack.depthMax else { throw failure(Self.tooDeep, cause: .tooDeep) }
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

    /// Writes a key and the punctuation before its value; the fingerprint is that of ``KeyHash``.
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
            // Foundation writes an empty line between the brackets of an empty container.
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
        "More than \(ThreadStack.depthMax) objects and arrays are nested. Check whether a value contains itself, or reduce the nesting."
    }

    static func stackEnd(depth: Int) -> String {
        """
        The stack of this thread is full at \(depth) nested objects and arrays. Check whether a value contains itself, \
        or encode on a thread with a larger stack.
        """
    }

    /// An error with the current coding path, which is derived from the bytes so far.
    mutating func failure(_ text: String, value: Any = (), cause: EncodingCause? = nil) -> EncodingError {
        EncodingCause.error(text, value: value, path: codingPath(), cause)
    }

    @inline(never) private mutating func misplaced(_ what: String) -> EncodingError {
        let place =
            switch expected {
            case .value: "a value is expected. Write members after beginObject"
            case .firstElement, .element: "an element of an array is expected"
            case .firstMember, .member: "a member of an object is expected. Write the value with its key by member"
            case .nothing: "the value is already complete. Write an array or an object that contains both"
            }
        return failure("Can't write \(what) here: \(place).")
    }

    static func wroteNothing<Value>(_ value: Value) -> String {
        "\(Value.self) wrote no value. Its write(to:) must write exactly one value, which may be null."
    }

    /// The path from the document's root to the current value.
    private mutating func codingPath() -> [any CodingKey] {
        let isBeforeNext = expected == .element || expected == .member
        let path = makePartial().path(to: bytes.count, in: bytes.bytes, isBeforeNext: isBeforeNext)
        return (session?.codingPath ?? []) + path
    }
}

extension JSONWriter {
    /// Writes a value by its `encode(to:)`, with all strategies of the encoder, including the key strategy.
    ///
    /// - Throws: `EncodingError` if no value is expected, the errors of ``HikyakuJSONEncoder/encode(_:)``, and errors
    ///   of the value.
    public mutating func encode<Value: Encodable>(_ value: Value) throws {
        try encode { session in try session.encodeRoot(value) }
    }

    /// Encodes a value by a closure, for custom strategies.
    mutating func encode(by closure: (any Encoder) throws -> Void) throws {
        try encode { session in try session.encodeRoot(by: closure) }
    }

    /// Moves the bytes into a session for one value; a value that encodes nothing is an empty object.
    private mutating func encode(in encode: (EncodingSession) throws -> Bool) throws {
        let mark = mark
        try beginValue()
        let session = child ?? EncodingSession(settings: settings)
        child = nil
        session.enter(.direct(session: self.session, makePartial(), to: bytes.count), of: self.session)
        session.writer.pointee.depth = depth
        swap(&bytes, &session.writer.pointee.bytes)
        let outcome = Result { try encode(session) }
        swap(&bytes, &session.writer.pointee.bytes)
        // This writer's session owns the writer, and so the child.
        session.leaveParent()
        child = session
        switch outcome {
        case .success(true): endValue()
        case .success(false):
            restore(mark)
            try writeObject { _ in }
        case .failure(let error):
            rollBack(to: mark)
            throw error
        }
    }
}
