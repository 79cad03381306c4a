#if os(Linux)
import FoundationEssentials
import HikyakuHTTP

extension HTTPBody {
    /// The body with its content codings undone as it is read.
    ///
    /// The stream throws what ``ContentDecoder/next()`` does, and looks for cancellation between its pieces.
    ///
    /// - Parameters:
    ///   - codings: In the order in which they were applied.
    ///   - ratioMax: How many bytes may come out for each that went in.
    ///   - mayBeEmpty: Whether a body without a byte stands for an empty one, rather than for one that was cut off.
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
