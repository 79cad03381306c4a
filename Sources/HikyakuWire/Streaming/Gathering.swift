#if os(Linux)
/// When a connection that carries a large body waits for many bytes at once, rather than for each that come.
///
/// To read a piece and to wake its reader costs as much as to copy 100 KiB. So where reads follow each other within
/// ``quick`` for a while, the system is asked to tell of ``bytesMin`` bytes, and the loop looks by itself after
/// ``delayMax``, so that a server that falls silent delays nothing for longer.
struct Gathering {
    /// What is waited for: 256 KiB.
    static let bytesMin = 256 * 1024
    /// How long bytes may lie there: 2 ms in nanoseconds; the loop's clock may be behind by 4 ms more.
    static let delayMax: Int64 = 2_000_000
    private static let readsMin = 8

    /// Reads that are no further apart count as quick: 1 ms in nanoseconds, but for tests on a busy machine.
    private let quick: Int64
    private(set) var isOn = false
    private var quickReads = 0
    private var lastRead: Int64 = 0

    init(quick: Int64 = 1_000_000) {
        self.quick = quick
    }

    /// Notes that all was read that had come.
    ///
    /// - Parameters:
    ///   - now: The present instant.
    ///   - bytesLeft: How many bytes of the body are still to come.
    /// - Returns: Whether ``isOn`` has changed.
    mutating func note(_ now: Int64, bytesLeft: Int) -> Bool {
        let wasOn = isOn
        quickReads = now - lastRead < (isOn ? Self.delayMax : quick) ? quickReads + 1 : 0
        lastRead = now
        isOn = bytesLeft >= Self.bytesMin && (isOn ? quickReads > 0 : quickReads >= Self.readsMin)
        return isOn != wasOn
    }

    /// Ends it where nothing was read for ``delayMax``, or at the end of the body.
    ///
    /// - Returns: Whether it was on, and has ended.
    mutating func end(at now: Int64, isOver: Bool = false) -> Bool {
        guard isOn, isOver || now - lastRead >= Self.delayMax else { return false }
        (isOn, quickReads) = (false, 0)
        return true
    }
}
#endif
