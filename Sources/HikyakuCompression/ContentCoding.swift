#if os(Linux)
import FoundationEssentials
package import HikyakuHTTP

/// A content coding that can be undone here.
///
/// [RFC 9110, section 8.4.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1)
package enum ContentCoding: String, Sendable, CaseIterable {
    // In the order of `Accept-Encoding`. `deflate` comes last, since servers mean two different things by it.

    /// Frames of RFC 8878, one after the other, with windows of at most 8 MiB, as RFC 9659 says.
    case zstd
    /// A stream of RFC 7932, with windows of at most 16 MiB, as that says.
    case brotli = "br"
    /// Members of RFC 1952, one after the other, and nothing behind the last: no padding either, which RFC 1952 doesn't
    /// know.
    case gzip
    /// The zlib format of RFC 1950, as RFC 9110 says, or bare deflate of RFC 1951, as many servers have it.
    case deflate

    /// The coding of a name, which is compared without regard to case; `nil` for one that isn't known.
    package init?(name: String) {
        let name = name.asciiLowercased
        // `x-gzip` is the name from before the standard (section 8.4.1.3).
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// What `Accept-Encoding` says to get any of them; none has a weight, so that the server takes what is best for it.
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
    /// The body with its content codings undone as it is read.
    ///
    /// The stream throws what ``ContentDecoder/next()`` does, and looks for cancellation between its pieces.
    ///
    /// - Parameters:
    ///   - codings: In the order in which they were applied.
    ///   - ratioMax: How many bytes may come out for each that went in.
    ///   - mayBeEmpty: Whether a body without a byte means an empty one, rather than for one that was cut off.
    /// - Returns: A stream that is read once.
    /// - Throws: `TransportError` when there is no memory.
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
/// `@unchecked`: the compiler can't see that the state is touched only by `next`, which isn't called twice at once.
private final class DecodedSource: BodySource, @unchecked Sendable {
    /// The most that is fed before cancellation is looked for again: what comes out of it may be nothing.
    private static let fedBytesMax = 256 * 1024

    private let decoder: ContentDecoder
    /// Keeps no source: that is its reader's.
    private let coded: HTTPBody
    /// Gone when the coded body is over, or was found to be no good.
    private var body: HTTPBody.AsyncIterator?
    private var waiting = Data()
    /// Whether the coded body may end where it stands, without a byte.
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
            // That closes what it comes from.
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

    /// The source goes with its reader, and what it reads from goes with the source.
    func cancel() {}
}
#endif
