extension EncodingSession {
    // MARK: Opening containers

    /// Makes the value at a position an object or an array, if it isn't yet.
    ///
    /// - Returns: The position to write at; ``Position/nowhere`` where the value is complete or of another kind.
    func open(_ kind: Frame.Kind, at position: Position) -> Position {
        do {
            if frames.isTop(position), frame(position).pointee.kind == .empty {
                try openTop(kind)
            } else if !frames.isOpen(position) || frame(position).pointee.kind != kind {
                try openLate(kind, at: position)
            }
            return position
        } catch {
            refuse(error)
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
            let child = try push(keeping: key)
            if kind != .empty { try openTop(kind) }
            return child
        } catch {
            refuse(error)
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
            refuse(error)
            return .nowhere
        }
    }

    /// How many elements were begun in an array.
    func count(at position: Position) -> Int {
        if frames.isOpen(position) { return frame(position).pointee.count }
        return (try? returnTo(position))?.count ?? 0
    }

    // MARK: Writing in containers

    /// Writes what stands before a member's value, with the key by the strategy.
    func beginMember(_ key: String, at position: Position) throws {
        let key = convertsKeys ? keys.converted(key) : key
        if let node = try startMember(key, at: position) { beginPart(.member(Array(key.utf8)), of: node) }
    }

    /// A key by the strategy.
    func converted(_ key: String) -> String {
        convertsKeys ? keys.converted(key) : key
    }

    /// Writes what stands before a member's value, and looks whether its key was written before.
    ///
    /// - Returns: The node that the member belongs to instead, where the object isn't written in order.
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

    /// Writes what stands before the value of a dictionary's member, whose keys can't repeat.
    func beginDictionaryMember(_ key: String, at position: Position) throws {
        if let node = try enter(position) { return beginPart(.member(Array(key.utf8)), of: node) }
        _ = appendMember(key, in: frame(position), nil)
    }

    /// - Returns: The key's fingerprint, if it was asked for.
    @inline(__always) private func appendMember(
        _ key: String,
        in frame: UnsafeMutablePointer<Frame>,
        _ hash: KeyHash?,
    ) -> UInt64 {
        frame.pointee.lastStart = writer.pointee.bytes.count
        writer.pointee.separate(isFirst: frame.pointee.count == 0)
        frame.pointee.count &+= 1
        return key.withContiguousBytes { writer.pointee.appendMember($0, hash) }
    }

    @inline(__always) func beginElement(at position: Position) throws {
        if let node = try startElement(at: position) { beginPart(.element, of: node) }
    }

    @inline(__always) private func startElement(at position: Position) throws -> TreeNode? {
        if let node = try enter(position) { return node }
        let frame = frame(position)
        frame.pointee.lastStart = writer.pointee.bytes.count
        writer.pointee.separate(isFirst: frame.pointee.count == 0)
        frame.pointee.count &+= 1
        return nil
    }

    /// Makes a position ready for a value that stands in its place.
    @inline(__always) func beginSingleValue(at position: Position) throws {
        if let node = try enter(position) {
            guard case .empty = node.content else { throw twoValues(at: position) }
            return beginPart(.itself, of: node)
        }
        let frame = frame(position)
        guard frame.pointee.kind == .empty else { throw twoValues(at: position) }
        frame.pointee.kind = .value
    }

    @inline(never) func twoValues(at position: Position) -> EncodingError {
        failure(
            "Encoded two single values as one. Encode one, or an array of both.",
            path: codingPath(of: position),
        )
    }

    // MARK: Repeated keys

    /// Looks whether the last member's key was written before in its object.
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

    /// The path of the innermost value, and so of what is being written directly.
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
        // From the inside out, and not by calls inside of calls: the stack may be at its end.
        var pieces = [ownPath(to: depth)]
        var (next, bytes) = (parent, bytes)
        while true {
            switch next {
            case .none: return pieces.reversed().flatMap { $0 }
            case .direct(let session, let partial, let end):
                pieces.append(partial.path(to: end, in: bytes, isBeforeNext: false))
                guard let session else { return pieces.reversed().flatMap { $0 } }
                pieces.append(session.ownPath(to: session.top))
                next = session.parent
            }
        }
    }

    /// The path from this session's value on.
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
            case .array: return PathKey(parent.count - 1)
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

/// Where the value of a session stands in the value around it; found out only when a path is asked for.
enum ParentPath {
    case none
    /// Inside of a value that writes itself: behind the path of its session, if that has one, at a place in the bytes.
    case direct(session: EncodingSession?, PartialDocument, to: Int)
}
