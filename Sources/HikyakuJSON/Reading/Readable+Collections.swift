extension Optional: JSONReadable where Wrapped: JSONReadable {
    /// Reads a value or `null`.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        self = try reader.readNull() ? nil : Wrapped(from: &reader)
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// Reads an array.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        self.init()
        if reader.collectsFailures {
            try reader.readArrayCollecting { append(try Element(from: &$0)) }
            return
        }
        guard try reader.beginArray() else { return }
        repeat {
            if count == capacity { try reader.makeRoom(in: &self) }
            append(try Element(from: &reader))
        } while try reader.nextElement()
    }
}

extension JSONReader {
    /// Makes room for twice as many elements, or for those that are expected, but not for more than eight times as many.
    @inlinable
    @inline(never)
    func makeRoom<Element>(in elements: inout [Element]) throws {
        let count = elements.count
        guard count > 0 else { return }
        let room = max(4, count * 2, min(expectedCount(after: count), count * 8))
        try HeapRoom.check(room, of: Element.self)
        elements.reserveCapacity(room)
    }
}

extension Set: JSONReadable where Element: JSONReadable {
    /// Reads an array; equal elements are one.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        self.init()
        guard try reader.beginArray() else { return }
        repeat { insert(try Element(from: &reader)) } while try reader.nextElement()
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    /// Reads an object whose keys are left as they are; of equal keys the last one wins, whatever stands at the others.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        self.init()
        guard try reader.beginObject() else { return }
        var lastMembers: [String: Int]?
        repeat {
            let key = try reader.readKey()
            let (start, depth) = (reader.place, reader.depthLeft)
            do {
                self[key] = try Value(from: &reader)
            } catch {
                try reader.skipRepeated(key, from: start, depth, &lastMembers, error)
            }
        } while try reader.nextMember()
    }
}
