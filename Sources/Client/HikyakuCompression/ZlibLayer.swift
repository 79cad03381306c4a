#if os(Linux)
import CZlib
import HikyakuHTTP

/// Decodes gzip, zlib and raw deflate with zlib, which verifies headers, trailers and checksums.
final class ZlibLayer: CodingLayer {
    enum Format {
        case gzip
        case deflate
    }

    private enum State {
        /// The format of `deflate` is not known until its first two bytes; the value is the first, if it was received.
        case undecided(UInt8?)
        case running
        case ended
    }

    private let format: Format
    // zlib's internal state points back to it, so its address must not change.
    private let stream: UnsafeMutablePointer<z_stream>
    private var state: State

    init(_ format: Format) throws(TransportError) {
        self.format = format
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Adding 16 selects gzip only. `deflate` is reset when its format is known.
        let bits = format == .gzip ? 16 + MAX_WBITS : MAX_WBITS
        state = format == .gzip ? .running : .undecided(nil)
        let code = inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw .noMemoryForCoding() }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    var isComplete: Bool {
        if case .ended = state { true } else { false }
    }

    func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
    ) throws(TransportError) -> CodingProgress {
        switch state {
        case .undecided(let first):
            return try begin(first, input, into: output)
        case .ended:
            // Zeros after the end are the padding of a block device, which gzip(1) skips too.
            let padding = format == .gzip ? input.prefix { $0 == 0 }.count : 0
            guard let next = input.dropFirst(padding).first else { return CodingProgress(consumed: padding) }
            guard format == .gzip, padding == 0, next == 0x1F else {
                throw .malformedCoding("there are bytes after the end of the \(format) body")
            }
            // Another gzip member.
            try check(inflateReset(stream))
            state = .running
            return try inflate(input, into: output)
        case .running:
            return try inflate(input, into: output)
        }
    }

    /// Distinguishes zlib from raw deflate by the first two bytes, and begins to decode.
    ///
    /// No encoder's raw deflate begins like zlib: it would be a stored block with padding that isn't zero.
    private func begin(
        _ held: UInt8?,
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
    ) throws(TransportError) -> CodingProgress {
        guard let first = held ?? input.first else { return CodingProgress() }
        guard let second = input.dropFirst(held == nil ? 1 : 0).first else {
            state = .undecided(first)
            return CodingProgress(consumed: input.count)
        }
        let isWrapped = first & 0x0F == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
        try check(inflateReset2(stream, isWrapped ? MAX_WBITS : -MAX_WBITS))
        state = .running
        if held != nil {
            // One byte never produces output.
            _ = try withUnsafeBytes(of: first) { bytes throws(TransportError) in try inflate(bytes, into: output) }
        }
        return try inflate(input, into: output)
    }

    private func inflate(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
    ) throws(TransportError) -> CodingProgress {
        let given = uInt(clamping: input.count)
        let room = uInt(clamping: output.count)
        // zlib only reads the input, although the pointer's type is mutable.
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
            .assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = given
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = room
        try check(CZlib.inflate(stream, Z_NO_FLUSH))
        return CodingProgress(
            consumed: Int(given - stream.pointee.avail_in),
            produced: Int(room - stream.pointee.avail_out),
        )
    }

    private func check(_ code: Int32) throws(TransportError) {
        switch code {
        case Z_OK, Z_BUF_ERROR: return
        case Z_STREAM_END: state = .ended
        case Z_MEM_ERROR: throw .noMemoryForCoding()
        case Z_NEED_DICT: throw .malformedCoding("the \(format) body needs a dictionary")
        default:
            let message = stream.pointee.msg.map { String(cString: $0) } ?? "error \(code)"
            throw .malformedCoding("the \(format) body is damaged: \(message)")
        }
    }
}
#endif
