#if os(Linux)
import FoundationEssentials
import HikyakuBase
import HikyakuHTTP

/// Sends one request piece by piece, as the connection takes it.
///
/// States: head (with a small body) → body in memory, or pieces of a stream → sent. A request with an expectation
/// stops after its head, until ``goAhead()``. It writes through a closure, so that it needs no socket and never
/// waits. The owner of the exchange's connection uses it.
struct RequestSender {
    enum Progress: Equatable {
        /// All of the request is out.
        case sent
        /// The connection takes no more for now.
        case blocked
        /// The connection may take more, but ``turnBytesMax`` were written: others get their turn.
        case more
        /// The body's source has nothing for now, and reports when it has.
        case starved
        /// The head is out, and the body is held back.
        case held
        /// The body's source failed; it has the error.
        case sourceFailed
        case failed(IOFault)
    }

    /// How much ``advance(readsStream:_:)`` writes at most, plus one piece.
    static let turnBytesMax = 1024 * 1024
    /// Bodies up to this size go out in one piece with the head.
    static let smallBodyBytesMax = 32 * 1024
    /// How much of a stream is read before it is written: at first, and at most for a fast source, since writing one
    /// large piece costs much less than writing many small ones.
    private static let pieceBytes = (first: 64 * 1024, max: 512 * 1024)
    /// Pieces of these sizes are written as they are, unless they are framed as chunks: a copy would cost more than the
    /// calls that it saves.
    private static let wholePieceBytes = 64 * 1024...512 * 1024

    /// Room before a piece for the size of its chunk.
    private static let sizeBytes = 10

    /// The head, with a small body after it.
    private var head: [UInt8]
    private var headCount: Int
    private var position = 0
    /// A larger body that is in memory.
    private let data: Data
    private var dataPosition = 0
    let upload: UploadStream?
    private let isChunked: Bool
    /// Whether the request says that its connection ends with it.
    let closesConnection: Bool
    /// Whether nothing comes after the head and a body in memory.
    private let isEmpty: Bool
    private let expectsContinue: Bool
    /// Whether the body must not be sent, since the server has not agreed to it.
    private(set) var isHeld: Bool
    /// A piece of the stream with its framing, and the range of it that is not sent yet.
    private var piece: [UInt8] = []
    private var pending = 0..<0
    /// A large piece that is written as it is; `pending` is the range of it that is not sent yet.
    private var whole: Data?
    private var pieceBodyBytes = 0
    private var pieceBytes = Self.pieceBytes.first
    private var isStreamOver: Bool
    /// How many bytes of the body were written, without their framing.
    private(set) var bodyBytesSent = 0
    private(set) var isSent = false
    /// How many bytes were written in all.
    private(set) var bytesSent = 0

    /// - Parameters:
    ///   - head: The request's lines.
    ///   - body: What follows.
    ///   - upload: The body where it is a stream.
    init(_ head: consuming RequestHead, body: Data, upload: UploadStream?) {
        headCount = head.bytes.count
        isChunked = head.framing == .chunked
        closesConnection = head.closesConnection
        (expectsContinue, isHeld) = (head.expectsContinue, head.expectsContinue)
        let isSmall = body.count <= Self.smallBodyBytesMax && !head.expectsContinue
        if isSmall, !body.isEmpty { head.append(body) }
        self.head = head.bytes
        data = isSmall ? Data() : body
        self.upload = upload
        isEmpty = upload == nil || head.framing == .length(0)
        isStreamOver = isEmpty
    }

    /// Rewrites the request for a proxy that forwards it; called before anything is sent.
    ///
    /// - Parameters:
    ///   - target: The request target in absolute form (RFC 9112, section 3.2.2).
    ///   - authorization: The value of `Proxy-Authorization`, which is added unless the request has one.
    mutating func forward(to target: String, authorization: String?) {
        guard let start = head.firstIndex(of: 0x20), let end = head[(start + 1)...].firstIndex(of: 0x20),
            let lineEnd = head.firstIndex(of: 0x0A)
        else { return }
        let count = head.count
        if let authorization, !hasField("\nproxy-authorization:") {
            head.insert(contentsOf: "Proxy-Authorization: \(authorization)\r\n".utf8, at: lineEnd + 1)
        }
        head.replaceSubrange((start + 1)..<end, with: target.utf8)
        headCount += head.count - count
    }

    /// Whether a field's name, in lower case between the line's start and its colon, is in the head.
    private func hasField(_ name: StaticString) -> Bool {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return head[..<headCount].indices.contains { index in
            head[index] == 0x0A && index + name.count <= headCount
                && zip(head[index...], name).allSatisfy { ASCII.lowercased($0) == $1 }
        }
    }

