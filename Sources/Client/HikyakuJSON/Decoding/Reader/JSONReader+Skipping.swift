extension JSONReader {
    // MARK: Passing over values

    /// Containers of this length or longer are passed over only once.
    private static let longLength = 512

    /// Skips a value, after the same syntax check as for any other value.
    ///
    /// - Throws: A syntax error if the document is not JSON.
    public mutating func skip() throws { try passValue() }

    /// Goes back to the beginning of a value and skips it.
    @usableFromInline
    mutating func skip(from start: UnsafePointer<UInt8>, _ depth: Int) throws {
        place = start
        depthLeft = depth
        try skip()
    }

    @inline(__always)
    mutating func passValue() throws {
        guard place < end else { throw fault(.unexpectedEnd) }
        let byte = place.pointee
        if byte == Byte.quote {
            let stop = TextScan.firstStop(from: place + 1, to: end)
            if stop < end, stop.pointee == Byte.quote { place = stop + 1 } else { _ = try text() }
        } else if byte == Byte.openBrace || byte == Byte.openBracket {
            try passContainer()
        } else {
            try passScalar()
        }
    }

    @inline(never)
    private mutating func passScalar() throws {
        switch place.pointee {
        case Byte.minus, Byte.zero...Byte.nine:
            place = try checked { a, b throws(TextScan.Fault) in try NumberScan.number(from: a, to: b).end }
        default:
            place = try checked { a, b throws(TextScan.Fault) in try WordScan.word(from: a, to: b).1 }
        }
    }

    /// Skips an object or array that may be read later.
    ///
    /// Its own members may be searched for, too. So that nested objects take no quadratic time, the ends of long ones
    /// are kept. The recursion is limited by the nesting depth.
    @inline(never)
    private mutating func passContainer() throws {
        let start = offset
        if !passedEnds.isEmpty, let known = passedEnds[start] {
            place = context.bytes + known
            return
        }
        if place.pointee == Byte.openBrace {
            if try beginMembers() {
                repeat {
                    try skipKey()
                    try passValue()
                } while try nextMember()
            }
        } else if try beginArray() {
            repeat { try passValue() } while try nextElement()
        }
        if offset - start >= Self.longLength { passedEnds[start] = offset }
    }

    /// Skips any key and its colon.
    private mutating func skipKey() throws {
        guard place < end, place.pointee == Byte.quote else { throw fault(.noKey) }
        _ = try text()
        try skipColon()
    }
}
