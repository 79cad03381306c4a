/// Parses an incomplete document, only for the coding paths of errors.
///
/// No byte is parsed twice, so that ignored errors don't take quadratic time. Truncations of the bytes must be
/// reported, and happen only before a value, a member or a separator.
final class PartialDocument {
    private var walk: DocumentWalk

    init(from start: Int) {
        walk = DocumentWalk(from: start)
    }

    /// The keys and indices that lead to the end, or to the next element or member.
    func path(to end: Int, in bytes: UnsafeBufferPointer<UInt8>, isBeforeNext: Bool) -> [any CodingKey] {
        walk.bytes = bytes
        walk.advance(to: end)
        return walk.codingPath(isBeforeNext: isBeforeNext)
    }

    /// Discards the state after a length, at most back to the beginning of each container's current element or member.
    func truncate(to count: Int) {
        walk.goBack(to: count)
    }
}
