extension EncodingSession {
    // MARK: Opening containers

    /// Makes the value at a position an object or an array, if it isn't yet.
    ///
    /// - Returns: The position to write at; ``Position/nowhere`` where the value is complete or of another kind, which
    ///   the first write says.
    func open(_ kind: Frame.Kind, at position: Position) -> Position {
        guard isOpen(position) else { return nowhere() }
        let frame = frame(position)
        if frame.pointee.kind == kind { return position }
        guard frame.pointee.kind == .empty else { return nowhere() }
        guard writer.pointee.depth < JSONWriter.depthMax else {
            refuse(tooDeep())
            return .nowhere
        }
        writer.pointee.appendOpen(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        frame.pointee.kind = kind
        frame.pointee.depth = writer.pointee.depth
        frame.pointee.firstMember = writer.pointee.members.count
        return position
    }

    /// Opens a frame as a member of an object, for a container or an encoder that outlives the call.
    func openMember(_ key: any CodingKey, at position: Position) -> Position {
        do {
            try beginMember(key.stringValue, at: position)
            return try push(keeping: key)
        } catch {
            refuse(error)
            return .nowhere
        }
    }

    /// Opens a frame as an element of an array, for a container or an encoder that outlives the call.
    func openElement(at position: Position) -> Position {
        do {
            try beginElement(at: position)
            return try push(.none)
        } catch {
            refuse(error)
            return .nowhere
        }
    }

    private func nowhere() -> Position {
        _ = outOfOrder()
        return .nowhere
    }

    // MARK: Writing in containers

    /// Writes what stands before a member's value, with the key by the strategy.
    func beginMember(_ key: String, at position: Position) throws {
        try beginUnconvertedMember(convertsKeys ? keys.converted(key) : key, at: position)
    }

    /// A key by the strategy.
    func converted(_ key: String) -> String {
        convertsKeys ? keys.converted(key) : key
    }

    /// Writes what stands before a member's value, and looks whether its key was written before.
    @inline(__always) private func beginUnconvertedMember(_ key: String, at position: Position) throws {
        try enter(position)
        let frame = frame(position)
        let fingerprint = appendMember(key, in: frame, hash)
        let bit: UInt64 = 1 << (fingerprint >> 58)
        let isNew = frame.pointee.seen & bit == 0
        frame.pointee.seen |= bit
        if !isNew || frame.pointee.table > 0, isRepeated(in: frame) { throw outOfOrder() }
    }

    /// Writes what stands before the value of a dictionary's member, whose keys can't repeat.
    func beginDictionaryMember(_ key: String, at position: Position) throws {
        try enter(position)
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
        try enter(position)
        let frame = frame(position)
        frame.pointee.lastStart = writer.pointee.bytes.count
        writer.pointee.separate(isFirst: frame.pointee.count == 0)
        frame.pointee.count &+= 1
    }

    /// Makes a position ready for a value that stands in its place.
    @inline(__always) func beginSingleValue(at position: Position) throws {
        try enter(position)
        let frame = frame(position)
        guard frame.pointee.kind == .empty else { throw outOfOrder() }
        frame.pointee.kind = .value
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
        if isOpen(position) { return path(to: position.depth, in: writer.pointee.bytes.bytes) }
        // The tree knows it, and whatever hangs on it is encoded there once more.
        _ = outOfOrder()
        return []
    }

    private func path(to depth: Int, in bytes: UnsafeBufferPointer<UInt8>) -> [any CodingKey] {
        // From the inside out, and not by calls inside of calls: the stack may be at its end.
        var pieces = [ownPath(to: depth)]
        var (next, bytes) = (parent, bytes)
        while true {
            switch next {
            case .none: return pieces.reversed().flatMap { $0 }
            case .tree(let session, let path):
                bytes = session.writer.pointee.bytes.bytes
                pieces += [path?.keys ?? [], session.ownPath(to: session.top)]
                next = session.parent
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
        var path: [any CodingKey] = []
        for index in stride(from: 1, through: depth, by: 1) {
            switch frames[index].pointee.place {
            case .key(let key, let type): path.append(type.loaded(from: key))
            case .kept(let index): path.append(keptKeys[index])
            case .none:
                let parent = frames[index - 1].pointee
                if parent.kind == .array { path.append(PathKey(parent.count - 1)) }
            }
        }
        return path
    }
}

extension CodingKey {
    fileprivate static func loaded(from key: UnsafeRawPointer) -> any CodingKey {
        key.assumingMemoryBound(to: Self.self).pointee
    }
}

/// Where the value of a session stands in the value around it; found out only when a path is asked for.
enum ParentPath {
    case none
    /// A value in a tree, for which the session was asked.
    case tree(EncodingSession, TreePath?)
    /// Inside of a value that writes itself: behind the path of its session, if that has one, at a place in the bytes.
    case direct(session: EncodingSession?, PartialDocument, to: Int)
}
