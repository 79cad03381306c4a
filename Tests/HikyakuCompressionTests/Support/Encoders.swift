#if os(Linux)
import CBrotliEncoder
import CZlib
import CZstd
import Foundation
import HikyakuCompression
import Testing

enum Checksum {
    static func crc32(_ data: Data) -> UInt {
        CZlib.crc32(0, [UInt8](data), UInt32(data.count))
    }
}

/// The libraries' own encoders, which make what the tests undo.
enum Encoders {
    enum Wrapping: Int32, CaseIterable {
        case gzip = 31
        case zlib = 15
        case raw = -15
    }

    /// One stream of zlib's.
    static func deflated(_ pieces: some Sequence<Data>, _ wrapping: Wrapping, level: Int32 = 6) throws -> Data {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        let size = Int32(MemoryLayout<z_stream>.size)
        let code = deflateInit2_(
            stream,
            level,
            Z_DEFLATED,
            wrapping.rawValue,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            size,
        )
        try #require(code == Z_OK)
        defer { deflateEnd(stream) }
        var encoded = Data()
        for piece in pieces { try run(stream, piece, Z_NO_FLUSH, into: &encoded) }
        try run(stream, Data(), Z_FINISH, into: &encoded)
        return encoded
    }

    private static func run(
        _ stream: UnsafeMutablePointer<z_stream>,
        _ piece: Data,
        _ flush: Int32,
        into encoded: inout Data,
    ) throws {
        var input = [UInt8](piece)
        var output = [UInt8](repeating: 0, count: 64 * 1024)
        try input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                try output.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    try #require(deflate(stream, flush) != Z_STREAM_ERROR)
                }
                encoded.append(contentsOf: output.prefix(output.count - Int(stream.pointee.avail_out)))
            } while stream.pointee.avail_out == 0
        }
    }

    static func gzip(_ data: Data, level: Int32 = 6) throws -> Data {
        try deflated([data], .gzip, level: level)
    }

    static func brotli(_ data: Data, quality: Int32 = 5) throws -> Data {
        var count = BrotliEncoderMaxCompressedSize(data.count) + 64
        var encoded = [UInt8](repeating: 0, count: count)
        let succeeded = BrotliEncoderCompress(
            quality,
            22,
            BROTLI_MODE_GENERIC,
            data.count,
            [UInt8](data),
            &count,
            &encoded,
        )
        try #require(succeeded == BROTLI_TRUE)
        return Data(encoded.prefix(count))
    }

    /// A frame with a checksum.
    static func zstd(_ data: Data, level: Int32 = 3, windowExponent: Int32 = 0, hasSize: Bool = true) throws -> Data {
        let context = try #require(ZSTD_createCCtx())
        defer { ZSTD_freeCCtx(context) }
        for (parameter, value) in [
            (ZSTD_c_compressionLevel, level), (ZSTD_c_checksumFlag, 1), (ZSTD_c_windowLog, windowExponent),
            (ZSTD_c_contentSizeFlag, hasSize ? 1 : 0),
        ] {
            try #require(ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value)) == 0)
        }
        var encoded = [UInt8](repeating: 0, count: ZSTD_compressBound(data.count))
        let count = ZSTD_compress2(context, &encoded, encoded.count, [UInt8](data), data.count)
        try #require(ZSTD_isError(count) == 0)
        return Data(encoded.prefix(count))
    }

    static func encode(_ data: Data, _ coding: ContentCoding) throws -> Data {
        switch coding {
        case .gzip: try gzip(data)
        case .deflate: try deflated([data], .zlib)
        case .brotli: try brotli(data)
        case .zstd: try zstd(data)
        }
    }
}
#endif
