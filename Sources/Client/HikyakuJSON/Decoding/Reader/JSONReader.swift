import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a document value by value from its bytes, for ``JSONReadable`` types.
///
/// ```swift
/// struct Tag: JSONReadable {      // "hot", or {"name": "hot"}
///     let name: String
///
///     init(from reader: inout JSONReader) throws {
///         if let name = reader.readIfPossible(String.self) {
///             self.name = name
///         } else {
///             try reader.beginObject()
///             name = try reader.member("name")
///             try reader.endObject()
///         }
///     }
/// }
/// ```
/// The reader is positioned before a value. A successful read moves it past the value; a failed read leaves it there,
/// so that another type can be tried.
public struct JSONReader: ~Copyable {
    @usableFromInline let context: ReadingContext
    let end: UnsafePointer<UInt8>
    @usableFromInline var place: UnsafePointer<UInt8>
    /// The number of further levels that may be nested.
    @usableFromInline var depthLeft: Int
    /// Whether arrays are read to their ends, even if elements fail.
    @usableFromInline let collectsFailures: Bool
    /// How members that are read by name are searched for, in the beginning and now.
    let firstSearch: MemberSearch
    var search: MemberSearch
    /// The number of open objects in which a member was taken as missing.
    var guesses = 0
    /// The number of wrong guesses because of which nothing has been read again yet.
    var misreads = 0
    /// The object whose members are being read by name.
    var object: OpenObject
    /// The names of the members that were read or searched for, of all open objects.
    var names = PlainStack<MemberName>()
    /// The members that were found in search of others, of all open objects.
    var found = PlainStack<FoundMember>()
    /// The ends of long containers that were passed over, by their beginnings.
    var passedEnds: [Int: Int] = [:]

    init(_ context: ReadingContext, at offset: Int) {
        self.context = context
        end = context.end
        place = context.bytes + offset
        depthLeft = context.settings.depthMax
        collectsFailures = context.settings.collectsFailures
        firstSearch = context.memberSearch
        search = firstSearch
        object = OpenObject(start: place, depthAround: depthLeft, firstName: 0, firstFound: 0)
    }

