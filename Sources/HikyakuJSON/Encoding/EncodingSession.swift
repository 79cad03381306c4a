#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The encoding of one document by Codable.
///
/// Encoders and containers are small values that hold the session and a ``Position``. Each writes directly to the
/// document's bytes; a write closes open children. If a write is out of the order of the document, because its frame is
/// closed or its key was written before, the enclosing values are converted into ``TreeNode``s, and later writes go to
/// these.
final class EncodingSession {
    let settings: EncodingSettings
    /// Outside the session object, so that accesses need no dynamic exclusivity checks.
    let writer: UnsafeMutablePointer<JSONWriter>
    let frames = FrameStack()
    /// The number of open frames of the enclosing sessions.
    var outerFrames = 0
    /// The first error of a function that can't throw.
    var refusal: (any Error)?
    var keptKeys: [any CodingKey] = []
    /// The values that are not written in order.
    var trees = TreeStack()
    /// The tables of objects with many keys, innermost last.
    var tables: [KeyTable] = []
    let kinds = TypeKinds()
    let hash = KeyHash()
    private let convertsKeys: Bool
    var keys: KeyConversion
    /// The position of this session's value inside another session's value.
    var parent = ParentPath.none

    init(settings: EncodingSettings) {
        self.settings = settings
        let strategy = settings.encoder.keyEncodingStrategy
        if case .useDefaultKeys = strategy { convertsKeys = false } else { convertsKeys = true }
        keys = KeyConversion(strategy)
        writer = .allocate(capacity: 1)
        writer.initialize(to: JSONWriter(settings: settings))
        writer.pointee.session = self
    }

    deinit {
        writer.deinitialize(count: 1)
        writer.deallocate()
    }

    // MARK: Frames

    @inline(__always) var top: Int { frames.top }

    @inline(__always) func frame(_ position: Position) -> UnsafeMutablePointer<Frame> {
        frames[position.depth]
    }

    /// Opens a frame inside of the innermost one.
    func push(_ place: Frame.Place) throws -> Position {
        if outerFrames + top >= ThreadStack.trustedDepth { try checkDepth() }
        return frames.push(place, start: writer.pointee.bytes.count, depth: writer.pointee.depth)
    }

    /// Makes a position the innermost one for writing, which completes its children.
    ///
    /// - Returns: The node to write to if the value is not written in order.
    @inline(__always) func enter(_ position: Position) throws -> TreeNode? {
        if frames.isTop(position) { return nil }
        return try returnTo(position)
    }

    /// Completes an encoded value, usually the innermost one.
    @inline(__always) func close(_ position: Position) {
        if frames.isTop(position) { return closeTop() }
        closeLate(position)
    }

    func close(above depth: Int) {
        while top > depth { closeTop() }
    }

    /// Completes the innermost value and forgets its frame.
    private func closeTop() {
        finishTop()
        drop()
    }

    /// Writes what completes the innermost value.
    @inline(__always) func finishTop() {
        let frame = frames[top]
        switch frame.pointee.kind {
        case .value, .lent, .slot: break
        case .object: closeObject(frame)
        case .array: writer.pointee.appendClose(UInt8(ascii: "]"), isEmpty: frame.pointee.count == 0)
        case .tree: writeTree(at: top)
        case .empty:
            // As in Foundation, a value that encodes nothing is an empty object.
            writer.pointee.appendOpen(UInt8(ascii: "{"))
            writer.pointee.appendClose(UInt8(ascii: "}"), isEmpty: true)
        }
    }

    private func closeObject(_ frame: UnsafeMutablePointer<Frame>) {
        if settings.sortsKeys {
            writer.pointee.sortMembers(from: frame.pointee.firstMember)
        } else {
            writer.pointee.members.truncate(to: frame.pointee.firstMember)
        }
        writer.pointee.appendClose(UInt8(ascii: "}"), isEmpty: frame.pointee.count == 0)
    }

    /// Forgets the innermost frame.
    @inline(__always) func drop() {
        let frame = frames[top]
        if frame.pointee.hasExtras { dropExtras(of: frame) }
        if case .kept(let index) = frame.pointee.place { keptKeys.removeSubrange(index...) }
        frames.pop()
    }

