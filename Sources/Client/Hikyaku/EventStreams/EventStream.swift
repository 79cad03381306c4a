import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The events of one connection, read one by one as they arrive.
///
/// ```swift
/// for try await event in try await client.send(Shop.Prices()) { show(event) }
/// ```
/// It is what `send` returns for an ``EventStreamRequest``. It can be read once. The next piece of the body is
/// requested after all events of the previous one were read, so that a slow reader slows the service down. Dropping the
/// stream, or cancelling the task that reads it, closes the connection.
///
/// The stream ends when the service closes it, or with the ``EventStreamRequest/terminator``. It does not connect
/// again: ``BoundRequest/eventStream(after:)`` does.
public struct EventStream<Event: Sendable>: AsyncSequence, Sendable {
    typealias Read = @Sendable (ServerSentEvent) throws -> Event?

    private let body: HTTPBody
    private let parser: EventStreamParser
    private let terminator: EventStreamTerminator?
    private let read: Read
    private var convert: ErrorConversion?

    /// Creates a stream of events, for stubs and tests.
    ///
    /// ```swift
    /// let preview = client.stubbing(Shop.Prices.self) { _ in EventStream([Price(dishID: 1, yen: 600)]) }
    /// ```
    public init(_ events: [Event]) {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        for event in events { continuation.yield(event) }
        continuation.finish()
        self.init(stream)
    }

    /// Creates a stream of events that come by and by, for stubs and tests; it ends, or fails, as they do.
    public init<Events: AsyncSequence & Sendable>(_ events: Events) where Events.Element == Event {
        // Each piece announces one event, and the next one is pulled when that was read.
        let latest = Lock<Event?>(nil)
        let pieces = events.map { event in
            latest.withLock { $0 = event }
            return Data("data: .\n\n".utf8)
        }
        self.init(HTTPBody(pieces)) { _ in latest.withLock { $0 } }
    }

    /// Creates a stream of a body in the format of event streams.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - parser: Reads the body, with its limits.
    ///   - terminator: The event that ends the stream; `nil` if only the end of the body does.
    ///   - read: Reads an event; `nil` skips it.
    package init(
        _ body: HTTPBody,
        parser: EventStreamParser = EventStreamParser(),
        terminator: EventStreamTerminator? = nil,
        read: @escaping @Sendable (ServerSentEvent) throws -> Event?,
    ) {
        (self.body, self.parser, self.terminator, self.read) = (body, parser, terminator, read)
    }

    /// Creates an iterator that reads the stream.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            reader: EventReader(body, parser: parser, terminator: terminator),
            read: read,
            convert: convert,
        )
    }

    /// The same stream, whose errors are those of a call.
    func throwing(_ convert: ErrorConversion?) -> EventStream {
        var stream = self
        stream.convert = convert
        return stream
    }

    /// Requests pieces as needed, and reads an event when it is requested.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate(set) var reader: EventReader
        fileprivate let read: Read
        fileprivate let convert: ErrorConversion?

        /// The id of the last event that was complete; empty if there is none.
        public var lastEventID: String { reader.lastEventID }

        /// Returns the next event.
        ///
        /// - Returns: The event; `nil` at the end and after an error.
        /// - Throws: The ``APIError`` of the call: for a failed body, an event that can't be read or is too large
        ///   (``FailureReason/eventTooLarge``), the service's failure in an event, and a stream that ended before its
        ///   terminator (``FailureReason/truncatedResponse``). A stream that no call has returned throws the
        ///   ``TransportError`` or the error of reading an event itself.
        public mutating func next() async throws -> Event? {
            do { return try await take() } catch { throw convert?(error) ?? (error as? EventError)?.error ?? error }
        }

        private mutating func take() async throws -> Event? {
            while let event = try await reader.next() {
                do {
                    if let value = try read(event) { return value }
                } catch {
                    reader.end()
                    throw error
                }
            }
            if reader.isTruncated {
                reader.end()
                throw EventStreamCause.streamEnded.error("the service closed the event stream before its last event")
            }
            return nil
        }
    }
}

