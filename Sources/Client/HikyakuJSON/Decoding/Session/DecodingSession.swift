/// The decoding of a document through containers: its bytes and their index.
///
/// Decoders and containers are small values that hold the session and a position in its index. Those that outlive the
/// call stay valid, since the session copies the bytes then.
final class DecodingSession: ReadingContext {
    let index: JSONIndex
    /// The tables of objects with many members, by their positions.
    private var tables: [Int: MemberTable] = [:]
    /// The converted keys, if the strategy converts keys.
    let keyTexts: KeyTexts?
    let tools: DecodingTools
    /// Finds coding paths; created on demand, which is only needed for errors.
    private var trail: PathTrail?
    /// The context of the enclosing document, if the session has only a value of it.
    private var outer: ReadingContext?
    /// The cached path to the session's value.
    private var pathAround: [any CodingKey]?

    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int? = nil,
        in outer: ReadingContext? = nil,
        settings: HikyakuJSONDecoder,
        tools: DecodingTools,
    ) throws(JSONSyntaxError) {
        index = try IndexBuilder.index(bytes, from: start, depthMax: settings.depthMax)
        keyTexts = outer.map { $0.keyTextsForPart() } ?? KeyTexts.make(for: settings.keyDecodingStrategy)
        self.outer = outer
        self.tools = tools
        super.init(bytes, settings: settings)
    }

    /// Decodes a document, or one value inside it; `outer` is the context of the enclosing document.
    static func decode<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int? = nil,
        in outer: ReadingContext? = nil,
        settings: HikyakuJSONDecoder,
        tools: DecodingTools = .take(),
        _ body: (DecodingSession) throws -> Value,
    ) throws -> (value: Value, end: Int) {
        var session = try DecodingSession(bytes, from: start, in: outer, settings: settings, tools: tools)
        defer {
            tools.release(from: session)
            if isKnownUniquelyReferenced(&session) {
                tools.giveBack()
            } else {
                tools.retire()
                session.keep()
            }
        }
        return (try body(session), session.index.end)
    }

    /// Checks that the thread's stack has room for the content of an array or object.
    @inline(__always)
    func checkStack(at place: Int) throws {
        if index.isDeep, ThreadStack.isAtEnd { throw JSONSyntaxError(.stackEnd, at: offset(of: place)) }
    }

    @inline(__always)
    func start(of entry: JSONEntry) -> UnsafePointer<UInt8> { bytes + entry.offset }

    /// The keys and indices that lead to a value.
    func codingPath(to place: Int) -> [any CodingKey] {
        makeTrail()
        let path = trail?.path(to: place, in: self) ?? []
        guard outer != nil || pathAround != nil else { return path }
        return wayHere() + path
    }

    /// The keys and indices that lead to the session's value.
    private func wayHere() -> [any CodingKey] {
        if let pathAround { return pathAround }
        let path = outer?.codingPath(toByte: offset(of: 0)) ?? []
        pathAround = path
        return path
    }

    private func makeTrail() {
        if trail == nil { trail = PathTrail(of: self) }
    }

    /// Discards cached keys of an object, which are converted now.
    @inline(__always)
    private func forgetPath(through object: Int) {
        trail?.forgetKeys(of: object)
    }

    /// The cost of all paths so far, for tests.
    var trailLevelCount: Int { trail?.levelCount ?? 0 }

    override func codingPath(toByte offset: Int) -> [any CodingKey] {
        makeTrail()
        return codingPath(to: trail?.place(ofByte: offset, in: self) ?? 0)
    }

    /// The value that begins at a byte, and its end; `nil` if none begins there.
    func value(atByte offset: Int) -> (place: Int, end: Int)? {
        makeTrail()
        return trail?.value(atByte: offset, in: self)
    }

    /// Copies what the session needs after the call, when the enclosing document is gone.
    private func keep() {
        _ = wayHere()
        keepBytes(sharedCopy())
        outer = nil
    }

    override func sharedCopy() -> DocumentCopy {
        // The enclosing document has the same bytes.
        outer?.sharedCopy() ?? super.sharedCopy()
    }

    /// Reads a value from its bytes by a reader, and adds the coding path to errors.
    @inline(__always)
    func read<Value>(at place: Int, _ body: (inout JSONReader) throws -> Value) throws -> Value {
        do {
            return try reading(at: offset(of: place), body)
        } catch {
            throw located(error, or: offset(of: place))
        }
    }

    @inline(__always)
    func isNull(at place: Int) -> Bool { index[place].kind == .null }

    func boolean(at place: Int) throws -> Bool {
        switch index[place].kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(Bool.self, at: place)
        }
    }

    @inline(__always)
    func integer<Value: FixedWidthInteger>(_ type: Value.Type, at place: Int) throws -> Value {
        let entry = index[place]
        if entry.kind == .integer, let value = IntegerText.short(start(of: entry), entry.length),
            let exact = Value(exactly: value)
        {
            return exact
        }
        return try unusualInteger(type, at: place)
    }

    @inline(never)
    private func unusualInteger<Value: FixedWidthInteger>(_ type: Value.Type, at place: Int) throws -> Value {
        let entry = index[place]
        guard entry.kind == .integer || entry.kind == .decimal else { throw mismatch(type, at: place) }
        switch IntegerText.integer(type, start(of: entry), numberLength(of: entry)) {
        case .value(let value): return value
        case .outOfRange: throw unfitNumber("is beyond the range of " + TypeName.of(type), type, at: place)
        case .notInteger:
            throw unfitNumber("has a fraction, which " + TypeName.of(type) + " can't hold", type, at: place)
        }
    }

    func double(at place: Int) throws -> Double { try floating(place) { DoubleText.double($0, $1) } }

    func float(at place: Int) throws -> Float { try floating(place) { DoubleText.float($0, $1) } }

    @inline(__always)
    private func floating<Value: BinaryFloatingPoint>(
        _ place: Int,
        _ read: (UnsafePointer<UInt8>, Int) -> Value?,
    ) throws -> Value {
        let entry = index[place]
        guard entry.kind == .integer || entry.kind == .decimal else { return try nonConforming(Value.self, at: place) }
        let (start, count) = (start(of: entry), numberLength(of: entry))
        if let value = read(start, count) { return value }
        throw unfitNumber("is beyond the range of " + TypeName.of(Value.self), Value.self, at: place)
    }

    private func nonConforming<Value: BinaryFloatingPoint>(_ type: Value.Type, at place: Int) throws -> Value {
        guard index[place].isString, let value = settings.nonConforming(type, for: try string(at: place))
        else { throw mismatch(type, at: place) }
        return value
    }

    @inline(__always)
    func string(at place: Int) throws -> String {
        let entry = index[place]
        if entry.kind == .plainString, entry.length < JSONEntry.lengthMax {
            return String(decoding: UnsafeBufferPointer(start: start(of: entry), count: entry.length), as: UTF8.self)
        }
        guard entry.isString else { throw mismatch(String.self, at: place) }
        return string(at: start(of: entry), textLength(of: entry), isEscaped: entry.kind == .escapedString)
    }

    @inline(never)
    func string(at start: UnsafePointer<UInt8>, _ length: Int, isEscaped: Bool) -> String {
        guard isEscaped else {
            return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
        }
        return EscapeScan.string(start, length)
    }

    /// The length of a string or key in bytes, counted if the entry can't hold it.
    @inline(__always)
    func textLength(of entry: JSONEntry) -> Int {
        let isSaid = entry.length < JSONEntry.lengthMax && entry.kind != .convertedKey
        return isSaid ? entry.length : countedLength(of: entry)
    }

    @inline(never)
    private func countedLength(of entry: JSONEntry) -> Int {
        // The string was checked when the index was built.
        guard let found = try? TextScan.text(from: start(of: entry), to: end) else { return 0 }
        return found.end - start(of: entry)
    }

    @inline(__always)
    private func numberLength(of entry: JSONEntry) -> Int {
        guard entry.length == JSONEntry.lengthMax else { return entry.length }
        guard let found = try? NumberScan.number(from: start(of: entry), to: end) else { return 0 }
        return found.end - start(of: entry)
    }

    /// The end of a value that is not a container.
    func end(ofScalar place: Int) -> Int {
        let entry = index[place]
        return entry.offset + (entry.isString ? textLength(of: entry) + 1 : numberLength(of: entry))
    }

    /// Decodes any other type by its plan.
    @inline(__always)
    func value<Value: Decodable>(_ type: Value.Type, at place: Int) throws -> Value {
        try tools.plan(for: type).decode(self, at: place)
    }
}

