#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The encoding of one document by Codable.
///
/// Encoders and containers are small values that hold the session and a ``Position``. Each writes directly to the
/// document's bytes; a write closes open children. If a write is out of the order of the document, because its frame is
/// closed or its key was written before, the encoding is begun again: then each value is a ``TreeNode`` to which
/// containers write, and the tree is written when it is complete.
final class EncodingSession {
    let settings: EncodingSettings
    /// Outside the session object, so that accesses need no dynamic exclusivity checks.
    let writer: UnsafeMutablePointer<JSONWriter>
    let kinds = TypeKinds()
    private let frames: FrameStack
    /// The number of open frames of the enclosing sessions.
    private var outerFrames = 0
    /// The first error of a function that can't throw.
    private var refusal: (any Error)?
    /// The values of an encoding that was begun again.
    private let tree: ValueTree?
    private let hash = KeyHash()
    private let convertsKeys: Bool
    private var keys: KeyConversion
    /// The position of this session's value inside another session's value.
    private var parent = ParentPath.none

    init(settings: EncodingSettings) {
        self.settings = settings
        let strategy = settings.encoder.keyEncodingStrategy
        if case .useDefaultKeys = strategy { convertsKeys = false } else { convertsKeys = true }
        keys = KeyConversion(strategy)
        writer = .allocate(capacity: 1)
        writer.initialize(to: JSONWriter(settings: settings))
        frames = FrameStack(writer, sortsKeys: settings.sortsKeys)
        tree = settings.buildsTrees ? ValueTree(writer) : nil
        writer.pointee.session = self
    }

    deinit {
        writer.deinitialize(count: 1)
        writer.deallocate()
    }

    /// Begins to encode inside a value that is written directly, and in the session of that value if it has one.
    func enter(_ parent: ParentPath, of outer: EncodingSession?) {
        self.parent = parent
        if let outer { outerFrames = outer.outerFrames + outer.openCount }
    }

    /// Ends what ``enter(_:of:)`` began, and releases the parent.
    func leaveParent() {
        parent = .none
    }

    // MARK: Frames

    @inline(__always) private var top: Int { frames.top }

    @inline(__always) private func frame(_ position: Position) -> UnsafeMutablePointer<Frame> {
        frames[position.depth]
    }

    /// Opens a frame inside of the innermost one.
    private func push(_ place: Frame.Place) throws -> Position {
        if outerFrames + top >= ThreadStack.trustedDepth { try checkDepth() }
        return frames.push(place)
    }

    /// How many values are being encoded.
    private var openCount: Int { tree?.open.count ?? top }

    /// Makes a position the innermost one for writing, which completes its children.
    ///
    /// - Returns: The node to write to, if the values are assembled.
    @inline(__always) private func enter(_ position: Position) throws -> TreeNode? {
        if frames.isTop(position) { return nil }
        return try returnTo(position)
    }

    /// Makes a position the innermost one, or finds the node to write to.
    @inline(never) private func returnTo(_ position: Position) throws -> TreeNode? {
        guard frames[top].pointee.kind != .lent else { throw refusal ?? failure(Self.wroteAside) }
        if let tree {
            guard let node = tree.node(of: position), node.isOpen else { throw refusal ?? failure(Self.wroteLate) }
            return node
        }
        guard frames.isOpen(position) else { throw refusal ?? outOfOrder() }
        close(above: position.depth)
        return nil
    }

    /// Completes an encoded value.
    @inline(__always) private func close(_ position: Position) {
        if frames.isTop(position) { return closeTop() }
        // Either a child is open, or a value around it was written to meanwhile.
        if frames.isOpen(position) { close(above: position.depth - 1) } else { outOfOrder() }
    }

    private func close(above depth: Int) {
        while top > depth { closeTop() }
    }

    /// Completes the innermost value and forgets its frame.
    private func closeTop() {
        frames.finishTop()
        frames.drop()
    }

    // MARK: Failures

    /// Lets the encoding begin again, if it isn't over.
    ///
    /// - Returns: What ends it until then.
    @discardableResult @inline(never) private func outOfOrder() -> EncodingError {
        settings.isOutOfOrder = true
        return failure(Self.wroteLate)
    }

    @inline(never) private func checkDepth() throws {
        guard outerFrames + openCount < FrameStack.countMax else { throw tooDeep() }
        guard !ThreadStack.isAtEnd else { throw failure(JSONWriter.stackEnd(depth: writer.pointee.depth)) }
    }

    private func tooDeep() -> EncodingError {
        failure(JSONWriter.tooDeep, cause: .tooDeep)
    }

    /// Keeps an error of a function that can't throw until the end.
    private func refuse(_ error: any Error) {
        if error is EncodingError { refusal = refusal ?? error }
    }

