/// Bytes that came in and are taken out in order.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0
    private var scanned = 0

    /// What is there and not yet taken.
    var count: Int { bytes.count - start }

    var first: UInt8? { count > 0 ? bytes[start] : nil }

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Takes up to and including the next line feed; `nil` until one has come.
    mutating func takeLine() -> [UInt8]? {
        guard let end = bytes[max(start, scanned)...].firstIndex(of: 0x0A) else {
            scanned = bytes.count
            return nil
        }
        return take(end + 1 - start)
    }

    /// Takes that many bytes, or all there are.
    mutating func take(_ countMax: Int) -> [UInt8] {
        let end = start + min(countMax, count)
        let taken = Array(bytes[start..<end])
        start = end
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        } else if start > 64 * 1024 {
            bytes.removeFirst(start)
            start = 0
        }
        scanned = 0
        return taken
    }
}