    @inline(never) private func dropExtras(of frame: UnsafeMutablePointer<Frame>) {
        if frame.pointee.table > 0 { tables.removeSubrange((frame.pointee.table - 1)...) }
        forgetClosed(from: frame.pointee.start)
    }

    private func forgetClosed(from start: Int) {
        let all = frames.closed
        var (count, firstKey) = (all.count, keptKeys.count)
        while count > 0, all[count - 1].end > start {
            count -= 1
            if case .kept(let index) = all[count].place { firstKey = min(firstKey, index) }
        }
        frames.closed.removeSubrange(count...)
        keptKeys.removeSubrange(firstKey...)
    }

    /// Rolls back the last member or element of the innermost frame, or its single value.
    func takeBackLast() {
        let frame = frames[top]
        let isContainer = frame.pointee.kind == .object || frame.pointee.kind == .array
        let start = isContainer ? frame.pointee.lastStart : frame.pointee.start
        writer.pointee.bytes.truncate(to: start)
        if frame.pointee.hasExtras { forgetClosed(from: start) }
        writer.pointee.depth = frame.pointee.depth
        guard isContainer else { return frame.pointee.kind = .empty }
        frame.pointee.count -= 1
        if frame.pointee.kind == .object {
            writer.pointee.members.truncate(to: frame.pointee.firstMember + frame.pointee.count)
        }
    }

    // MARK: Failures

    @inline(never) private func checkDepth() throws {
        guard outerFrames + top - trees.slots.count < FrameStack.countMax else { throw tooDeep() }
        guard !ThreadStack.isAtEnd else { throw failure(JSONWriter.stackEnd(depth: writer.pointee.depth)) }
    }

    func tooDeep() -> EncodingError {
        failure(JSONWriter.tooDeep)
    }

    /// Keeps an error of a function that can't throw until the end.
    func refuse(_ error: any Error) {
        if error is EncodingError { refusal = refusal ?? error }
    }

    /// Keeps an error of a container that can't be opened at a position.
    ///
    /// A position of a complete value is ignored: its container throws at each write, and nothing of the document is
    /// missing.
    private func refuse(_ error: any Error, at position: Position) {
        if isIncomplete(position) { refuse(error) }
    }

    func failure(_ text: String, value: Any = (), path: [any CodingKey]? = nil) -> EncodingError {
        let path = path ?? codingPath
        return .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: text))
    }

    /// The strategy's text for a number that is not finite.
    func text<Value: FloatingPoint>(
        ofNonConforming value: Value,
        at position: Position,
        key: (any CodingKey)? = nil,
    ) throws -> String {
        if let text = settings.text(ofNonConforming: value) { return text }
        let path = codingPath(of: position) + (key.map { [$0] } ?? [])
        throw failure(EncodingSettings.nonConforming(value), value: value, path: path)
    }

    /// Rolls the document back to a length, without open frames.
    func reset(toCount count: Int, depth: Int) {
        while top > 0 { drop() }
        trees = TreeStack()
        forgetClosed(from: 0)
        writer.pointee.bytes.truncate(to: count)
        writer.pointee.members.truncate(to: 0)
        writer.pointee.depth = depth
    }
}

extension EncodingSession {
    // MARK: Values of any type

    /// Encodes the value of a member or an element that was begun at a position, and rolls it back if it throws.
    func encodeChild<Value: Encodable>(
        _ value: Value,
        _ kind: TypeKind,
        place: Frame.Place,
        of parent: Position,
    ) throws {
        let position: Position
        do { position = try push(place) } catch {
            takeBackTop()
            throw error
        }
        do {
            try encode(value, kind, at: position)
            close(position)
        } catch {
            undo(position, at: parent)
            throw error
        }
    }

    /// Encodes a value into a frame of its own.
    @inline(__always) func encode<Value: Encodable>(
        _ value: Value,
        _ kind: TypeKind,
        at position: Position,
    ) throws {
        switch kind {
        case .plain: try value.encode(to: StreamEncoder(session: self, position: position))
        case .writable(let type):
            frame(position).pointee.kind = .lent
            try write(value, as: type)
            frame(position).pointee.kind = .value
        case .streamed(let type): try stream(value, as: type, at: position)
        }
    }