extension HikyakuJSONDecoder {
    /// The number that a string encodes by the strategy.
    func nonConforming<Value: BinaryFloatingPoint>(_ type: Value.Type, for text: String) -> Value? {
        switch nonConformingFloatDecodingStrategy {
        case .throw: nil
        case .convertFromString(text, _, _): .infinity
        case .convertFromString(_, text, _): -.infinity
        case .convertFromString(_, _, text): .nan
        case .convertFromString: nil
        }
    }
}

extension DecodingSession {
    /// Objects with more members than this have a hash table.
    private static let searchedMembersMax = 24

    /// Finds the value of a key.
    ///
    /// Types nearly always request their keys in the order of declaration, and documents mostly have the same order. So
    /// the member after the last one found is checked first.
    ///
    /// - Returns: The value's position; `nil` if the object has no such key.
    @inline(__always)
    func value(of name: String, in object: Int) -> Int? {
        // Not `withUTF8`, which takes a copy of the string.
        if let place = name.utf8.withContiguousStorageIfAvailable({ value(of: $0, in: object) }) { return place }
        return Array(name.utf8).withUnsafeBufferPointer { value(of: $0, in: object) }
    }

    @inline(__always)
    private func value(of name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        let member = index.expected(in: object)
        if member > 0, member < index.end(of: object), isKey(at: member, named: name) {
            index.expect(index.next(after: member + 1), in: object)
            return member + 1
        }
        return search(for: name, in: object)
    }

