/// Reads a document from its bytes, value after value, for types that are ``JSONReadable``.
///
/// A reader stands before a value, and what reads one leaves the reader behind it. What fails leaves it before the
/// value, so that something else can be tried.
public struct JSONReader: ~Copyable {
    @usableFromInline let context: ReadingContext
    let end: UnsafePointer<UInt8>
    @usableFromInline var place: UnsafePointer<UInt8>
    /// The beginning of the object that was read last.
    @usableFromInline var lastObject: UnsafePointer<UInt8>
    /// How many more containers may be inside of each other.
    @usableFromInline var depthLeft: Int
    /// Whether arrays are read to their ends, whichever elements fail.
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

    /// Reads a value through its `init(from:)` of `Decodable`, by the strategies of the decoder.
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

    /// Goes past `null`.
    ///
    /// - Returns: Whether it stood there; another value is left to be read.
    @inline(__always)
    public mutating func readNull() throws -> Bool {
        guard place < end, place.pointee == UInt8(ascii: "n") else { return false }
        place = try checked { place, end throws(TextScan.Fault) in try WordScan.word(from: place, to: end).1 }
        return true
    }

    /// A value that has to be there, of the object that was read last.
    ///
    /// A type with many of them does better to unwrap all at once and to throw ``missing(_:)`` itself: what throws
    /// while a value is being put together makes the compiler keep a copy.
    ///
    /// - Throws: `DecodingError.keyNotFound` for `nil`.
    @inlinable
    public func require<Value, Key: RawRepresentable<String>>(_ value: Value?, _ key: Key) throws -> Value {
        guard let value else { throw missing(key) }
        return value
    }

    /// What to throw where the object that was read last lacks a key.
    ///
    /// - Parameter required: The keys that have to be there; the first one that isn't is named.
    /// - Returns: `DecodingError.keyNotFound`.
    public func missing<Key: RawRepresentable<String>>(_ required: Key...) -> DecodingError {
        let there = keysOfLastObject()
        let names = required.map(\.rawValue)
        let name = names.first { name in !there.contains { $0.elementsEqual(name.utf8) } } ?? names.first ?? ""
        let offset = lastObject - context.bytes
        return .keyNotFound(JSONCodingKey(name), errorContext("the object has no key \"\(name)\"", at: offset))
    }

    /// By bytes, as keys are compared everywhere.
    private func keysOfLastObject() -> [String.UTF8View] {
        var reader = JSONReader(context, at: lastObject - context.bytes)
        var keys: [String.UTF8View] = []
        // It was read before; where that failed, the keys up to there are known.
        try? reader.readObject { key, _ in keys.append(key.utf8) }
        return keys
    }

    /// Where the reader stands, in bytes from the document's beginning.
    public var offset: Int { place - context.bytes }
}

extension JSONReader {
    /// How many elements an array may have, judged by those that were read, if the rest of the document belongs to it.
    @usableFromInline
    func expectedCount(after count: Int) -> Int {
        guard count >= 16 else { return 0 }
        let left = context.byteCount - offset
        // Not by integers, whose product may be too large; more elements than bytes there can't be.
        return count + min(left, Int(Double(count) * Double(left) / Double(max(1, offset)))) + 1
    }

    @inline(__always)
    mutating func skipSpace() {
        while place < end, place.pointee <= Byte.space, Byte.isSpace(place.pointee) { place += 1 }
    }

    @inline(never)
    func fault(_ kind: JSONSyntaxError.Kind) -> JSONSyntaxError {
        JSONSyntaxError(place == end && kind != .empty ? .unexpectedEnd : kind, at: offset)
    }

    /// Runs a part of the grammar from where the reader stands.
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

    @inline(never)
    func errorContext(
        _ text: String,
        at offset: Int,
        _ expectation: JSONExpectation? = nil,
    ) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: [],
            debugDescription: text,
            underlyingError: JSONPlace(byteOffset: offset, expectation: expectation),
        )
    }

    /// A value of another type than the one expected; bytes that are no value at all are an error of the syntax.
    @inline(never)
    func mismatch(_ type: any Any.Type, _ name: String? = nil) -> any Error {
        guard place < end else { return fault(.unexpectedEnd) }
        let found: String
        switch place.pointee {
        case Byte.quote: found = "a string"
        case Byte.openBrace: found = "an object"
        case Byte.openBracket: found = "an array"
        case Byte.minus, Byte.zero...Byte.nine: found = "a number"
        default:
            do {
                found =
                    try checked { a, b throws(TextScan.Fault) in try WordScan.word(from: a, to: b).0 } == .null
                    ? "null" : "a boolean"
            } catch {
                return error
            }
        }
        let context = errorContext(MismatchText.of(name ?? TypeName.of(type), found: found), at: offset)
        return found == "null"
            ? DecodingError.valueNotFound(type, context) : DecodingError.typeMismatch(type, context)
    }

    @inline(never)
    func corrupted(_ text: String, _ expectation: JSONExpectation, at offset: Int) -> DecodingError {
        .dataCorrupted(errorContext(text, at: offset, expectation))
    }
}
