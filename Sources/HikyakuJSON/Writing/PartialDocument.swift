/// Parses an incomplete document, only for the coding paths of errors.
///
/// No byte is parsed twice, so that ignored errors don't take quadratic time. Truncations of the bytes must be
/// reported, and happen only before a value, a member or a separator.
final class PartialDocument {
    private struct Container {
        let start: Int
        let isArray: Bool
        /// The offset of the comma before the current element or member; `nil` for the first one.
        var comma: Int?
        var index = 0
        /// The current member's key, with its escapes.
        var key: Range<Int>?
    }

    private var place: Int
    private var containers: [Container] = []

    init(from start: Int) {
        place = start
    }

    /// The keys and indices that lead to the end, or to the next element or member.
    func path(to end: Int, in bytes: UnsafeBufferPointer<UInt8>, isBeforeNext: Bool) -> [any CodingKey] {
        advance(to: end, in: bytes)
        var path: [any CodingKey] = []
        path.reserveCapacity(containers.count)
        for (level, container) in containers.enumerated() {
            let isNext = isBeforeNext && level == containers.count - 1
            if container.isArray {
                path.append(JSONCodingKey(isNext ? container.index + 1 : container.index))
            } else if let key = container.key, !isNext {
                path.append(JSONCodingKey(EscapeScan.string(UnsafeBufferPointer(rebasing: bytes[key]))))
            }
        }
        return path
    }

    /// Discards the state after a length, at most back to the beginning of each container's current element or member.
    func truncate(to count: Int) {
        guard count < place else { return }
        place = count
        while let last = containers.last, last.start >= count { containers.removeLast() }
        guard var container = containers.popLast() else { return }
        if let comma = container.comma, comma >= count {
            // A comma follows again.
            container.comma = nil
            container.index -= 1
        } else if let key = container.key, key.lowerBound >= count {
            container.key = nil
        }
        containers.append(container)
    }

    private func advance(to end: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        while place < end {
            let byte = bytes[place]
            switch byte {
            case Byte.openBrace, Byte.openBracket:
                containers.append(Container(start: place, isArray: byte == Byte.openBracket))
            case Byte.closeBrace, Byte.closeBracket: _ = containers.popLast()
            case Byte.comma: passComma()
            case Byte.quote:
                passText(to: end, in: bytes)
                continue
            default: break
            }
            place += 1
        }
    }

    private func passComma() {
        guard var container = containers.popLast() else { return }
        container.comma = place
        container.index += 1
        container.key = nil
        containers.append(container)
    }

    /// Skips a string, which is the key of a member that has none yet.
    private func passText(to end: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        let start = place + 1
        place = start
        while place < end, bytes[place] != Byte.quote { place += bytes[place] == Byte.backslash ? 2 : 1 }
        if let container = containers.last, !container.isArray, container.key == nil {
            containers[containers.count - 1].key = start..<min(place, end)
        }
        place += 1
    }
}
