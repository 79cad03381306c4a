import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The source of a streamed body.
///
/// `next` is called again only after the previous call has returned. `cancel` means that the body is no longer read. It
/// may be called at any time, from any thread, also after the end and more than once; a waiting `next` then ends soon.
package protocol BodySource: AnyObject, Sendable {
    /// The next piece; `nil` at the end, and for each later call.
    func next() async throws -> Data?
    func cancel()
    /// The fields that came after the body, known once `next` has returned `nil`.
    var trailers: HTTPHeaders { get }
}

extension BodySource {
    /// Most bodies have none.
    package var trailers: HTTPHeaders { [:] }
}

/// A body that is read piece by piece, either once or any number of times.
package final class BodyStream: Sendable {
    package let count: Int?
    package let isReplayable: Bool
    /// The bodies that it consists of; `nil` for another stream.
    let segments: [HTTPBody]?
    /// Makes errors those of a call.
    let convert: (@Sendable (any Error) -> any Error)?
    private let makeSource: (@Sendable () -> any BodySource)?
    private let state: Lock<State>

    private struct State: Sendable {
        var hasBegun = false
        /// A source that exists before its reader.
        var source: (any BodySource)?
        var trailers: HTTPHeaders = [:]
    }

    /// - Parameters:
    ///   - source: A source that exists already; it is cancelled if the stream is dropped unread.
    ///   - count: The size in bytes, if it is known.
    ///   - isReplayable: Whether each source gives the same bytes.
    ///   - segments: The bodies that it consists of; `nil` for another stream.
    ///   - makeSource: Makes the source when the stream is read, if there is none yet.
    ///   - convert: Makes errors those of a call.
    init(
        _ source: (any BodySource)? = nil,
        count: Int?,
        isReplayable: Bool = false,
        segments: [HTTPBody]? = nil,
        makeSource: (@Sendable () -> any BodySource)? = nil,
        convert: (@Sendable (any Error) -> any Error)? = nil,
    ) {
        (self.count, self.isReplayable, self.segments, self.convert) = (count, isReplayable, segments, convert)
        self.makeSource = makeSource
        state = Lock(State(source: source))
    }

    deinit {
        state.withLock { $0.source }?.cancel()
    }

    func begin() throws(TransportError) -> BodyReader {
        let (isAgain, source) = state.withLock { state in
            defer { (state.hasBegun, state.source) = (true, nil) }
            return (state.hasBegun, state.source)
        }
        guard isReplayable || !isAgain, let source = source ?? makeSource?() else {
            throw HTTPCause.bodyConsumed.error("a one-shot body stream was read a second time")
        }
        return BodyReader(source, count: count, of: self)
    }

    /// Whether it can still be read: it is replayable, or nothing has begun to read it.
    var canBegin: Bool { isReplayable || state.withLock { !$0.hasBegun } }

    /// The fields that came after the body; empty until a reader has reached its end.
    var trailers: HTTPHeaders { state.withLock(\.trailers) }

    fileprivate func keep(_ trailers: HTTPHeaders) {
        state.withLock { $0.trailers = trailers }
    }
}

/// Reads one source to its end, checks that it has the declared length, and cancels it when the reader is freed.
final class BodyReader {
    private let source: any BodySource
    private let count: Int?
    /// The stream that keeps the trailers.
    private let stream: BodyStream?
    private var position = 0

    init(_ source: any BodySource, count: Int?, of stream: BodyStream? = nil) {
        self.source = source
        self.count = count
        self.stream = stream
    }

    deinit {
        source.cancel()
    }

    func next() async throws -> Data? {
        while let piece = try await source.next() {
            position += piece.count
            if let count, position > count {
                throw HTTPCause.bodyLength.error("the body has more than the \(count) bytes of its declared length")
            }
            if !piece.isEmpty { return piece }
        }
        if let count, position < count {
            throw HTTPCause.bodyLength.error("the body ended after \(position) of \(count) bytes")
        }
        if let stream, case let trailers = source.trailers, !trailers.isEmpty { stream.keep(trailers) }
        return nil
    }
}

/// Reads a user's sequence.
///
/// `@unchecked`: the compiler can't see that only `next` uses the iterator, and that it isn't called twice at once.
/// It can go when a body's source is read by one owner that the compiler knows.
final class SequenceSource<Iterator: AsyncIteratorProtocol>: BodySource, @unchecked Sendable
where Iterator.Element == Data {
    private var iterator: Iterator

    init(_ iterator: Iterator) {
        self.iterator = iterator
    }

    func next() async throws -> Data? { try await iterator.next() }
    /// Does nothing: the sequence ends with its iterator, or by the cancellation of the task that reads.
    func cancel() {}
}
