extension JSONWriter {
    /// Writes a value by its `encode(to:)`, with all strategies of the encoder, those for keys too.
    ///
    /// - Throws: `EncodingError` where no value belongs and as ``HikyakuJSONEncoder/encode(_:)`` does, and what the
    ///   value throws.
    public mutating func encode<Value: Encodable>(_ value: Value) throws {
        try encode { session in try session.encodeRoot(value) }
    }

    /// Has a closure encode a value, as custom strategies do.
    mutating func encode(by closure: (any Encoder) throws -> Void) throws {
        try encode { session in try session.encodeRoot(by: closure) }
    }

    /// Lends the document to a session for one value; one that encodes nothing is an object without members.
    private mutating func encode(in encode: (EncodingSession) throws -> Bool) throws {
        let mark = mark
        try beginValue()
        let session = child ?? EncodingSession(settings: settings)
        child = nil
        session.parent = .direct(session: self.session, makePartial(), to: bytes.count)
        if let outer = self.session {
            session.outerFrames = outer.outerFrames + outer.top
        }
        session.writer.pointee.depth = depth
        swap(&bytes, &session.writer.pointee.bytes)
        let outcome = Result { try encode(session) }
        swap(&bytes, &session.writer.pointee.bytes)
        // The session of this writer owns it, and so its child.
        session.parent = .none
        child = session
        switch outcome {
        case .success(true): endValue()
        case .success(false):
            rollBack(to: mark)
            try writeObject { _ in }
        case .failure(let error):
            rollBack(to: mark)
            throw error
        }
    }
}
