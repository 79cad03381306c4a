extension DecodingSession {
    /// Lets a value be read from its bytes, and adds the coding path to errors, of which a reader knows nothing.
    @inline(__always)
    func read<Value>(at place: Int, _ body: (inout JSONReader) throws -> Value) throws -> Value {
        do {
            var reader = JSONReader(self, at: offset(of: place))
            return try body(&reader)
        } catch {
            throw located(error, in: place)
        }
    }

    @inline(never)
    private func located(_ error: any Error, in place: Int) -> any Error {
        guard let error = error as? DecodingError else { return error }
        switch error {
        case .typeMismatch(let type, let context):
            return DecodingError.typeMismatch(type, located(context, in: place))
        case .valueNotFound(let type, let context):
            return DecodingError.valueNotFound(type, located(context, in: place))
        case .keyNotFound(let key, let context): return DecodingError.keyNotFound(key, located(context, in: place))
        case .dataCorrupted(let context): return DecodingError.dataCorrupted(located(context, in: place))
        @unknown default: return error
        }
    }

    private func located(_ context: DecodingError.Context, in place: Int) -> DecodingError.Context {
        let exact = (context.underlyingError as? JSONPlace).map { self.place(ofByte: $0.byteOffset, in: place) }
        // A type's own error may have a path from elsewhere.
        guard exact != nil || context.codingPath.isEmpty else { return context }
        return DecodingError.Context(
            codingPath: codingPath(to: exact ?? place),
            debugDescription: context.debugDescription,
            underlyingError: context.underlyingError ?? JSONPlace(byteOffset: offset(of: place)),
        )
    }

    /// The innermost value that a byte belongs to, among those in a value.
    private func place(ofByte offset: Int, in place: Int) -> Int {
        var around = [place]
        var last = place
        while let child = lastChild(of: last, upToByte: offset) {
            around.append(child)
            last = child
        }
        var byte = endOfBytes(of: last)
        if byte <= offset { around.removeLast() }
        // What stands behind the last value that has begun are ends of containers, and white space.
        while byte < offset, around.count > 1 {
            if bytes[byte] == Byte.closeBrace || bytes[byte] == Byte.closeBracket { around.removeLast() }
            byte += 1
        }
        return around.last ?? place
    }

    /// The last value of a container that begins with a byte or before it.
    private func lastChild(of container: Int, upToByte byte: Int) -> Int? {
        guard index[container].isContainer else { return nil }
        let keys = index[container].kind == .object ? 1 : 0
        var found: Int?
        var child = container + 2 + keys
        while child < index.end(of: container), offset(of: child) <= byte {
            found = child
            child = index.next(after: child) + keys
        }
        return found
    }

    /// The byte behind a value that has no other inside.
    private func endOfBytes(of place: Int) -> Int {
        let entry = index[place]
        switch entry.kind {
        case .plainString, .escapedString: return entry.offset + textLength(of: entry) + 1
        case .array, .object:
            var end = entry.offset + 1
            while end < byteCount, Byte.isSpace(bytes[end]) { end += 1 }
            return end + 1
        default: return entry.offset + numberLength(of: entry)
        }
    }
}
