extension JSONReader {
    /// Goes past a value, which is checked as any other.
    ///
    /// - Throws: What shows that the document isn't JSON.
    public mutating func skip() throws {
        guard place < end else { throw fault(.unexpectedEnd) }
        // Calls inside of calls, as many as containers may be inside of each other.
        switch place.pointee {
        case Byte.openBrace:
            guard try beginObject() else { return }
            repeat {
                try skipKey()
                try skip()
            } while try nextMember()
        case Byte.openBracket:
            guard try beginArray() else { return }
            repeat { try skip() } while try nextElement()
        default:
            try skipScalar()
        }
    }

    /// Goes back to where a value begins, and past it.
    @usableFromInline
    mutating func skip(from start: UnsafePointer<UInt8>, _ depth: Int) throws {
        place = start
        depthLeft = depth
        try skip()
    }

    /// Goes past a member's value that failed, if the object has its key again behind it.
    ///
    /// Where the last value of each key begins is found when the first value of an object fails.
    @usableFromInline
    @inline(never)
    mutating func skipRepeated(
        _ key: String,
        from start: UnsafePointer<UInt8>,
        _ depth: Int,
        _ lastMembers: inout [String: Int]?,
        _ error: any Error,
    ) throws {
        if error is JSONSyntaxError { throw error }
        goBack(to: start, depth)
        // Where the rest isn't JSON, the first error is told.
        let found = lastMembers ?? (try? members(from: key)) ?? [:]
        lastMembers = found
        guard let last = found[key], last > start - context.bytes else { throw error }
        try skip(from: start, depth)
    }

    /// The keys of the object from the reader's value on, and where the last value of each begins.
    private mutating func members(from first: String) throws -> [String: Int] {
        var key = first
        var places: [String: Int] = [:]
        while true {
            places[key] = offset
            try skip()
            guard try nextMember() else { return places }
            key = try readKey()
        }
    }

    @inline(__always)
    private mutating func skipScalar() throws {
        switch place.pointee {
        case Byte.quote:
            _ = try text()
        case Byte.minus, Byte.zero...Byte.nine:
            place = try checked { a, b throws(TextScan.Fault) in try NumberScan.number(from: a, to: b).end }
        default:
            place = try checked { a, b throws(TextScan.Fault) in try WordScan.word(from: a, to: b).1 }
        }
    }

    /// Goes past a text.
    @inline(__always)
    mutating func text() throws -> TextScan.Found {
        let found = try checked { a, b throws(TextScan.Fault) in try TextScan.text(from: a + 1, to: b) }
        place = found.end + 1
        return found
    }
}