    /// Writes a value whose type is known to be `JSONWritable`.
    private func write<Value>(_ value: Value, as type: any JSONWritable.Type) throws {
        try withUnsafePointer(to: value) { try type.write(valueAt: UnsafeRawPointer($0), in: self) }
    }

    private func stream<Value>(_ value: Value, as type: any StreamedEncodable.Type, at position: Position) throws {
        try withUnsafePointer(to: value) { try type.stream(valueAt: UnsafeRawPointer($0), at: position, in: self) }
    }

    fileprivate func writeDirectly<Value: JSONWritable>(_ value: Value) throws {
        writer.pointee.beginDirectly()
        try value.write(to: &writer.pointee)
        if let misuse = writer.pointee.misuse {
            writer.pointee.misuse = nil
            throw misuse
        }
        guard writer.pointee.expected == .nothing else {
            throw writer.pointee.failure(JSONWriter.wroteNothing(value), value: value)
        }
    }

    // MARK: Documents

    /// Encodes a value as the whole document.
    func encodeDocument<Value: Encodable>(_ value: Value) throws {
        guard try encodeRoot(value) else {
            throw failure(
                "\(Value.self) encoded no value. A document must contain a value, which may be null.",
                value: value,
            )
        }
    }

    /// Encodes a value at the end of the document.
    ///
    /// - Returns: Whether anything was encoded.
    func encodeRoot<Value: Encodable>(_ value: Value) throws -> Bool {
        let kind = kinds.kind(of: Value.self)
        return try run { position in try encode(value, kind, at: position) }
    }

    /// Encodes a value at the end of the document by a closure, for custom strategies.
    func encodeRoot(by encode: (any Encoder) throws -> Void) throws -> Bool {
        try run { position in try encode(StreamEncoder(session: self, position: position)) }
    }

    private func run(_ encode: (Position) throws -> Void) throws -> Bool {
        let start = writer.pointee.bytes.count
        let depth = writer.pointee.depth
        refusal = nil
        do {
            let position = try push(.none)
            try encode(position)
            let isEmpty = isEmpty(position)
            if !isEmpty { close(position) }
            if let refusal { throw refusal }
            if isEmpty { reset(toCount: start, depth: depth) }
            return !isEmpty
        } catch {
            reset(toCount: start, depth: depth)
            throw error
        }
    }
}

// The values are known to have these types, which the compiler can't prove. The pointers save copies.

extension JSONWritable {
    fileprivate static func write(valueAt pointer: UnsafeRawPointer, in session: EncodingSession) throws {
        try session.writeDirectly(pointer.assumingMemoryBound(to: Self.self).pointee)
    }
}

extension StreamedEncodable {
    fileprivate static func stream(
        valueAt pointer: UnsafeRawPointer,
        at position: Position,
        in session: EncodingSession,
    ) throws {
        try pointer.assumingMemoryBound(to: Self.self).pointee.stream(at: position, in: session)
    }
}

extension EncodingSession {
    // MARK: Opening containers

    /// Makes the value at a position an object or an array, unless it is one already.
    ///
    /// - Returns: The position to write at; ``Position/nowhere`` if the value is complete or of another kind.
    func open(_ kind: Frame.Kind, at position: Position) -> Position {
        do {
            if frames.isTop(position), frame(position).pointee.kind == .empty {
                try openTop(kind)
            } else if !frames.isOpen(position) || frame(position).pointee.kind != kind {
                try openLate(kind, at: position)
            }
            return position
        } catch {
            refuse(error, at: position)
            return .nowhere
        }
    }

    @inline(never) private func openLate(_ kind: Frame.Kind, at position: Position) throws {
        if let node = try enter(position) { return try open(kind, node) }
        if frame(position).pointee.kind == .empty { return try openTop(kind) }
        try open(kind, makeTree(from: position.depth))
    }

