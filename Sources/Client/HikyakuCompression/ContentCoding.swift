#if os(Linux)
import FoundationEssentials
package import HikyakuHTTP

/// A supported content coding.
///
/// [RFC 9110, section 8.4.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1)
package enum ContentCoding: String, Sendable, CaseIterable {
    // The order is that of `Accept-Encoding`. `deflate` comes last, since servers use the name for two formats.

    /// Concatenated Zstandard frames (RFC 8878), with windows of at most 8 MiB (RFC 9659).
    case zstd
    /// One brotli stream (RFC 7932), with a window of at most 16 MiB, as the RFC specifies.
    case brotli = "br"
    /// Concatenated gzip members (RFC 1952); trailing bytes are an error.
    ///
    /// That includes padding, which RFC 1952 doesn't specify.
    case gzip
    /// The zlib format (RFC 1950), as RFC 9110 specifies, or raw deflate (RFC 1951), which many servers send.
    case deflate

    /// Finds a coding by its name, ignoring case; `nil` if it is not supported.
    package init?(name: String) {
        let name = name.asciiLowercased
        // `x-gzip` is the name from before the standard, and means `gzip` (section 8.4.1.3).
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// The value of `Accept-Encoding`, without weights, so that the server chooses.
    package static let acceptEncoding = allCases.map(\.rawValue).joined(separator: ", ")

    func makeLayer() throws(TransportError) -> any CodingLayer {
        switch self {
        case .gzip: try ZlibLayer(.gzip)
        case .deflate: try ZlibLayer(.deflate)
        case .brotli: try BrotliLayer()
        case .zstd: try ZstdLayer()
        }
    }
}

extension HTTPBody {
    /// The body, whose content codings are decoded as it is read.
    ///
    /// The stream throws the errors of ``ContentDecoder/next()``, and checks for cancellation between its pieces.
    ///
    /// - Parameters:
    ///   - codings: The codings in the order in which they were applied.
    ///   - ratioMax: How many decoded bytes are allowed for each coded byte.
    ///   - mayBeEmpty: Whether a coded body of zero bytes is an empty body; otherwise it was cut off.
    /// - Returns: A stream that can be read once.
    /// - Throws: `TransportError` if there is not enough memory.
    package func decoded(
        _ codings: [ContentCoding],
        ratioMax: Int,
        mayBeEmpty: Bool = false,
    ) throws(TransportError) -> HTTPBody {
        let decoder = try ContentDecoder(codings, ratioMax: ratioMax)
        return HTTPBody(pulling: DecodedSource(self, decoder, mayBeEmpty: mayBeEmpty))
    }
}

/// Reads another body and decodes it.
///
/// `@unchecked`: the compiler can't see that only `next` uses the state, and that `next` is not called concurrently.
/// It can go when a body's source is read by one owner that the compiler knows.
private final class DecodedSource: BodySource, @unchecked Sendable {
    /// How many bytes are fed before cancellation is checked again, since they may produce no output.
    private static let fedBytesMax = 256 * 1024

    private let decoder: ContentDecoder
    /// The coded body; it does not retain its source, which the iterator owns.
    private let coded: HTTPBody
    /// The iterator of the coded body; `nil` after its end or an error.
    private var body: HTTPBody.AsyncIterator?
    private var waiting = Data()
    /// Whether the coded body may end now: it is allowed to be empty, and no byte has been received.
    private var mayEndHere: Bool

    init(_ body: HTTPBody, _ decoder: ContentDecoder, mayBeEmpty: Bool) {
        self.decoder = decoder
        mayEndHere = mayBeEmpty
        coded = body
        self.body = body.makeAsyncIterator()
    }

    func next() async throws -> Data? {
        do {
            while true {
                try Task.checkCancellation()
                if let piece = try decoder.next() { return piece }
                guard body != nil else { return nil }
                try await feed()
            }
        } catch {
            // This closes the source of the coded body.
            body = nil
            throw error
        }
    }

    private func feed() async throws {
        if waiting.isEmpty {
            guard let piece = try await body?.next() else {
                body = nil
                return mayEndHere ? () : decoder.end()
            }
            mayEndHere = false
            waiting = piece
        }
        decoder.feed(waiting.prefix(Self.fedBytesMax))
        waiting = waiting.dropFirst(Self.fedBytesMax)
    }

    var trailers: HTTPHeaders { coded.trailers }

    /// Does nothing: this source is released with its reader, and the coded body's source with this one.
    func cancel() {}
}
#endif
