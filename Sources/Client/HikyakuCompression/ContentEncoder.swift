#if os(Linux)
import CZlib
import CZstd
package import FoundationEssentials
package import HikyakuHTTP

/// Encodes one body in a content coding, piece by piece.
///
/// The coded body is the output of ``encode(_:)`` for each piece, which may be empty, and that of ``finish()``. The
/// former is at most a little larger than its input, so small pieces need little memory. The same pieces always have
/// the same output. It is not thread-safe.
package final class ContentEncoder {
    /// The codings that can be encoded.
    package enum Format: Sendable {
        case gzip
        case zstd
    }

    private let layer: any EncodingLayer
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    /// Makes an encoder.
    ///
    /// - Parameter format: The coding.
    /// - Throws: ``TransportError`` with ``FailureReason/outOfMemory``.
    package init(_ format: Format) throws(TransportError) {
        switch format {
        case .gzip: layer = try GzipEncodingLayer()
        case .zstd: layer = try ZstdEncodingLayer()
        }
    }

    deinit {
        scratch.deallocate()
    }

    /// Encodes a piece, and returns what is complete by then.
    package func encode(_ piece: Data) throws(TransportError) -> Data {
        // `Data.withUnsafeBytes` does not keep the type of the error.
        let result = piece.withUnsafeBytes { bytes in
            Result { () throws(TransportError) in try run(bytes, isLast: false) }
        }
        return try result.get()
    }

    /// Returns the rest of the coded body, after which nothing may be encoded.
    package func finish() throws(TransportError) -> Data {
        try run(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    }

    private func run(_ input: UnsafeRawBufferPointer, isLast: Bool) throws(TransportError) -> Data {
        var output = Data()
        var rest = input
        while true {
            let step = try layer.encode(rest, into: scratch, isLast: isLast)
            if step.produced > 0 { output.append(contentsOf: scratch[..<step.produced]) }
            rest = UnsafeRawBufferPointer(rebasing: rest[step.consumed...])
            if step.isDone { return output }
        }
    }
}

/// An encoder for one coding, implemented with a C library.
private protocol EncodingLayer: AnyObject {
    /// Encodes as much of the input as fits into the output.
    ///
    /// - Returns: How many bytes were consumed and produced, and whether all of the input, and the end if it is the
    ///   last one, is in the output or kept in the encoder.
    func encode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        isLast: Bool,
    ) throws(TransportError) -> (consumed: Int, produced: Int, isDone: Bool)
}

extension TransportError {
    fileprivate static let noMemoryForEncoding = CodingCause.memory.error(
        "there is not enough memory to compress the body"
    )
}

/// gzip by zlib, with its default level and without a time or a name, so that the output depends only on the input.
private final class GzipEncodingLayer: EncodingLayer {
    // zlib's internal state points back to it, so its address must not change.
    private let stream: UnsafeMutablePointer<z_stream>

    init() throws(TransportError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Adding 16 selects gzip.
        let code = deflateInit2_(
            stream,
            Z_DEFAULT_COMPRESSION,
            Z_DEFLATED,
            16 + MAX_WBITS,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size),
        )
        guard code == Z_OK else { throw .noMemoryForEncoding }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func encode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        isLast: Bool,
    ) throws(TransportError) -> (consumed: Int, produced: Int, isDone: Bool) {
        let given = uInt(clamping: input.count)
        let room = uInt(clamping: output.count)
        // zlib only reads the input, although the pointer's type is mutable.
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
            .assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = given
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = room
        let code = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
        guard code == Z_OK || code == Z_BUF_ERROR || code == Z_STREAM_END else { throw .noMemoryForEncoding }
        let consumed = Int(given - stream.pointee.avail_in)
        // A full output may hide more of it.
        let isDone = isLast ? code == Z_STREAM_END : consumed == input.count && stream.pointee.avail_out > 0
        return (consumed, Int(room - stream.pointee.avail_out), isDone)
    }
}

/// One frame by libzstd, with its default level, whose windows have less than the 8 MiB of RFC 9659.
private final class ZstdEncodingLayer: EncodingLayer {
    private let context: OpaquePointer

    init() throws(TransportError) {
        guard let context = ZSTD_createCCtx() else { throw .noMemoryForEncoding }
        self.context = context
    }

    deinit {
        ZSTD_freeCCtx(context)
    }

    func encode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        isLast: Bool,
    ) throws(TransportError) -> (consumed: Int, produced: Int, isDone: Bool) {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let left = ZSTD_compressStream2(context, &target, &source, isLast ? ZSTD_e_end : ZSTD_e_continue)
        guard ZSTD_isError(left) == 0 else { throw .noMemoryForEncoding }
        let isDone = isLast ? left == 0 : source.pos == source.size && target.pos < target.size
        return (source.pos, target.pos, isDone)
    }
}
#endif
