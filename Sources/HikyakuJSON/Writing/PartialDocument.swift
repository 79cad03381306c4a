/// A document that isn't complete yet, as the writer has left it; looked at only to say where an error happened.
///
/// What was passed isn't passed again, so that errors that somebody passes over don't cost the document each. Who takes
/// bytes back has to say so, and does that only at places where a value, a member or what is between them begins.
final class PartialDocument {
    private struct Container {
        let start: Int
        let isArray: Bool
        /// Where the comma before the current element or member stands; `nil` for the first one.
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

    /// The keys and indices that lead to the end, before which a comma may belong that isn't written yet.
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

    /// Forgets what stands behind a place, which at most begins the current element or member of each open container.
    func truncate(to count: Int) {
        guard count < place else { return }
        place = count
        while let last = containers.last, last.start >= count { containers.removeLast() }
        guard var container = containers.popLast() else { return }
        if let comma = container.comma, comma >= count {
            // What comes next is a comma again.
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

    /// Passes a text and its quotation marks, which is the key of a member that has none yet.
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