/// Reads the events of one body.
struct EventReader {
    private var parser: EventStreamParser
    private let terminator: EventStreamTerminator?
    /// `nil` after the end, so that the connection is closed or free.
    private var body: HTTPBody.AsyncIterator?
    /// Whether the terminator was received.
    private(set) var isTerminated = false
    /// Whether an event was received, also one that the request skips.
    private(set) var hasEvent = false
    private var isOver = false
    private var hasBegun = false
    /// What came of a body that is not an event stream, by its first byte.
    private var foreign: Data?

    init(_ body: HTTPBody, parser: EventStreamParser, terminator: EventStreamTerminator?) {
        self.body = body.makeAsyncIterator()
        self.parser = parser
        self.terminator = terminator
    }

    var lastEventID: String { parser.lastEventID }
    var retry: Duration? { parser.retry }
    /// Whether the service closed the stream before the terminator.
    var isTruncated: Bool { terminator?.isRequired == true && !isTerminated && !isOver }

    /// Ends the stream, and closes its connection.
    mutating func end() {
        (body, isOver) = (nil, true)
    }

    /// The next event; `nil` at the end.
    mutating func next() async throws -> ServerSentEvent? {
        guard body != nil else { return nil }
        do {
            while true {
                if let event = try parser.next() {
                    guard terminator?.matches(event) != true else {
                        (isTerminated, body) = (true, nil)
                        return nil
                    }
                    hasEvent = true
                    return event
                }
                guard let piece = try await body?.next() else { break }
                note(piece)
                parser.feed(piece)
            }
            if let event = try parser.finish(), terminator?.matches(event) != true {
                hasEvent = true
                return event
            }
        } catch {
            end()
            throw error
        }
        body = nil
        // A stream may end without an error when its task is cancelled.
        if CallCancellation.isCancelled {
            end()
            throw CancellationError()
        }
        if let foreign, !hasEvent {
            end()
            var error = EventStreamCause.notEventStream.error("the body has no event, and is of another kind")
            error.response = HTTPResponse(status: .ok, body: HTTPBody(foreign))
            error.response?.isBodyCut = foreign.count == TransportError.keptBytesMax
            throw error
        }
        return nil
    }
}

extension EventReader {
    /// Keeps the beginning of a document in place of events, such as an error that a service sends under their type.
    ///
    /// No field of an event stream begins like JSON or a page, so that all of it would be skipped.
    private mutating func note(_ piece: Data) {
        if !hasBegun, !parser.readsLines, let first = piece.first(where: { $0 > 0x20 && !Self.mark.contains($0) }) {
            hasBegun = true
            if Self.foreignBytes.contains(first) { foreign = Data() }
        }
        guard let kept = foreign?.count, !hasEvent else { return }
        foreign?.append(piece.prefix(TransportError.keptBytesMax - kept))
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let foreignBytes = [UInt8](#"{["<"#.utf8)
}

/// The event that says that the stream is complete, such as `data: [DONE]`.
///
/// ```swift
/// struct Answer: EventStreamRequest {
///     typealias Event = Chat.Delta
///     var environment: APIEnvironment { .shop }
///     var path: RequestPath { "/chat" }
///     var terminator: EventStreamTerminator? { .data("[DONE]") }
/// }
/// ```
public struct EventStreamTerminator: Sendable, Hashable {
    private enum Kind: Hashable {
        case data(String)
        case name(String)
    }

    private let kind: Kind
    /// Whether a stream that the service closes before it is an error.
    let isRequired: Bool

    /// An event with exactly this data, whatever its name.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - isRequired: Whether a stream that the service closes before it has broken off
    ///     (``FailureReason/truncatedResponse``); `false` for a service that leaves it out at times.
    /// - Returns: The terminator.
    public static func data(_ data: String, isRequired: Bool = true) -> EventStreamTerminator {
        EventStreamTerminator(kind: .data(data), isRequired: isRequired)
    }

    /// An event with this name, whatever its data.
    ///
    /// By the standard, `event: done` without a line of data is not an event, and so ends nothing.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - isRequired: As for ``data(_:isRequired:)``.
    /// - Returns: The terminator.
    public static func event(named name: String, isRequired: Bool = true) -> EventStreamTerminator {
        EventStreamTerminator(kind: .name(name), isRequired: isRequired)
    }

    func matches(_ event: ServerSentEvent) -> Bool {
        switch kind {
        case .data(let data): event.data.utf8.elementsEqual(data.utf8)
        case .name(let name): event.name.utf8.elementsEqual(name.utf8)
        }
    }
}