    /// Reads a whole document.
    static func document<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        settings: HikyakuJSONDecoder,
        _ body: (inout JSONReader) throws -> Value,
    ) throws -> Value {
        guard bytes.count > 0 else { throw JSONSyntaxError(.empty, at: 0) }
        let context = ReadingContext(bytes, settings: settings)
        do {
            return try context.reading(at: 0) { reader in
                try reader.begin()
                let value = try body(&reader)
                reader.skipSpace()
                if reader.place < reader.end { throw reader.fault(.trailingBytes) }
                return value
            }
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

    /// The offset of the reader, in bytes from the document's beginning.
    public var offset: Int { place - context.bytes }

    @inline(__always)
    mutating func skipSpace() {
        while place < end, place.pointee <= Byte.space, Byte.isSpace(place.pointee) { place += 1 }
    }

    /// Skips white space where there is hardly any.
    @inline(never)
    mutating func skipRareSpace() { skipSpace() }

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

    /// The error for a value of another type than expected; a syntax error for bytes that are not a value.
    @inline(never)
    private mutating func mismatch(_ type: any Any.Type, _ name: String? = nil) -> any Error {
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
    private func corrupted(_ text: String, _ expectation: JSONExpectation, at offset: Int) -> DecodingError {
        .dataCorrupted(.init(text, at: offset, expectation))
    }

    /// Goes back to the value and returns the error for an unknown raw value.
    @usableFromInline
    @inline(never)
    mutating func unknown(_ type: any Any.Type, from start: UnsafePointer<UInt8>, _ depth: Int) -> DecodingError {
        goBack(to: start, depth)
        return corrupted("the value is not a known value of \(type)", .type(type), at: offset)
    }

    /// Reads the beginning of an object; `false` if it is empty and was read to its end.
    @usableFromInline
    mutating func beginMembers() throws -> Bool {
        guard place < end, place.pointee == Byte.openBrace else { throw mismatch([String: Any].self, "an object") }
        return try begin(endingWith: Byte.closeBrace)
    }

    /// Reads the beginning of an array; `false` if it is empty and was read to its end.
    @usableFromInline
    mutating func beginArray() throws -> Bool {
        guard place < end, place.pointee == Byte.openBracket else { throw mismatch([Any].self, "an array") }
        return try begin(endingWith: Byte.closeBracket)
    }

    /// Checks that an object begins here, and that it may be nested this deep; its brace is not read.
    @inline(__always)
    mutating func beginMembersByName() throws {
        guard place < end, place.pointee == Byte.openBrace else { throw mismatch([String: Any].self, "an object") }
        if depthLeft <= context.checkedDepth { try checkDepth() }
        depthLeft -= 1
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
    private mutating func checkDepth() throws {
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

    @usableFromInline
    mutating func readKey() throws -> String {
        guard place < end, place.pointee == Byte.quote else { throw fault(.noKey) }
        let key = try readText()
        try skipColon()
        return key
    }

    @inline(__always)
    mutating func skipColon() throws {
        if place < end, place.pointee != Byte.colon { skipSpace() }
        guard place < end, place.pointee == Byte.colon else { throw fault(.noColon) }
        place += 1
        skipSpace()
    }

    /// Skips a string.
    @inline(__always)
    mutating func text() throws -> TextScan.Found {
        let found = try checked { a, b throws(TextScan.Fault) in try TextScan.text(from: a + 1, to: b) }
        place = found.end + 1
        return found
    }
}

extension JSONReader {
    // MARK: Values

    /// The first byte of the next value, which is not read.
    @inline(__always)
    func firstByte() throws -> UInt8 {
        guard place < end else { throw fault(.unexpectedEnd) }
        return place.pointee
    }

    mutating func readBoolean() throws -> Bool {
        guard place < end else { throw fault(.unexpectedEnd) }
        let found = try? checked { a, b throws(TextScan.Fault) in try WordScan.word(from: a, to: b) }
        guard let found, found.0 != .null else { throw mismatch(Bool.self) }
        place = found.1
        return found.0 == .true
    }

    @inline(__always)
    mutating func readText() throws -> String {
        guard place < end, place.pointee == Byte.quote else { throw mismatch(String.self) }
        let start = place + 1
        let found = try text()
        let count = found.end - start
        if found.isEscaped { return EscapeScan.string(start, count) }
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Converts a string's bytes by a closure; the reader does not advance if that returns `nil`.
    mutating func readText<Value>(
        as name: String,
        _ type: Value.Type,
        _ body: (UnsafePointer<UInt8>, Int) -> Value?,
    ) throws -> Value {
        guard place < end, place.pointee == Byte.quote else { throw mismatch(type, name) }
        let before = place
        let found = try text()
        let value: Value?
        if found.isEscaped {
            var text = EscapeScan.string(before + 1, found.end - before - 1)
            value = text.withUTF8 { bytes in bytes.baseAddress.flatMap { body($0, bytes.count) } }
        } else {
            value = body(before + 1, found.end - before - 1)
        }
        if let value { return value }
        place = before
        throw corrupted("expected \(name), found another string", .words(name), at: offset)
    }

    @inline(__always)
    mutating func readInteger<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        if let (value, next) = IntegerText.short(from: place, to: end), let exact = Value(exactly: value) {
            place = next
            return exact
        }
        return try readUnusualInteger(type)
    }

    @inline(never)
    private mutating func readUnusualInteger<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        let (start, count) = try number(type)
        switch IntegerText.integer(type, start, count) {
        case .value(let value):
            place = start + count
            return value
        case .outOfRange: throw corrupted("the number is beyond the range of \(type)", .type(type), at: offset)
        case .notInteger:
            throw corrupted("the number has a fraction, which \(type) can't hold", .type(type), at: offset)
        }
    }

    mutating func readDouble() throws -> Double { try readFloating { DoubleText.double($0, $1) } }

    mutating func readFloat() throws -> Float { try readFloating { DoubleText.float($0, $1) } }

    @inline(__always)
    private mutating func readFloating<Value: BinaryFloatingPoint>(
        _ read: (UnsafePointer<UInt8>, Int) -> Value?
    ) throws -> Value {
        if let text = try nonConforming(Value.self) { return text }
        let (start, count) = try number(Value.self)
        guard let value = read(start, count) else {
            throw corrupted("the number is beyond the range of \(Value.self)", .type(Value.self), at: offset)
        }
        place = start + count
        return value
    }

    mutating func readDecimal() throws -> Decimal {
        let (start, count) = try number(Decimal.self)
        guard let value = DecimalText.decimal(start, count) else {
            throw corrupted("the number has more digits than Decimal can hold", .type(Decimal.self), at: offset)
        }
        place = start + count
        return value
    }

    /// A number's text, for a type.
    mutating func readNumberText(_ type: any Any.Type) throws -> String {
        let (start, count) = try number(type)
        place = start + count
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A number's bytes; the reader does not advance.
    @inline(__always)
    private mutating func number(_ type: any Any.Type) throws -> (UnsafePointer<UInt8>, Int) {
        guard place < end, ASCII.isDigit(place.pointee) || place.pointee == Byte.minus else { throw mismatch(type) }
        let found = try checked { a, b throws(TextScan.Fault) in try NumberScan.number(from: a, to: b) }
        return (place, found.end - place)
    }

    @inline(__always)
    private mutating func nonConforming<Value: BinaryFloatingPoint>(_ type: Value.Type) throws -> Value? {
        guard place < end, place.pointee == Byte.quote else { return nil }
        return try nonConformingText(type)
    }

    @inline(never)
    private mutating func nonConformingText<Value: BinaryFloatingPoint>(_ type: Value.Type) throws -> Value {
        let before = place
        let text = try readText()
        if let value = context.settings.nonConforming(type, for: text) { return value }
        place = before
        throw mismatch(type)
    }
}
