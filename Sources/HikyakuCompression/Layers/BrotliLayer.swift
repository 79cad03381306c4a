#if os(Linux)
import CBrotli
import HikyakuHTTP

/// One brotli stream, over libbrotlidec; the format has no checksum.
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
            guard input.isEmpty else { throw .malformedCoding("there are bytes behind the end of the br body") }
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
        // Those from -21 to -30 say that there is no memory.
        if (-30 ... -21).contains(code.rawValue) { return .noMemoryForCoding() }
        let message = BrotliDecoderErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
        return .malformedCoding("the br body is damaged: \(message)")
    }
}
#endif
