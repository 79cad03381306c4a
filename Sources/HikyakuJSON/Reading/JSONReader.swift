/// Reads a document value by value from its bytes, for ``JSONReadable`` types.
///
/// The reader is positioned before a value. A successful read moves it past the value; a failed read leaves it there,
/// so that another type can be tried.
public struct JSONReader: ~Copyable {
    @usableFromInline let context: ReadingContext
    let end: UnsafePointer<UInt8>
    @usableFromInline var place: UnsafePointer<UInt8>
    /// The beginning of the object that was read last.
    @usableFromInline var lastObject: UnsafePointer<UInt8>
    /// The number of further levels that may be nested.
    @usableFromInline var depthLeft: Int
    /// Whether arrays are read to their ends, even if elements fail.
    @usableFromInline let collectsFailures: Bool

    init(_ context: ReadingContext, at offset: Int) {
        self.context = context
        end = context.end
        place = context.bytes + offset
        lastObject = place
        depthLeft = context.settings.depthMax
        collectsFailures = context.settings.collectsFailures
    }

    /// Reads a whole document.
    static func document<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        settings: HikyakuJSONDecoder,
        _ body: (inout JSONReader) throws -> Value,
    ) throws -> Value {
        guard bytes.count > 0 else { throw JSONSyntaxError(.empty, at: 0) }
        let context = ReadingContext(bytes, settings: settings)
        var reader = JSONReader(context, at: 0)
        do {
            try reader.begin()
            let value = try body(&reader)
            reader.skipSpace()
            if reader.place < reader.end { throw reader.fault(.trailingBytes) }
            return value
        } catch {
            throw context.located(error)
        }
    }

    private mutating func begin() throws {
        if end - place >= 3, place[0] == 0xEF, place[1] == 0xBB, place[2] == 0xBF { throw fault(.byteOrderMark) }
        skipSpace()
        if place == end { throw fault(.empty) }
    }

    /// Reads a value.
    @inlinable
    @inline(__always)
    public mutating func read<Value: JSONReadable>(_ type: Value.Type = Value.self) throws -> Value {
        let (start, depth) = (place, depthLeft)
        do {
            return try Value(from: &self)
        } catch {
            goBack(to: start, depth)
            throw error
        }
    }

    @usableFromInline
    @inline(never)
    mutating func goBack(to start: UnsafePointer<UInt8>, _ depth: Int) {
        place = start
        depthLeft = depth
    }

    /// Reads a value by its `init(from:)` of `Decodable`, with the decoder's strategies.
    public mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let session = context as? DecodingSession, let found = session.value(atByte: offset) {
            let value = try session.value(type, at: found.place)
            place = context.bytes + found.end
            return value
        }
        let bytes = UnsafeBufferPointer(start: context.bytes, count: context.byteCount)
        let plan = Plan<Value>.shared
        var settings = context.settings
        settings.depthMax = depthLeft
        let (value, end) = try DecodingSession.decode(bytes, from: offset, in: context, settings: settings) {
            try plan.decode($0, at: 0)
        }
        place = context.bytes + end
        return value
    }

    /// Reads `null`, if that is the next value.
    ///
    /// - Returns: Whether the value was `null`. Any other value is not read.
    @inline(__always)
    public mutating func readNull() throws -> Bool {
        guard place < end, place.pointee == UInt8(ascii: "n") else { return false }
        place = try checked { place, end throws(TextScan.Fault) in try WordScan.word(from: place, to: end).1 }
        return true
    }

    /// Unwraps a required value of the object that was read last.
    ///
    /// A type with many required values should unwrap all of them at once and throw ``missing(_:)`` itself. If an
    /// error can be thrown while a value is being initialized, the compiler keeps a copy of it.
    ///
    /// - Throws: `DecodingError.keyNotFound` for `nil`.
    @inlinable
    public func require<Value, Key: RawRepresentable<String>>(_ value: Value?, _ key: Key) throws -> Value {
        guard let value else { throw missing(key) }
        return value
    }

    /// Returns the error for a required key that is missing in the object that was read last.
    ///
    /// - Parameter required: The required keys; the error names the first one that is missing.
    /// - Returns: `DecodingError.keyNotFound`.
    public func missing<Key: RawRepresentable<String>>(_ required: Key...) -> DecodingError {
        let there = keysOfLastObject()
        let names = required.map(\.rawValue)
        let name = names.first { name in !there.contains { $0.elementsEqual(name.utf8) } } ?? names.first ?? ""
        let offset = lastObject - context.bytes
        return .keyNotFound(JSONCodingKey(name), .init("the object has no key \"\(name)\"", at: offset))
    }

    /// UTF-8, since keys are compared by bytes.
    private func keysOfLastObject() -> [String.UTF8View] {
        var reader = JSONReader(context, at: lastObject - context.bytes)
        var keys: [String.UTF8View] = []
        // The object was read before; if that failed, the keys up to the failure are returned.
        try? reader.readObject { key, _ in keys.append(key.utf8) }
        return keys
    }

    /// The offset of the reader, in bytes from the document's beginning.
    public var offset: Int { place - context.bytes }

    /// An estimate of an array's elements from those read so far, if it spans the rest of the document.
    @usableFromInline
    func expectedCount(after count: Int) -> Int {
        guard count >= 16 else { return 0 }
        let left = context.byteCount - offset
        // Floating-point, since the product of integers may overflow. There can't be more elements than bytes.
        return count + min(left, Int(Double(count) * Double(left) / Double(max(1, offset)))) + 1
    }

    @inline(__always)
    private mutating func skipSpace() {
        while place < end, place.pointee <= Byte.space, Byte.isSpace(place.pointee) { place += 1 }
    }

    @inline(never)
    func fault(_ kind: JSONSyntaxError.Kind) -> JSONSyntaxError {
        JSONSyntaxError(place == end && kind != .empty ? .unexpectedEnd : kind, at: offset)
    }

    /// Runs a scanner at the reader's position.
    @inline(__always)
    func checked<Found>(
        _ scan: (UnsafePointer<UInt8>, UnsafePointer<UInt8>) throws(TextScan.Fault) -> Found
    ) throws -> Found {
        do throws(TextScan.Fault) {
            return try scan(place, end)
        } catch {
            throw error.error(in: context.bytes)
        }
    }

    /// The error for a value of another type than expected; a syntax error for bytes that are no value.
    @inline(never)
    func mismatch(_ type: any Any.Type, _ name: String? = nil) -> any Error {
        guard place < end else { return fault(.unexpectedEnd) }
        let found = MismatchText.kind(ofValueAt: place.pointee)
        let isNull = found == "null"
        if found == nil || isNull || found == "a boolean" {
            do { _ = try checked { a, b throws(TextScan.Fault) in try WordScan.word(from: a, to: b) } } catch {
                return error
            }
        }
        let text = MismatchText.of(name ?? TypeName.of(type), found: found ?? "")
        let context = DecodingError.Context(text, at: offset)
        return isNull ? DecodingError.valueNotFound(type, context) : DecodingError.typeMismatch(type, context)
    }

    @inline(never)
    func corrupted(_ text: String, _ expectation: JSONExpectation, at offset: Int) -> DecodingError {
        .dataCorrupted(.init(text, at: offset, expectation))
    }

    /// Reads an object and passes each member with a known key to a closure; other members are skipped.
    ///
    /// Reading is fastest if the members are in the order of `keys`, but any order is accepted. The closure is called
    /// again for a repeated key.
    ///
    /// - Parameters:
    ///   - keys: The known keys.
    ///   - member: Reads the value of a key. A value that it doesn't read is skipped.
    /// - Throws: `DecodingError.typeMismatch` if the value is not an object, and errors of `member`.
    @inlinable
    @inline(__always)
    public mutating func readObject<Key>(
        _ keys: JSONKeys<Key>,
        _ member: (Key, inout JSONReader) throws -> Void,
    ) throws {
        let (beginning, depthAround) = (place, depthLeft)
        do {
            var expected = 0
            var number = try readFirstKey(of: keys.texts, expected: &expected)
            while number != Self.noMember {
                if number >= 0 {
                    let (start, depth) = (place, depthLeft)
                    try member(keys.keys[number], &self)
                    if place == start || depthLeft != depth { try skip(from: start, depth) }
                } else {
                    try skip()
                }
                number = try readNextKey(of: keys.texts, expected: &expected)
            }
        } catch {
            goBack(to: beginning, depthAround)
            throw error
        }
        lastObject = beginning
    }

    /// Reads an object and passes each member with its key to a closure.
    ///
    /// - Parameter member: Reads the value. A value that it doesn't read is skipped.
    /// - Throws: `DecodingError.typeMismatch` if the value is not an object, and errors of `member`.
    @inlinable
    public mutating func readObject(_ member: (String, inout JSONReader) throws -> Void) throws {
        let (beginning, depthAround) = (place, depthLeft)
        do {
            var hasMember = try beginObject()
            while hasMember {
                let key = try readKey()
                let (start, depth) = (place, depthLeft)
                try member(key, &self)
                if place == start || depthLeft != depth { try skip(from: start, depth) }
                hasMember = try nextMember()
            }
        } catch {
            goBack(to: beginning, depthAround)
            throw error
        }
        lastObject = beginning
    }

    /// Reads an array and passes each element to a closure.
    ///
    /// - Parameter element: Reads the value. A value that it doesn't read is skipped.
    /// - Throws: `DecodingError.typeMismatch` if the value is not an array, and errors of `element`.
    @inlinable
    @inline(__always)
    public mutating func readArray(_ element: (inout JSONReader) throws -> Void) throws {
        guard !collectsFailures else { return try readArrayCollecting(element) }
        let (beginning, depthAround) = (place, depthLeft)
        do {
            guard try beginArray() else { return }
            repeat {
                let (start, depth) = (place, depthLeft)
                try element(&self)
                if place == start || depthLeft != depth { try skip(from: start, depth) }
            } while try nextElement()
        } catch {
            goBack(to: beginning, depthAround)
            throw error
        }
    }

    /// Reads the beginning of an object; `false` if it is empty and was read to its end.
    @usableFromInline
    mutating func beginObject() throws -> Bool {
        guard place < end, place.pointee == Byte.openBrace else { throw mismatch([String: Any].self, "an object") }
        return try begin(endingWith: Byte.closeBrace)
    }

    /// Reads the beginning of an array; `false` if it is empty and was read to its end.
    @usableFromInline
    mutating func beginArray() throws -> Bool {
        guard place < end, place.pointee == Byte.openBracket else { throw mismatch([Any].self, "an array") }
        return try begin(endingWith: Byte.closeBracket)
    }

    @inline(__always)
    private mutating func begin(endingWith last: UInt8) throws -> Bool {
        if depthLeft <= context.checkedDepth { try checkDepth() }
        place += 1
        skipSpace()
        if place < end, place.pointee == last {
            place += 1
            return false
        }
        depthLeft -= 1
        return true
    }

    @inline(never)
    private func checkDepth() throws {
        guard depthLeft > 0 else { throw fault(.tooDeep) }
        guard !ThreadStack.isAtEnd else { throw fault(.stackEnd) }
    }

    /// Reads the comma after a member, or the object's end and returns `false`.
    @usableFromInline
    mutating func nextMember() throws -> Bool {
        try goOn(endingWith: Byte.closeBrace)
    }

    /// Reads the comma after an element, or the array's end and returns `false`.
    @usableFromInline
    mutating func nextElement() throws -> Bool {
        try goOn(endingWith: Byte.closeBracket)
    }

    @inline(__always)
    private mutating func goOn(endingWith last: UInt8) throws -> Bool {
        skipSpace()
        guard place < end else { throw fault(.unexpectedEnd) }
        let byte = place.pointee
        guard byte == Byte.comma || byte == last else { throw fault(.noSeparator) }
        place += 1
        if byte == Byte.comma {
            skipSpace()
            return true
        }
        depthLeft += 1
        return false
    }

    /// The result at the end of an object, instead of the number of a key.
    @usableFromInline static let noMember = -2

    /// Reads the beginning of an object and its first key.
    ///
    /// - Returns: The key's number; -1 for an unknown key, ``noMember`` for an empty object.
    @usableFromInline
    mutating func readFirstKey(of keys: KeyList, expected: inout Int) throws -> Int {
        guard try beginObject() else { return Self.noMember }
        if let length = keys.length(ofKey: 0, ifAt: place, isFirst: true, before: end) {
            place += length
            skipSpace()
            expected = 1
            return 0
        }
        return try searchKey(of: keys, expected: &expected)
    }

    /// Reads the comma after a member and the next key, or the object's end.
    ///
    /// - Returns: The key's number; -1 for an unknown key, ``noMember`` at the object's end.
    @usableFromInline
    mutating func readNextKey(of keys: KeyList, expected: inout Int) throws -> Int {
        if let length = keys.length(ofKey: expected, ifAt: place, isFirst: false, before: end) {
            place += length
            skipSpace()
            expected += 1
            return expected - 1
        }
        return try nextMember() ? searchKey(of: keys, expected: &expected) : Self.noMember
    }

    @inline(never)
    private mutating func searchKey(of keys: KeyList, expected: inout Int) throws -> Int {
        guard place < end, place.pointee == Byte.quote else { throw fault(.noKey) }
        let start = place + 1
        let found = try text()
        try skipColon()
        let number: Int?
        if found.isEscaped {
            var key = EscapeScan.string(start, found.end - start)
            number = key.withUTF8 { keys.number(of: $0) }
        } else {
            number = keys.number(of: UnsafeBufferPointer(start: start, count: found.end - start))
        }
        guard let number else { return -1 }
        expected = number + 1
        return number
    }

    @usableFromInline
    mutating func readKey() throws -> String {
        guard place < end, place.pointee == Byte.quote else { throw fault(.noKey) }
        let key = try readText()
        try skipColon()
        return key
    }

    /// Skips any key and its colon.
    private mutating func skipKey() throws {
        guard place < end, place.pointee == Byte.quote else { throw fault(.noKey) }
        _ = try text()
        try skipColon()
    }

    @inline(__always)
    private mutating func skipColon() throws {
        if place < end, place.pointee != Byte.colon { skipSpace() }
        guard place < end, place.pointee == Byte.colon else { throw fault(.noColon) }
        place += 1
        skipSpace()
    }

    /// Skips a value, after the same syntax check as for any other value.
    ///
    /// - Throws: A syntax error if the document is not JSON.
    public mutating func skip() throws {
        guard place < end else { throw fault(.unexpectedEnd) }
        // The recursion is limited by the nesting depth.
        switch place.pointee {
        case Byte.openBrace:
            guard try beginObject() else { return }
            repeat {
                try skipKey()
                try skip()
            } while try nextMember()
        case Byte.openBracket:
            guard try beginArray() else { return }
            repeat { try skip() } while try nextElement()
        default:
            try skipScalar()
        }
    }

    /// Goes back to the beginning of a value and skips it.
    @usableFromInline
    mutating func skip(from start: UnsafePointer<UInt8>, _ depth: Int) throws {
        place = start
        depthLeft = depth
        try skip()
    }

    /// Skips a member's value that failed, if the key is repeated later in the object.
    ///
    /// The offsets of each key's last value are found when the first value of an object fails.
    @usableFromInline
    @inline(never)
    mutating func skipRepeated(
        _ key: String,
        from start: UnsafePointer<UInt8>,
        _ depth: Int,
        _ lastMembers: inout [String: Int]?,
        _ error: any Error,
    ) throws {
        if error is JSONSyntaxError { throw error }
        goBack(to: start, depth)
        // If the rest is not JSON, the first error is reported.
        let found = lastMembers ?? (try? members(from: key)) ?? [:]
        lastMembers = found
        guard let last = found[key], last > start - context.bytes else { throw error }
        try skip(from: start, depth)
    }

    /// The offsets of each key's last value, from the reader's position on.
    private mutating func members(from first: String) throws -> [String: Int] {
        var key = first
        var places: [String: Int] = [:]
        while true {
            places[key] = offset
            try skip()
            guard try nextMember() else { return places }
            key = try readKey()
        }
    }

    @inline(__always)
    private mutating func skipScalar() throws {
        switch place.pointee {
        case Byte.quote:
            _ = try text()
        case Byte.minus, Byte.zero...Byte.nine:
            place = try checked { a, b throws(TextScan.Fault) in try NumberScan.number(from: a, to: b).end }
        default:
            place = try checked { a, b throws(TextScan.Fault) in try WordScan.word(from: a, to: b).1 }
        }
    }

    /// Skips a string.
    @inline(__always)
    mutating func text() throws -> TextScan.Found {
        let found = try checked { a, b throws(TextScan.Fault) in try TextScan.text(from: a + 1, to: b) }
        place = found.end + 1
        return found
    }
}
