#if os(Linux)
import CBrotli
import CZstd
import HikyakuHTTP

/// A decoder for one coding, implemented with a C library.
protocol CodingLayer: AnyObject {
    /// Whether the input so far is a complete body, so that the body may end here.
    var isComplete: Bool { get }

    /// Decodes as much of the input as fits into the output, in time that is limited by the sizes of both.
    ///
    /// If the output was filled, there may be more output without further input.
    func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
    ) throws(TransportError) -> CodingProgress
}

/// How many bytes one step of decoding consumed and produced.
struct CodingProgress {
    var consumed = 0
    var produced = 0
}

extension TransportError {
    static func malformedCoding(_ message: String) -> TransportError {
        CodingCause.damaged.error(message)
    }

    static func noMemoryForCoding() -> TransportError {
        CodingCause.memory.error("there is not enough memory to decode the content coding")
    }
}

/// Decodes one brotli stream with libbrotlidec; the format has no checksum.
final class BrotliLayer: CodingLayer {
    private let decoder: OpaquePointer
    private(set) var isComplete = false

    init() throws(TransportError) {
        guard let decoder = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .noMemoryForCoding() }
        self.decoder = decoder
    }

    deinit {
        BrotliDecoderDestroyInstance(decoder)
    }

    func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
    ) throws(TransportError) -> CodingProgress {
        guard !isComplete else {
            guard input.isEmpty else { throw .malformedCoding("there are bytes after the end of the br body") }
            return CodingProgress()
        }
        var inputLeft = input.count
        var nextInput = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var outputLeft = output.count
        var nextOutput = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = BrotliDecoderDecompressStream(decoder, &inputLeft, &nextInput, &outputLeft, &nextOutput, nil)
        switch result {
        case BROTLI_DECODER_RESULT_ERROR: throw error
        case BROTLI_DECODER_RESULT_SUCCESS: isComplete = true
        default: break
        }
        return CodingProgress(consumed: input.count - inputLeft, produced: output.count - outputLeft)
    }

    private var error: TransportError {
        let code = BrotliDecoderGetErrorCode(decoder)
        // The codes from -21 to -30 mean that there is not enough memory.
        if (-30 ... -21).contains(code.rawValue) { return .noMemoryForCoding() }
        let message = BrotliDecoderErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
        return .malformedCoding("the br body is damaged: \(message)")
    }
}

/// Decodes Zstandard frames with libzstd, which verifies the checksums of frames that have one.
final class ZstdLayer: CodingLayer {
    /// The largest window, 8 MiB, as an exponent of 2 (RFC 9659, section 3).
    private static let windowExponentMax: Int32 = 23

    private let decoder: OpaquePointer
    /// How many bytes of the frame's magic number were read; 0 between two frames.
    private var magicCount = 0
    private var magic: UInt32 = 0
    private(set) var isComplete = false

    init() throws(TransportError) {
        guard let decoder = ZSTD_createDCtx() else { throw .noMemoryForCoding() }
        self.decoder = decoder
        let code = ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, Self.windowExponentMax)
        guard ZSTD_isError(code) == 0 else { throw .noMemoryForCoding() }
    }

    deinit {
        ZSTD_freeDCtx(decoder)
    }

    func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
    ) throws(TransportError) -> CodingProgress {
        if magicCount == 0, input.isEmpty { return CodingProgress() }
        try checkMagic(input)
        isComplete = false
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let code = ZSTD_decompressStream(decoder, &target, &source)
        guard ZSTD_isError(code) == 0 else {
            throw .malformedCoding("the zstd body is damaged: \(String(cString: ZSTD_getErrorName(code)))")
        }
        if code == 0 {
            isComplete = true
            magicCount = 0
            magic = 0
        }
        return CodingProgress(consumed: source.pos, produced: target.pos)
    }

    /// Checks a frame's magic number byte by byte.
    ///
    /// libzstd may also support formats from before the standard, which do not respect the limit for windows.
    private func checkMagic(_ input: UnsafeRawBufferPointer) throws(TransportError) {
        for byte in input.prefix(4 - magicCount) {
            magic |= UInt32(byte) << (8 * UInt32(magicCount))
            magicCount += 1
            let mask = UInt32.max >> (8 * UInt32(4 - magicCount))
            // A frame, or one of the sixteen kinds of skippable frames.
            guard magic & mask == 0xFD2F_B528 & mask || (magic ^ 0x184D_2A50) & mask & ~0xF == 0 else {
                throw .malformedCoding("a zstd frame was expected")
            }
        }
    }
}
#endif
