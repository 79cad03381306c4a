#if os(Linux)
import HikyakuHTTP

/// What undoes one coding, over a library of C.
protocol CodingLayer: AnyObject {
    /// Whether what was taken so far is a whole body: a coded one may end here.
    var isComplete: Bool { get }

    /// Takes what it can of the input and gives what fits into the output, in time that is bounded by the two.
    ///
    /// Where the output was filled, more may come without further input.
    func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
    ) throws(TransportError) -> CodingProgress
}

/// How far one step of decoding came, in bytes.
struct CodingProgress {
    var consumed = 0
    var produced = 0
}

extension TransportError {
    static func malformedCoding(_ message: String) -> TransportError {
        TransportError(.malformedContentCoding, message)
    }

    static func noMemoryForCoding() -> TransportError {
        TransportError(.transportFailed, "the system gives no memory to undo a content coding")
    }
}
#endif
