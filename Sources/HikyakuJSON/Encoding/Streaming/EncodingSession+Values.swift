extension EncodingSession {
    // MARK: Values of any type

    /// Encodes a value for which a member or an element was begun at a position; one that throws is taken back there.
    func encodeChild<Value: Encodable>(
        _ value: Value,
        _ kind: TypeKind,
        place: Frame.Place,
        of parent: Position,
    ) throws {
        do {
            let position = try push(place)
            try encode(value, kind, at: position)
            try close(position)
        } catch {
            undo(at: parent)
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

    /// Has a value write itself, whose type is known to do so.
    private func write<Value>(_ value: Value, as type: any JSONWritable.Type) throws {
        try withUnsafePointer(to: value) { try type.write(valueAt: UnsafeRawPointer($0), in: self) }
    }

    private func stream<Value>(_ value: Value, as type: any StreamedEncodable.Type, at position: Position) throws {
        try withUnsafePointer(to: value) { try type.stream(valueAt: UnsafeRawPointer($0), at: position, in: self) }
    }

    func writeDirectly<Value: JSONWritable>(_ value: Value) throws {
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
                "\(Value.self) encoded nothing. A document is at least one value, which may be nil.",
                value: value,
            )
        }
    }

    /// Encodes a value at the end of the document.
    ///
    /// - Returns: Whether it encoded anything.
    func encodeRoot<Value: Encodable>(_ value: Value) throws -> Bool {
        let kind = kinds.kind(of: Value.self)
        return try run { position in
            try encode(value, kind, at: position)
        } building: { encoder in
            try encoder.encodeContents(value)
        }
    }

    /// Has a closure encode a value at the end of the document, as custom strategies do.
    func encodeRoot(by encode: (any Encoder) throws -> Void) throws -> Bool {
        try run { position in
            try encode(StreamEncoder(session: self, position: position))
        } building: { encoder in
            try encode(encoder)
        }
    }

    /// Streams, and builds a tree where that doesn't succeed.
    private func run(
        streaming: (Position) throws -> Void,
        building: (TreeEncoder) throws -> Void,
    ) throws -> Bool {
        let start = writer.pointee.bytes.count
        let depth = writer.pointee.depth
        if !prefersTree {
            do {
                if let isWritten = try stream(streaming) { return isWritten }
            } catch {
                reset(toCount: start, depth: depth)
                if !needsTree { throw error }
            }
            reset(toCount: start, depth: depth)
        }
        return try TreeRun(session: self).encode(building)
    }

    /// - Returns: Whether anything was written; `nil` where a tree is needed.
    private func stream(_ encode: (Position) throws -> Void) throws -> Bool? {
        needsTree = false
        refusal = nil
        let position = try push(.none)
        try encode(position)
        if let refusal { throw refusal }
        guard !needsTree, isOpen(position) else { return nil }
        close(above: position.depth)
        guard frame(position).pointee.kind != .empty else {
            reset(toCount: frame(position).pointee.lastStart, depth: writer.pointee.depth)
            return false
        }
        try close(position)
        return true
    }
}

// The types of both functions' values are known to be these ones, which the compiler can't see. The pointers spare
// copies.

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