    /// Keeps an error of a container that can't be opened at a position.
    ///
    /// A position of a complete value is ignored: its container throws at each write, and nothing of the document is
    /// missing.
    private func refuse(_ error: any Error, at position: Position) {
        if let node = tree?.node(of: position) {
            if node.isOpen { refuse(error) }
        } else if frames.isOpen(position) {
            refuse(error)
        } else if tree == nil, refusal == nil {
            outOfOrder()
        }
    }

    private func failure(
        _ text: String,
        value: Any = (),
        path: [any CodingKey]? = nil,
        cause: EncodingCause? = nil,
    ) -> EncodingError {
        EncodingCause.error(text, value: value, path: path ?? codingPath, cause)
    }

    /// Rolls back the value of a position that throws, and records where it is if that is to be found out.
    private func rollBack(_ position: Position, _ rollBack: () -> Void) {
        guard let recorder = settings.recorder else { return rollBack() }
        recorder.record(at: writer.pointee.bytes.count) { codingPath(of: position) }
        rollBack()
        recorder.settle(at: writer.pointee.bytes.count)
    }

    /// The strategy's text for a number that is not finite.
    func text<Value: FloatingPoint>(
        ofNonConforming value: Value,
        at position: Position,
        key: (any CodingKey)? = nil,
    ) throws -> String {
        if let text = settings.text(ofNonConforming: value) { return text }
        let path = codingPath(of: position) + (key.map { [$0] } ?? [])
        throw failure(EncodingSettings.nonConforming(value), value: value, path: path, cause: .notFinite)
    }

    /// Rolls the document back to a length, without open frames.
    private func reset(toCount count: Int, depth: Int) {
        frames.removeAll()
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
    ) throws {
        if let tree { return try encodePart(value, kind, key: frames.key(place), in: tree) }
        let position: Position
        do { position = try push(place) } catch {
            frames.takeBackLast()
            throw error
        }
        do {
            try encode(value, kind, at: position)
            close(position)
        } catch {
            rollBack(position) { undo(position) }
            throw error
        }
    }

    /// Rolls back a member or an element whose value has thrown.
    @inline(never) private func undo(_ child: Position) {
        guard frames.isOpen(child) else { return _ = outOfOrder() }
        let object = (child.depth...top).first { frames[$0].pointee.kind == .object }
        if let object { writer.pointee.members.truncate(to: frames[object].pointee.firstMember) }
        while top >= child.depth { frames.drop() }
        frames.takeBackLast()
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
        refusal = nil
        if let tree { return try assemble(in: tree, encode) }
        let start = writer.pointee.bytes.count
        let depth = writer.pointee.depth
        let position = try push(.none)
        do {
            try encode(position)
            let isEmpty = frame(position).pointee.kind == .empty
            if !isEmpty { close(position) }
            if let refusal { throw refusal }
            if isEmpty { reset(toCount: start, depth: depth) }
            return !isEmpty
        } catch {
            rollBack(position) { reset(toCount: start, depth: depth) }
            throw error
        }
    }
}

extension JSONWritable {
    /// Writes a value that is known to have this type, which the compiler can't prove; the pointer saves a copy.
    fileprivate static func write(valueAt pointer: UnsafeRawPointer, in session: EncodingSession) throws {
        try session.writeDirectly(pointer.assumingMemoryBound(to: Self.self).pointee)
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
        guard frame(position).pointee.kind == .empty else { throw outOfOrder() }
        try openTop(kind)
    }

    @inline(__always) private func openTop(_ kind: Frame.Kind) throws {
        guard writer.pointee.depth < ThreadStack.depthMax else { throw tooDeep() }
        frames.open(kind, frames[top])
    }

