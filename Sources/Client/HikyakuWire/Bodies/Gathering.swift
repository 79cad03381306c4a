#if os(Linux)
/// Decides when a connection with a large body waits for many bytes at once.
///
/// Reading a piece and waking its reader costs as much as copying 100 KiB. So if several reads follow each other within
/// ``quick``, the system reports only ``bytesMin`` bytes or more. The loop reads without an event after ``delayMax``,
/// so that bytes before a pause of the server are not delayed for longer.
struct Gathering {
    /// How many bytes the system waits for: 256 KiB.
    static let bytesMin = 256 * 1024
    /// How long bytes may wait: 2 ms in nanoseconds; the loop's clock may be behind by 4 ms more.
    static let delayMax: Int64 = 2_000_000
    private static let readsMin = 8

    /// The longest time between quick reads: 1 ms in nanoseconds, except in tests on a busy machine.
    private let quick: Int64
    private(set) var isOn = false
    private var quickReads = 0
    private var lastRead: Int64 = 0

    init(quick: Int64 = 1_000_000) {
        self.quick = quick
    }

    /// Notes that all received bytes were read.
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

    /// Ends it if nothing was read for ``delayMax``, or at the end of the body.
    ///
    /// - Returns: Whether it was on, and has ended.
    mutating func end(at now: Int64, isOver: Bool = false) -> Bool {
        guard isOn, isOver || now - lastRead >= Self.delayMax else { return false }
        (isOn, quickReads) = (false, 0)
        return true
    }
}
#endif
