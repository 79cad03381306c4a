/// Finds the coding path to a position in an index; created only on demand.
///
/// One pass over the index finds the container of each value. The last path is cached, since adjacent values share most
/// of their paths.
struct PathTrail {
    /// The container of each entry; for a container's second word, ``secondWord``.
    private var parents: [UInt32]
    /// The index of each value in an array; for a container's second word, the end of the container in bytes.
    private var numbers: [UInt32]
    /// The values on the last path, and the key of each.
    private var steps: [Int] = []
    private var path: [any CodingKey] = []
    /// The number of containers entered so far, which is the cost of all paths.
    private(set) var levelCount = 0

    private static let secondWord = UInt32.max

    /// - Returns: `nil` if there is no memory for it.
    init?(of session: DecodingSession) {
        let count = session.index.count
        guard (try? HeapRoom.check(2 * count, of: UInt32.self)) != nil else { return nil }
        parents = Array(repeating: 0, count: count)
        numbers = parents
        var containers: [Int] = []
        var place = 0
        while place < count {
            if let container = containers.last {
                parents[place] = UInt32(truncatingIfNeeded: container)
                // While a container is open, its second word counts elements.
                numbers[place] = numbers[container + 1]
                numbers[container + 1] += 1
            }
            if session.index[place].isContainer {
                parents[place + 1] = Self.secondWord
                containers.append(place)
                place += 2
            } else {
                place += 1
            }
            close(&containers, upTo: place, session)
        }
    }

    /// Sets the ends of all containers that have no more entries.
    private mutating func close(_ containers: inout [Int], upTo place: Int, _ session: DecodingSession) {
        guard let inner = containers.last, session.index.end(of: inner) == place else { return }
        var byte = inner == place - 2 ? session.index[inner].offset + 1 : session.end(ofScalar: place - 1)
        while let container = containers.last, session.index.end(of: container) == place {
            // Only white space is between them.
            while byte < session.byteCount, Byte.isSpace(session.bytes[byte]) { byte += 1 }
            byte += 1
            numbers[container + 1] = UInt32(truncatingIfNeeded: byte)
            containers.removeLast()
        }
    }

    /// The keys and indices that lead to a value.
    mutating func path(to place: Int, in session: DecodingSession) -> [any CodingKey] {
        while let last = steps.last, place < last || place >= session.index.next(after: last) {
            steps.removeLast()
            path.removeLast()
        }
        let known = steps.count
        var value = place
        while value != steps.prefix(known).last ?? 0 {
            steps.append(value)
            value = Int(parents[value])
        }
        steps[known...].reverse()
        for value in steps[known...] { path.append(key(of: value, in: session)) }
        levelCount += steps.count - known
        return path
    }

    private func key(of value: Int, in session: DecodingSession) -> any CodingKey {
        let isMember = session.index[Int(parents[value])].kind == .object
        return isMember ? JSONCodingKey(session.text(ofKeyAt: value - 1)) : JSONCodingKey(Int(numbers[value]))
    }

    /// Discards the keys of an object, which were converted, and the rest of the path.
    mutating func forgetKeys(of object: Int) {
        guard let depth = steps.lastIndex(where: { Int(parents[$0]) == object }) else { return }
        steps.removeSubrange(depth...)
        path.removeSubrange(depth...)
    }

    /// The innermost value that begins at a byte or before it.
    func place(ofByte byte: Int, in session: DecodingSession) -> Int {
        var (found, end) = (0, parents.count)
        while true {
            var middle = found + (end - found) / 2
            if middle < end, parents[middle] == Self.secondWord { middle -= 1 }
            if middle == found { middle += session.index[found].isContainer ? 2 : 1 }
            guard middle < end else { break }
            if session.offset(of: middle) <= byte { found = middle } else { end = middle }
        }
        return session.index[found].isKey ? Int(parents[found]) : found
    }

    /// The value that begins at a byte, and its end; `nil` if none begins there.
    func value(atByte byte: Int, in session: DecodingSession) -> (place: Int, end: Int)? {
        let place = place(ofByte: byte, in: session)
        guard session.offset(of: place) == byte else { return nil }
        return (place, session.index[place].isContainer ? Int(numbers[place + 1]) : session.end(ofScalar: place))
    }
}