    /// Whether the request is one piece, which a connection usually takes at once.
    var isSmall: Bool { data.isEmpty && upload == nil }

    /// Whether any byte of the request was written.
    var hasBegun: Bool { bytesSent > 0 }

    /// Whether the request waits only for the source of its body.
    var isStarved: Bool { !isSent && position == head.count && pending.isEmpty && upload?.isStarved == true }

    /// Begins again, for another connection; `false` if the body can't be read again.
    mutating func restart() -> Bool {
        guard upload?.restart() ?? true else { return false }
        (position, dataPosition, pending, bodyBytesSent) = (0, 0, 0..<0, 0)
        whole = nil
        (isStreamOver, isSent, bytesSent) = (isEmpty, false, 0)
        isHeld = expectsContinue
        return true
    }

    /// Lets the body be sent: the server has agreed to it, or has not answered for too long.
    mutating func goAhead() {
        isHeld = false
    }

    /// Sends as much as is available and the connection takes.
    ///
    /// - Parameters:
    ///   - readsStream: Whether a streamed body may be read, after the head.
    ///   - write: Writes bytes.
    /// - Returns: Why it stopped.
    mutating func advance(readsStream: Bool, _ write: (UnsafeRawBufferPointer) -> Sent) -> Progress {
        let end = bytesSent + Self.turnBytesMax
        while bytesSent < end {
            let sent: Sent
            if position < head.count {
                sent = head.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[position...])) }
            } else if isHeld {
                return .held
            } else if dataPosition < data.count {
                sent = data.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[dataPosition...])) }
            } else if !pending.isEmpty {
                sent = withPending(write)
            } else if isStreamOver {
                isSent = true
                return .sent
            } else if readsStream {
                if let progress = fill() { return progress }
                continue
            } else {
                return .starved
            }
            switch sent {
            case .bytes(let count): note(count)
            case .blocked: return .blocked
            case .failed(let fault): return .failed(fault)
            }
        }
        return .more
    }

    private mutating func note(_ count: Int) {
        bytesSent += count
        if position < head.count {
            bodyBytesSent += max(position + count - headCount, 0) - max(position - headCount, 0)
            position += count
        } else if dataPosition < data.count {
            dataPosition += count
            bodyBytesSent += count
        } else {
            pending = min(pending.lowerBound + count, pending.upperBound)..<pending.upperBound
            guard pending.isEmpty else { return }
            bodyBytesSent += pieceBodyBytes
            whole = nil
        }
    }

    private func withPending(_ write: (UnsafeRawBufferPointer) -> Sent) -> Sent {
        if let whole { return whole.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[pending])) } }
        return piece.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[pending])) }
    }

    /// Reads the next piece of the stream; `nil` when it can go on.
    private mutating func fill() -> Progress? {
        guard let upload else { return .sourceFailed }
        if piece.count < Self.sizeBytes + pieceBytes + 2 {
            piece = [UInt8](repeating: 0, count: Self.sizeBytes + pieceBytes + 2)
        }
        let answer = piece.withUnsafeMutableBytes { room in
            upload.read(
                into: UnsafeMutableRawBufferPointer(rebasing: room[Self.sizeBytes..<(room.count - 2)]),
                orWhole: isChunked ? nil : Self.wholePieceBytes,
            )
        }
        switch answer {
        case .pause: return .starved
        case .failure: return .sourceFailed
        case .bytes(let count):
            pieceBodyBytes = count
            if count == pieceBytes { pieceBytes = min(pieceBytes * 2, Self.pieceBytes.max) }
            pending = Self.sizeBytes..<(Self.sizeBytes + count)
            if isChunked { frame(count) }
        case .piece(let data):
            (whole, pieceBodyBytes, pending) = (data, data.count, 0..<data.count)
        case .end:
            isStreamOver = true
            pieceBodyBytes = 0
            guard isChunked else { return nil }
            piece.replaceSubrange(..<5, with: "0\r\n\r\n".utf8)
            pending = 0..<5
        }
        return nil
    }

    /// Writes the size before the piece, and a line break at its end (RFC 9112, section 7.1).
    private mutating func frame(_ count: Int) {
        var start = Self.sizeBytes - 2
        var left = count
        repeat {
            start -= 1
            let digit = UInt8(left & 0xF)
            piece[start] = digit < 10 ? digit + 0x30 : digit + 0x57
            left >>= 4
        } while left > 0 && start > 0
        let end = Self.sizeBytes + count
        (piece[Self.sizeBytes - 2], piece[Self.sizeBytes - 1]) = (0x0D, 0x0A)
        (piece[end], piece[end + 1]) = (0x0D, 0x0A)
        pending = start..<(end + 2)
    }
}
#endif