    /// Opens a member of an object, for a container or an encoder that outlives the call.
    func openMember(_ key: any CodingKey, as kind: Frame.Kind, at position: Position) -> Position {
        do {
            let name = converted(key.stringValue)
            if let node = try startMember(name, at: position) {
                return try handOut(kind, .member(Array(name.utf8)), of: node, key: key)
            }
            let child = try push(frames.nextKeptPlace)
            frames.keep(key)
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
                return try handOut(kind, .element, of: node, key: nil)
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
        if let node = try startMember(key, at: position) { tree?.begin(.member(Array(key.utf8)), of: node) }
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
    /// - Returns: The node of the object, if the values are assembled.
    @inline(__always) private func startMember(_ key: String, at position: Position) throws -> TreeNode? {
        if let node = try enter(position) { return node }
        let frame = frame(position)
        let fingerprint = appendMember(key, in: frame, hash)
        let bit: UInt64 = 1 << (fingerprint >> 58)
        let isNew = frame.pointee.seen & bit == 0
        frame.pointee.seen |= bit
        guard !isNew || frame.pointee.table > 0, frames.isRepeated(in: frame) else { return nil }
        throw outOfOrder()
    }

    /// Writes the separator and the key of a dictionary's member; such keys can't repeat.
    func beginDictionaryMember(_ key: String, at position: Position) throws {
        if let node = try enter(position) { return tree?.begin(.member(Array(key.utf8)), of: node) ?? () }
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
        if let node = try startElement(at: position) { tree?.begin(.element, of: node) }
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
            return tree?.begin(.itself, of: node) ?? ()
        }
        let frame = frame(position)
        guard frame.pointee.kind == .empty else { throw twoValues(at: position) }
        frame.pointee.kind = .value
    }

    @inline(never) private func twoValues(at position: Position) -> EncodingError {
        failure(
            "Encoded two values to a single-value container. Encode one value, or both as an array.",
            path: codingPath(of: position),
        )
    }

    // MARK: Paths

    /// The path of the innermost value, which includes a value that is written directly.
    var codingPath: [any CodingKey] {
        path(innermostPath)
    }

    func codingPath(of position: Position) -> [any CodingKey] {
        if let tree { return tree.node(of: position).map { path($0.path) } ?? [] }
        if frames.isOpen(position) { return path(frames.path(to: position.depth)) }
        if top > 0 { outOfOrder() }
        return []
    }

    /// A path of this session after that of the value around it.
    private func path(_ own: [any CodingKey]) -> [any CodingKey] {
        // From the inside out, without recursion: the stack may be at its end.
        var pieces = [own]
        var next = parent
        let bytes = writer.pointee.bytes.bytes
        while case .direct(let session, let partial, let end) = next {
            // A value inside this one may have taken over the bytes.
            pieces.append(partial.path(to: min(end, bytes.count), in: bytes, isBeforeNext: false))
            guard let session else { break }
            pieces.append(session.innermostPath)
            next = session.parent
        }
        return pieces.reversed().flatMap { $0 }
    }

    private var innermostPath: [any CodingKey] { tree?.open.last?.path ?? frames.path(to: top) }
}

extension EncodingSession {
    // MARK: Values that are assembled

    /// Encodes a value into a tree, and writes that at the end of the document.
    private func assemble(in tree: ValueTree, _ encode: (Position) throws -> Void) throws -> Bool {
        let root = tree.begin()
        try self.encode(into: root, of: tree, encode)
        if let refusal { throw refusal }
        writer.pointee.depth = root.depth
        guard !root.isEmpty else { return false }
        writer.pointee.beginDirectly()
        try root.write(to: &writer.pointee)
        return true
    }

    /// Encodes the part of a node that was begun, and attaches it when it is complete.
    @inline(never) private func encodePart<Value: Encodable>(
        _ value: Value,
        _ kind: TypeKind,
        key: (any CodingKey)?,
        in tree: ValueTree,
    ) throws {
        guard let node = tree.takeBegun() else { return }
        node.key = key ?? node.key
        try encode(into: node, of: tree) { position in try encode(value, kind, at: position) }
        guard node.attach() else { throw failure(Self.twoKinds) }
    }

    private func encode(into node: TreeNode, of tree: ValueTree, _ encode: (Position) throws -> Void) throws {
        try checkDepth()
        let position = frames.makePosition()
        tree.add(node, at: position)
        tree.enter(node)
        defer { tree.leave() }
        do {
            try encode(position)
            tree.fill(node)
        } catch {
            tree.fill()
            // A value that writes itself didn't reset it.
            frames[0].pointee.kind = .value
            rollBack(position) { tree.dropText() }
            throw error
        }
    }

    /// Makes a node an object or an array, unless it is one already.
    private func open(_ kind: Frame.Kind, _ node: TreeNode) throws {
        if node.isEmpty, node.depth >= ThreadStack.depthMax { throw tooDeep() }
        if !node.open(kind) { throw failure(Self.twoKinds, path: path(node.path)) }
    }

    /// A position for writing to a new part of a node, or to the existing object or array of a key.
    @inline(never) private func handOut(
        _ kind: Frame.Kind,
        _ part: TreeNode.Part,
        of node: TreeNode,
        key: (any CodingKey)?,
    ) throws -> Position {
        var child = TreeNode(part, of: node)
        child.key = key ?? child.key
        if kind != .empty, let old = node.part(like: part), old.isEmpty || old.open(kind) {
            // What writes to a complete value is not to write to the new container.
            if old.isComplete { child.content = old.content } else { child = old }
        }
        _ = child.attach()
        if kind != .empty { try open(kind, child) }
        let position = frames.makePosition()
        tree?.add(child, at: position)
        return position
    }

    /// Encodes the members of a `JSONWritable` value into the object at a position.
    func encodeMembers<Value: JSONWritable & Encodable>(of value: Value, at position: Position) throws {
        let encoder = StreamEncoder(session: self, position: position)
        let node = try enter(position)
        if tree == nil, frame(position).pointee.kind != .empty { throw outOfOrder() }
        guard let node, !node.isEmpty else { return try encoder.encode(value) }
        tree?.begin(.itself, of: node)
        try encodeChild(value, kinds.kind(of: Value.self), place: .none)
    }
}
