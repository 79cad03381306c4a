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
