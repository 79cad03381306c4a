#if os(Linux)
import HikyakuHTTP

/// Checks the frames of a server for violations that nghttp2 does not report.
///
/// These are floods, pushed responses, endless or interrupted header blocks, frames that are too large, and frames
/// after the end of their stream.
///
/// Each frame costs one credit, and a frame with a part of a response earns it back. Credit is also added with time,
/// with requests, and with the bytes sent of their bodies, which servers acknowledge by WINDOW_UPDATE and PING. So the
/// number of useful frames is unlimited, and a server that floods the client with useless frames is disconnected.
struct HTTP2FrameWatch {
    enum Violation: Equatable {
        case flood(type: UInt8)
        case pushPromise
        /// The frame is larger than 16 KiB, the default limit.
        case frameSize
        /// Another frame came instead of the next part of the header block.
        case interruptedBlock
        /// The stream had ended.
        case closedStream
        /// The header block of a stream is too large, or comes in too many frames.
        case headerBlock(stream: Int32)
    }

    private enum FrameType {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let resetStream: UInt8 = 3
        static let pushPromise: UInt8 = 5
        static let continuation: UInt8 = 9
    }

    /// How many ended streams are remembered.
    private static let endedMax = 64
    static let headerCount = 9

    private let limits: HTTP2Limits
    private var credit: Int
    private var refilled: Int64?
    /// The received part of the frame's header, without the last byte of the stream's number.
    private var header: UInt64 = 0
    private var streamByte: UInt64 = 0
    /// How many bytes of an incomplete frame header were received.
    private(set) var headerBytes = 0
    private var payloadLeft = 0
    /// The stream whose header block isn't over.
    private var openBlock: Int32?
    private var blockBytes = 0
    private var continuations = 0
    private var ended: [Int32] = []
    private var endedIndex = 0

    init(_ limits: HTTP2Limits) {
        self.limits = limits
        credit = limits.idleFramesMax
    }

    /// Adds credit for something useful.
    mutating func add(_ amount: Int) {
        credit = min(limits.idleFramesMax, credit + min(max(amount, 0), limits.idleFramesMax))
    }

    /// Adds the credit for the time that has passed.
    ///
    /// - Parameter now: The present instant in nanoseconds.
    mutating func refill(at now: Int64) {
        guard let refilled, credit < limits.idleFramesMax else { return refilled = now }
        guard now > refilled else { return }
        let milliseconds = Int(min((now - refilled) / 1_000_000, 1_000_000))
        let amount = milliseconds * min(limits.idleFramesPerSecond, 1_000_000) / 1000
        guard amount > 0 else { return }
        add(amount)
        self.refilled = now
    }

    /// Checks the next bytes of the connection, up to the end of a frame.
    ///
    /// - Returns: How many of them may be read, and the violation of the frame after them.
    mutating func next(in bytes: UnsafeRawBufferPointer) -> (Int, Violation?) {
        var position = 0
        if payloadLeft == 0 {
            while headerBytes < Self.headerCount, position < bytes.count {
                if headerBytes < 8 { header = header << 8 | UInt64(bytes[position]) }
                streamByte = UInt64(bytes[position])
                headerBytes += 1
                position += 1
            }
            guard headerBytes == Self.headerCount else { return (position, nil) }
            if let violation = readHeader() { return (0, violation) }
        }
        let count = min(payloadLeft, bytes.count - position)
        payloadLeft -= count
        return (position + count, nil)
    }

    private mutating func readHeader() -> Violation? {
        let length = Int(header >> 40)
        let type = UInt8(truncatingIfNeeded: header >> 32)
        let flags = UInt8(truncatingIfNeeded: header >> 24)
        let stream = Int32(truncatingIfNeeded: (header & 0x7F_FFFF) << 8 | streamByte)
        (header, headerBytes, payloadLeft) = (0, 0, length)
        if length > 16_384 { return .frameSize }
        credit -= 1
        if credit < 0 { return .flood(type: type) }
        if let openBlock, type != FrameType.continuation || stream != openBlock { return .interruptedBlock }
        switch type {
        case FrameType.pushPromise:
            return .pushPromise
        case FrameType.data, FrameType.headers:
            if ended.contains(stream) { return .closedStream }
            if flags & 1 != 0 { end(stream) }
            guard type == FrameType.headers else { return nil }
            (blockBytes, continuations) = (0, 0)
            return readBlock(length, stream, flags)
        case FrameType.continuation:
            continuations += 1
            return readBlock(length, stream, flags)
        case FrameType.resetStream:
            end(stream)
            return nil
        default:
            return nil
        }
    }

    private mutating func readBlock(_ length: Int, _ stream: Int32, _ flags: UInt8) -> Violation? {
        openBlock = flags & 4 == 0 ? stream : nil
        blockBytes += length
        let isTooLarge = blockBytes > limits.headerBytesMax || continuations > limits.continuationsMax
        return isTooLarge ? .headerBlock(stream: stream) : nil
    }

    private mutating func end(_ stream: Int32) {
        guard ended.count == Self.endedMax else { return ended.append(stream) }
        ended[endedIndex] = stream
        endedIndex = (endedIndex + 1) % Self.endedMax
    }
}

extension HTTP2FrameWatch.Violation {
    static func name(ofType type: UInt8) -> String {
        let names = [
            "DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE",
            "CONTINUATION",
        ]
        return type < names.count ? names[Int(type)] : "unknown"
    }

    /// The text of the connection's error, and the code that is sent to the server.
    ///
    /// 1 is PROTOCOL_ERROR, 5 STREAM_CLOSED, 6 FRAME_SIZE_ERROR and 11 ENHANCE_YOUR_CALM (RFC 9113, section 7).
    var meaning: (text: String, code: UInt32) {
        switch self {
        case .flood(let type): ("the server sends too many useless frames: \(Self.name(ofType: type))", 11)
        case .pushPromise: ("the server pushed a response, which the client's settings forbid", 1)
        case .frameSize: ("the server sent a frame that is larger than allowed", 6)
        case .interruptedBlock: ("the server sent another frame inside a header block", 1)
        case .closedStream: ("the server sent a frame after the end of its stream", 5)
        case .headerBlock: ("the server sent a header block that is larger than the limit", 11)
        }
    }
}
#endif
