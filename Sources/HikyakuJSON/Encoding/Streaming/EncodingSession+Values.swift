extension EncodingSession {
    // MARK: Values of any type

    /// Encodes a value for which a member or an element was begun at a position; one that throws is taken back there.
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
        return try run { position in try encode(value, kind, at: position) }
    }

    /// Has a closure encode a value at the end of the document, as custom strategies do.
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
