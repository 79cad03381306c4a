#if os(Linux)
/// The frames of the client that the socket has not taken yet, on one HTTP/2 connection.
///
/// It counts the bytes since the connection began: those that were added, and those that were written. With these
/// counts it reports when a part of a request was written, and it holds requests' bodies back while there is too much
/// to write. It is a value that never calls nghttp2: the session adds what nghttp2 makes.
struct HTTP2Output {
    /// A position in the output at which a part of a request ends.
    private struct Mark {
        let position: Int
        let stream: Int32
        let bodyBytes: Int
        let isWhole: Bool
    }

    /// How many bytes of header blocks and resets may wait besides the bodies before the connection takes no request.
    private static let chokedBytes = 1024 * 1024

    /// From this number of bytes to write on, no body is added.
    private let bytesMax: Int
    private var bytes: [UInt8] = []
    /// The index of the first byte that is not written.
    private var start = 0
    /// Streams whose bodies wait for the output to be written.
    private var stalled: Set<Int32> = []
    private(set) var addedBytes = 0
    private(set) var writtenBytes = 0
    private var marks: [Mark] = []
    private var markIndex = 0

    init(_ limits: HTTP2Limits) {
        bytesMax = limits.outputBytesMax
    }

    var isEmpty: Bool { start == bytes.count }
    private var count: Int { bytes.count - start }
    private var isFull: Bool { count >= bytesMax }

    /// Whether so much has to be written that the server no longer reads.
    var isChoked: Bool { count > bytesMax + Self.chokedBytes }

    // MARK: - Adding

    /// Drops the written bytes if they are more than the others, before frames are added.
    mutating func makeRoom() {
        guard start > bytes.count / 2 else { return }
        bytes.removeFirst(start)
        start = 0
    }

    mutating func add(_ frame: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: frame)
        addedBytes += frame.count
    }

    /// Notes that a frame of a request was added.
    mutating func noteAdded(_ stream: Int32, bodyBytes: Int, isWhole: Bool) {
        marks.append(Mark(position: addedBytes, stream: stream, bodyBytes: bodyBytes, isWhole: isWhole))
    }

    /// Whether there is no room for a request's body; if so, the stream continues when there is room.
    mutating func stall(_ id: Int32) -> Bool {
        if isFull { stalled.insert(id) }
        return isFull
    }

    /// The streams that waited for room and now continue.
    mutating func takeStalled() -> Set<Int32> {
        guard !isFull, !stalled.isEmpty else { return [] }
        defer { stalled = [] }
        return stalled
    }

    // MARK: - Writing

    /// Passes the bytes that are to be written to a closure, which must not change the output.
    func withPending<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Notes how many of the pending bytes were written.
    mutating func wrote(_ count: Int) {
        let end = min(start + count, bytes.count)
        writtenBytes += end - start
        start = end
        guard isEmpty else { return }
        // A large buffer is not kept.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 16 * 1024)
        start = 0
    }

    /// The event of the next part of a request that is written; `nil` if there is none.
    mutating func nextWritten() -> HTTP2Event? {
        guard markIndex < marks.count else {
            marks.removeAll(keepingCapacity: true)
            markIndex = 0
            return nil
        }
        let mark = marks[markIndex]
        guard mark.position <= writtenBytes else { return nil }
        markIndex += 1
        return .sent(mark.stream, bodyBytes: mark.bodyBytes, isWhole: mark.isWhole)
    }
}
#endif