    @inline(never)
    private func search(for name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        prepare(object)
        guard let member = member(named: name, in: object) else { return nil }
        index.expect(index.next(after: member + 1), in: object)
        return member + 1
    }

    private func member(named name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        if hasTable(object), let table = tables[object] { return table.member(named: name, in: self) }
        let end = index.end(of: object)
        let expected = index.expected(in: object)
        return member(named: name, from: expected, to: end) ?? member(named: name, from: object + 2, to: expected)
    }

    private func member(named name: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
        firstMember(from: start, to: end) { isKey(at: $0, named: name) }
    }

    /// The first member of an object that fulfils the condition.
    @inline(__always)
    func firstMember(of object: Int, where isMatch: (_ member: Int) -> Bool) -> Int? {
        firstMember(from: object + 2, to: index.end(of: object), where: isMatch)
    }

    @inline(__always)
    private func firstMember(from start: Int, to end: Int, where isMatch: (_ member: Int) -> Bool) -> Int? {
        var member = start
        while member < end {
            if isMatch(member) { return member }
            member = index.next(after: member + 1)
        }
        return nil
    }

    /// Calls a closure for each member of an object.
    @inline(__always)
    func forEachMember(of object: Int, _ body: (_ member: Int) throws -> Void) rethrows {
        let end = index.end(of: object)
        var member = object + 2
        while member < end {
            try body(member)
            member = index.next(after: member + 1)
        }
    }

    @inline(__always)
    func isKey(at member: Int, named name: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = index[member]
        if entry.kind == .plainKey {
            guard entry.length == name.count, name.count < JSONEntry.lengthMax || textLength(of: entry) == name.count
            else { return false }
            return Bytes.equal(start(of: entry), name.baseAddress.unsafelyUnwrapped, name.count)
        }
        if entry.kind == .convertedKey, let keyTexts { return keyTexts.text(entry.length, equals: name) }
        return isUnusualKey(entry, named: name)
    }

    @inline(never)
    private func isUnusualKey(_ entry: JSONEntry, named name: UnsafeBufferPointer<UInt8>) -> Bool {
        entry.kind != .shadowedKey && text(ofKey: entry).utf8.elementsEqual(name)
    }

    /// The unescaped and converted key.
    func text(ofKeyAt member: Int) -> String {
        text(ofKey: index[member])
    }

    func text(ofKey entry: JSONEntry) -> String {
        if entry.kind == .convertedKey, let keyTexts { return keyTexts[entry.length] }
        let length = textLength(of: entry)
        return string(at: start(of: entry), length, isEscaped: entry.kind != .plainKey)
    }

    /// The unescaped key of the document.
    func sourceText(ofKeyAt member: Int) -> String {
        let entry = index[member]
        // The kind of a converted entry does not show whether its bytes have escapes.
        return string(at: start(of: entry), textLength(of: entry), isEscaped: entry.kind != .plainKey)
    }

