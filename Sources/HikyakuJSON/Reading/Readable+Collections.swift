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
        if reader.collectsFailures {
            var elements: [Element] = []
            try reader.readArrayCollecting { elements.append(try Element(from: &$0)) }
            self = elements
            return
        }
        guard try reader.beginArray() else {
            self.init()
            return
        }
        let room = Swift.max(1, 256 / Swift.max(1, MemoryLayout<Element>.stride))
        self = try withUnsafeTemporaryAllocation(of: Element.self, capacity: room) { buffer in
            var elements = ReadElements(buffer)
            do {
                repeat {
                    if elements.isFull { try elements.grow(for: reader.expectedCount(after: elements.count)) }
                    // Read to where it stays: handed over, it would be copied.
                    elements.next.initialize(to: try Element(from: &reader))
                    elements.count += 1
                } while try reader.nextElement()
            } catch {
                elements.destroy()
                throw error
            }
            return try elements.finish()
        }
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
