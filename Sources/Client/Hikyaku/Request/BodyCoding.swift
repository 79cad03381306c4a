import HikyakuCompression

#if canImport(Compression)
import Compression
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A content coding in which a request's body can be sent: ``RequestBody/compressed(_:)``.
///
/// ```swift
/// struct SendReadings: Shop.Request {
///     typealias Definition = EmptyResponse
///     var readings: [Double]
///     var method: HTTPMethod { .post }
///     var path: RequestPath { "/readings" }
///     var body: RequestBody? { .json(readings).compressed(.gzip) }
/// }
/// ```
/// [RFC 9110, section 8.4](https://www.rfc-editor.org/rfc/rfc9110#section-8.4)
public struct BodyCoding: Sendable, Hashable {
    /// The name in `Content-Encoding`.
    let name: String

    /// gzip (RFC 1952), which nearly all services that accept a compressed body support.
    public static let gzip = BodyCoding(name: "gzip")
    #if os(Linux)
    /// Zstandard (RFC 8878), only on Linux.
    ///
    /// It is smaller than gzip in less time, and fewer services accept it.
    public static let zstd = BodyCoding(name: "zstd")
    #endif
}

extension BodyCoding: CustomStringConvertible {
    /// The name in `Content-Encoding`.
    public var description: String { name }
}

extension RequestBody {
    /// The same body, compressed while it is sent, with its `Content-Encoding`.
    ///
    /// ```swift
    /// struct SendReadings: Shop.Request {
    ///     typealias Definition = EmptyResponse
    ///     var readings: [Double]
    ///     var method: HTTPMethod { .post }
    ///     var path: RequestPath { "/readings" }
    ///     var body: RequestBody? { .json(readings).compressed(.gzip) }
    /// }
    /// ```
    /// Use it only for a service that documents it: unlike a response, a request's coding is not negotiated, and a
    /// service that doesn't support it usually answers 415 (RFC 9110, section 15.5.16). It pays for text from about
    /// 1 KB on: JSON and CSV usually shrink to a tenth or a fifth. It costs time and saves nothing for what is
    /// compressed already, such as photos, videos and archives.
    ///
    /// A body in memory of at most 1 MiB is compressed before the call begins, so that its length is known. If it does
    /// not get smaller, it is sent as it is. Any other body is compressed piece by piece, with a bounded amount of
    /// memory, and without a known length: over HTTP/1.1 it is sent in chunks. It can be sent again if the body can be
    /// read again, and then has the same bytes. A signature, a digest and the progress of the call count the compressed
    /// bytes.
    ///
    /// - Parameter coding: The coding.
    /// - Returns: The compressed body. If there is not enough memory to compress it, the call fails with
    ///   ``FailureReason/outOfMemory``.
    public func compressed(_ coding: BodyCoding) -> RequestBody {
        var body = self
        body.codings.append(coding)
        return body
    }
}

extension HTTPBody {
    /// A body in memory up to this size is compressed at once.
    private static let codedAtOnceBytesMax = 1024 * 1024

    /// The body in a content coding; `nil` if it would not get smaller.
    func coded(by coding: BodyCoding) throws(TransportError) -> HTTPBody? {
        guard let bytes, bytes.count <= Self.codedAtOnceBytesMax else {
            return HTTPBody(CodedPieces(body: self, coding: coding), isReplayable: isReplayable)
        }
        let encoder = try coding.makeEncoder()
        var coded = try encoder.encode(bytes)
        coded.append(try encoder.finish())
        return coded.count < bytes.count ? HTTPBody(coded) : nil
    }
}

/// The pieces of a body in a content coding.
private struct CodedPieces: AsyncSequence, Sendable {
    /// How many bytes are encoded at a time: all blocks but the last have this size, so that the output depends only on
    /// the bytes, and not on the pieces in which they come.
    private static let blockBytes = 128 * 1024

    let body: HTTPBody
    let coding: BodyCoding

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var body: HTTPBody.AsyncIterator?
        fileprivate let coding: BodyCoding
        fileprivate var encoder: BodyEncoder?
        /// What was read and is not encoded yet.
        fileprivate var waiting = Data()

        mutating func next() async throws -> Data? {
            let encoder = try encoder ?? coding.makeEncoder()
            self.encoder = encoder
            while body != nil {
                while waiting.count < CodedPieces.blockBytes, let piece = try await body?.next() {
                    if waiting.isEmpty { waiting = piece } else { waiting.append(piece) }
                }
                let block = waiting.prefix(CodedPieces.blockBytes)
                waiting = waiting.dropFirst(block.count)
                var coded = block.isEmpty ? Data() : try encoder.encode(block)
                if block.count < CodedPieces.blockBytes {
                    body = nil
                    coded.append(try encoder.finish())
                }
                if !coded.isEmpty { return coded }
                // A body that compresses well produces no output for a while.
                try Task.checkCancellation()
            }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body.makeAsyncIterator(), coding: coding) }
}

#if canImport(Compression)
extension BodyCoding {
    fileprivate func makeEncoder() throws(TransportError) -> BodyEncoder { try BodyEncoder() }
}

/// Encodes gzip: the system's filter makes the deflated part (RFC 1951), and this adds the header and the trailer.
private final class BodyEncoder {
    private let filter: OutputFilter
    private let sink: Sink
    private var checksum = GzipChecksum()

    /// What the filter has written.
    private final class Sink {
        /// Begins with the header: no time, no name, an unknown system (RFC 1952, section 2.3).
        var bytes = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])

        func take() -> Data {
            defer { bytes = Data() }
            return bytes
        }
    }

    init() throws(TransportError) {
        let sink = Sink()
        self.sink = sink
        do {
            filter = try OutputFilter(.compress, using: .zlib) { data in
                if let data { sink.bytes.append(data) }
            }
        } catch {
            throw ResponseCause.memory.error("the body can't be compressed", underlyingError: error)
        }
    }

    func encode(_ piece: Data) throws(TransportError) -> Data {
        checksum.add(piece)
        do { try filter.write(piece) } catch {
            throw ResponseCause.memory.error("the body can't be compressed", underlyingError: error)
        }
        return sink.take()
    }

    func finish() throws(TransportError) -> Data {
        do { try filter.finalize() } catch {
            throw ResponseCause.memory.error("the body can't be compressed", underlyingError: error)
        }
        return sink.take() + checksum.trailer
    }
}
#else
private typealias BodyEncoder = ContentEncoder

extension BodyCoding {
    fileprivate func makeEncoder() throws(TransportError) -> BodyEncoder {
        try ContentEncoder(self == .zstd ? .zstd : .gzip)
    }
}
#endif