    /// Prepares an object for searches, once: converts keys and marks repeated ones.
    func prepare(_ object: Int) {
        guard index.expected(in: object) == 0 else { return }
        index.expect(object + 2, in: object)
        if let keyTexts {
            convertKeys(of: object, by: keyTexts)
            forgetPath(through: object)
        }
        if hasTable(object) {
            tables[object] = MemberTable(of: object, in: self)
        } else {
            shadowRepeatedKeys(of: object)
        }
    }

    private func hasTable(_ object: Int) -> Bool { index[object].length > Self.searchedMembersMax }

    /// Marks each key that is repeated later.
    ///
    /// Equal keys have equal marks out of 128, and only keys with equal marks are compared.
    private func shadowRepeatedKeys(of object: Int) {
        var (low, high): (UInt64, UInt64) = (0, 0)
        forEachMember(of: object) { member in
            let number = KeyMark.of(index[member], in: self)
            let mark: UInt64 = 1 &<< (number & 63)
            let isHigh = number > 63
            if (isHigh ? high : low) & mark != 0 { shadow(keysLike: member, from: object + 2) }
            low |= isHigh ? 0 : mark
            high |= isHigh ? mark : 0
        }
    }

    private func shadow(keysLike last: Int, from first: Int) {
        var member = first
        while member < last {
            if areEqual(index[member], index[last]) { shadow(member) }
            member = index.next(after: member + 1)
        }
    }

    func shadow(_ member: Int) {
        // A converted key has no length, so the length is counted on demand.
        index[member] = JSONEntry(.shadowedKey, at: index[member].offset, length: JSONEntry.lengthMax)
    }

    @inline(__always)
    func areEqual(_ one: JSONEntry, _ other: JSONEntry) -> Bool {
        if one.kind == .plainKey, other.kind == .plainKey {
            let length = textLength(of: one)
            return length == textLength(of: other) && Bytes.equal(start(of: one), start(of: other), length)
        }
        return areUnusualAndEqual(one, other)
    }

    @inline(never)
    private func areUnusualAndEqual(_ one: JSONEntry, _ other: JSONEntry) -> Bool {
        guard one.kind != .shadowedKey else { return false }
        if one.kind == .convertedKey, other.kind == .convertedKey { return one.length == other.length }
        return text(ofKey: one).utf8.elementsEqual(text(ofKey: other).utf8)
    }

    private func convertKeys(of object: Int, by texts: KeyTexts) {
        forEachMember(of: object) { member in
            let entry = index[member]
            index[member] = JSONEntry(.convertedKey, at: entry.offset, length: texts.number(of: entry, in: self))
        }
    }

    /// The converted keys of an object in the order of the document, without repeated ones.
    func keys(of object: Int) -> [String] {
        prepare(object)
        var keys: [String] = []
        keys.reserveCapacity(index.members(of: object))
        forEachMember(of: object) { if index[$0].kind != .shadowedKey { keys.append(text(ofKeyAt: $0)) } }
        return keys
    }
}

// None of these is inlined, so that reading a value has no set-up for errors.
extension DecodingSession {
    /// The error for a value of another type than expected, including `null`.
    @inline(never)
    func mismatch(_ type: any Any.Type, _ name: String? = nil, at place: Int) -> DecodingError {
        let found = MismatchText.kind(ofValueAt: bytes[offset(of: place)]) ?? ""
        let context = context(MismatchText.of(name ?? TypeName.of(type), found: found), at: place)
        return isNull(at: place) ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a number that its type can't hold.
    @inline(never)
    private func unfitNumber(_ text: String, _ type: any Any.Type, at place: Int) -> DecodingError {
        .dataCorrupted(context("the number " + text, at: place, .type(type)))
    }

    /// The error for an object that lacks a key.
    @inline(never)
    func missing(_ key: any CodingKey, in object: Int) -> DecodingError {
        .keyNotFound(key, context("the object has no key \"\(key.stringValue)\"", at: object))
    }

    func context(
        _ text: String,
        at place: Int,
        _ expectation: JSONExpectation? = nil,
    ) -> DecodingError.Context {
        DecodingError.Context(text, at: offset(of: place), expectation, codingPath: codingPath(to: place))
    }

    /// The offset of a value's first byte; for a string, of its quote.
    func offset(of place: Int) -> Int { index[place].start }
}