    @inline(__always) private func openTop(_ kind: Frame.Kind) throws {
        guard writer.pointee.depth < JSONWriter.depthMax else { throw tooDeep() }
        let frame = frames[top]
        writer.pointee.appendOpen(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        frame.pointee.kind = kind
        frame.pointee.depth = writer.pointee.depth
        frame.pointee.count = 0
        frame.pointee.seen = 0
        frame.pointee.firstMember = writer.pointee.members.count
    }

    /// Opens a member of an object, for a container or an encoder that outlives the call.
    func openMember(_ key: any CodingKey, as kind: Frame.Kind, at position: Position) -> Position {
        do {
            let name = converted(key.stringValue)
            if let node = try startMember(name, at: position) {
                return try handOut(kind, in: node, named: Array(name.utf8), key: key)
            }
            let child = try push(.kept(keptKeys.count))
            keptKeys.append(key)
            if kind != .empty { try openTop(kind) }
            return child
        } catch {
            refuse(error, at: position)
            return .nowhere
        }
    }

    /// Opens an element of an array, for a container or an encoder that outlives the call.
    func openElement(as kind: Frame.Kind, at position: Position) -> Position {
        do {
            if let node = try startElement(at: position) {
                return try handOut(kind, in: node, named: nil, key: nil)
            }
            let child = try push(.none)
            if kind != .empty { try openTop(kind) }
            return child
        } catch {
            refuse(error, at: position)
            return .nowhere
        }
    }

    /// How many elements were begun in an array.
    func count(at position: Position) -> Int {
        if frames.isOpen(position) { return frame(position).pointee.count }
        return (try? returnTo(position))?.count ?? 0
    }

    // MARK: Writing in containers

    /// Writes the separator and the converted key of a member.
    func beginMember(_ key: String, at position: Position) throws {
        let key = converted(key)
        if let node = try startMember(key, at: position) { beginPart(.child(named: Array(key.utf8)), of: node) }
    }

    /// A key converted by the strategy.
    func converted(_ key: String) -> String {
        guard convertsKeys else { return key }
        if let known = keys.known(key) { return known }
        // The user's closure may encode with this session.
        let converted = keys.convert(key)
        keys.insert(key, converted)
        return converted
    }

    /// Writes the separator and the key of a member, and checks whether the key was written before.
    ///
    /// - Returns: The node of the object if it is not written in order.
    @inline(__always) private func startMember(_ key: String, at position: Position) throws -> TreeNode? {
        if let node = try enter(position) { return node }
        let frame = frame(position)
        let fingerprint = appendMember(key, in: frame, hash)
        let bit: UInt64 = 1 << (fingerprint >> 58)
        let isNew = frame.pointee.seen & bit == 0
        frame.pointee.seen |= bit
        guard !isNew || frame.pointee.table > 0, isRepeated(in: frame) else { return nil }
        takeBackLast()
        return makeTree(from: position.depth)
    }

    /// Writes the separator and the key of a dictionary's member; such keys can't repeat.
    func beginDictionaryMember(_ key: String, at position: Position) throws {
        if let node = try enter(position) { return beginPart(.child(named: Array(key.utf8)), of: node) }
        _ = appendMember(key, in: frame(position), nil)
    }

    /// - Returns: The key's fingerprint, if a hash is given.
    @inline(__always) private func appendMember(
        _ key: String,
        in frame: UnsafeMutablePointer<Frame>,
        _ hash: KeyHash?,
    ) -> UInt64 {
        separate(in: frame)
        return key.withContiguousBytes { writer.pointee.appendMember($0, hash) }
    }

    @inline(__always) func beginElement(at position: Position) throws {
        if let node = try startElement(at: position) { beginPart(.child(named: nil), of: node) }
    }

    @inline(__always) private func startElement(at position: Position) throws -> TreeNode? {
        if let node = try enter(position) { return node }
        separate(in: frame(position))
        return nil
    }

    /// Writes the separator before a member or an element, and counts it.
    @inline(__always) private func separate(in frame: UnsafeMutablePointer<Frame>) {
        frame.pointee.lastStart = writer.pointee.bytes.count
        writer.pointee.separate(isFirst: frame.pointee.count == 0)
        frame.pointee.count &+= 1
    }

    /// Prepares a position for a single value.
    @inline(__always) func beginSingleValue(at position: Position) throws {
        if let node = try enter(position) {
            guard node.isEmpty else { throw twoValues(at: position) }
            return beginPart(.itself, of: node)
        }
        let frame = frame(position)
        guard frame.pointee.kind == .empty else { throw twoValues(at: position) }
        frame.pointee.kind = .value
    }

    @inline(never) func twoValues(at position: Position) -> EncodingError {
        failure(
            "Encoded two values to a single-value container. Encode one value, or both as an array.",
            path: codingPath(of: position),
        )
    }

    // MARK: Repeated keys

    /// Checks whether the object has an earlier member with the last member's key.
    @inline(never) private func isRepeated(in frame: UnsafeMutablePointer<Frame>) -> Bool {
        let members = UnsafeBufferPointer(
            start: writer.pointee.members.base + frame.pointee.firstMember,
            count: frame.pointee.count,
        )
        guard members.count > KeyTable.scannedMax else {
            return members.indices.dropLast().contains { isSameKey(members[$0], members[members.count - 1]) }
        }
        if frame.pointee.table == 0 {
            tables.append(KeyTable())
            frame.pointee.table = tables.count
            frame.pointee.hasExtras = true
        }
        return tables[frame.pointee.table - 1].insertLast(of: members) { isSameKey($0, $1) }
    }

    private func isSameKey(_ one: MemberStack.Member, _ other: MemberStack.Member) -> Bool {
        guard one.fingerprint == other.fingerprint, one.keyLength == other.keyLength else { return false }
        let bytes = writer.pointee.bytes.bytes
        return one.keyText(in: bytes).elementsEqual(other.keyText(in: bytes))
    }

    // MARK: Paths

    /// The path of the innermost value, which includes a value that is written directly.
    var codingPath: [any CodingKey] {
        path(to: top, in: writer.pointee.bytes.bytes)
    }

    func codingPath(of position: Position) -> [any CodingKey] {
        let bytes = writer.pointee.bytes.bytes
        if frames.isOpen(position) { return path(to: position.depth, in: bytes) }
        guard let node = try? trees.node(of: position.serial) ?? returnTo(position) else { return [] }
        return path(of: node)
    }

    func path(of node: TreeNode) -> [any CodingKey] {
        let (keys, depth) = node.ownPath
        return path(to: depth, in: writer.pointee.bytes.bytes) + keys
    }

    private func path(to depth: Int, in bytes: UnsafeBufferPointer<UInt8>) -> [any CodingKey] {
        // From the inside out, without recursion: the stack may be at its end.
        var pieces = [ownPath(to: depth)]
        var (next, bytes) = (parent, bytes)
        while true {
            switch next {
            case .none: return pieces.reversed().flatMap { $0 }
            case .direct(let session, let partial, let end):
                // A value inside this one may have taken over the bytes.
                pieces.append(partial.path(to: min(end, bytes.count), in: bytes, isBeforeNext: false))
                guard let session else { return pieces.reversed().flatMap { $0 } }
                pieces.append(session.ownPath(to: session.top))
                next = session.parent
            }
        }
    }

    /// The path below this session's value.
    private func ownPath(to depth: Int) -> [any CodingKey] {
        var pieces: [[any CodingKey]] = []
        var index = depth
        while index > 0 {
            let frame = frames[index].pointee
            let node = frame.kind == .slot ? trees.slots[frame.count].node : trees.node(of: ~frame.serial)
            if let node, node.frame != index || frame.kind == .slot {
                let (keys, depth) = node.ownPath
                pieces.append(keys)
                index = depth
            } else {
                if let key = key(of: index) { pieces.append([key]) }
                index -= 1
            }
        }
        return pieces.reversed().flatMap { $0 }
    }

    /// The key of an open frame in its parent.
    func key(of index: Int) -> (any CodingKey)? {
        switch frames[index].pointee.place {
        case .key(let key, let type): return type.loaded(from: key)
        case .kept(let index): return keptKeys[index]
        case .none:
            let parent = frames[index - 1].pointee
            switch parent.kind {
            case .array: return JSONCodingKey(parent.count - 1)
            case .slot: return trees.slots[parent.count].indexKey
            default: return nil
            }
        }
    }
}

extension CodingKey {
    static func loaded(from key: UnsafeRawPointer) -> any CodingKey {
        key.assumingMemoryBound(to: Self.self).pointee
    }
}

/// The position of a session's value in the enclosing value, which is resolved only for a coding path.
enum ParentPath {
    case none
    /// Inside a `JSONWritable` value: after the path of its session, if it has one, at an offset of the bytes.
    case direct(session: EncodingSession?, PartialDocument, to: Int)
}
