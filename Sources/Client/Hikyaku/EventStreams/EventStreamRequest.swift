import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request whose response is a stream of events (`text/event-stream`).
///
/// ```swift
/// struct Prices: EventStreamRequest {
///     typealias Event = Price          // Decodable: the data of each event is one
///     var environment: APIEnvironment { .shop }
///     var path: RequestPath { "/prices" }
/// }
/// for try await price in client.bind(Prices()).eventStream() { show(price) }
/// ```
/// `Event` is a `Decodable` type, an ``EventStreamEvent`` for events of several kinds, a ``ServerSentEvent`` for events
/// as they are, or anything that ``event(from:decoder:)`` makes. `send` returns the ``EventStream`` of one connection,
/// and ``BoundRequest/eventStream(after:)`` connects again when a connection is lost.
///
/// The ``APIRequest/timeout`` of a stream, or the client's, is that for the head of each response: the events that
/// follow have only an ``idleTimeout``. The client adds the fields `Accept: text/event-stream` and `Cache-Control:
/// no-cache`, as the HTML standard requires.
public protocol EventStreamRequest<Event>: APIRequest, EventStreamSpelling
where
    Definition == EventStreamResponse<Event>,
    Response == EventStream<Event>,
    _WrittenTerminator: _RequestTerminator,
    _WrittenReconnection: _RequestReconnection,
    _WrittenIdleTimeout: _RequestTimeout,
    _WrittenStreamTypes: _RequestStreamTypes
{
    /// The type of the events that the caller gets.
    associatedtype Event: Sendable

    /// The event that ends the stream. Default: `nil`, the stream ends when the service closes it.
    ///
    /// It isn't passed on. A stream that the service closes before it fails with
    /// ``FailureReason/truncatedResponse``, or is continued by another connection.
    var terminator: EventStreamTerminator? { get }
    /// How often and when the stream connects again. Default: ``RetryPolicy/eventStream``.
    ///
    /// It connects again only if the request is ``APIRequest/isIdempotent``, and its body can be read again.
    /// ``RetryPolicy/attemptsMax`` counts the connections in a row that brought no event. After a connection that has
    /// lasted for ``RetryPolicy/delayMax``, counting starts again. ``RetryPolicy/retryAfterMax`` also limits the time
    /// that the service requires by the field `retry`. If the budget is spent, the pause is at least half of
    /// ``RetryPolicy/delayMax``.
    var reconnection: RetryPolicy { get }
    /// The longest time without a byte, after which the stream connects again. Default: `nil`, the
    /// idle timeout of the client's options.
    ///
    /// A service that sends comments as heartbeats keeps the connection open.
    var idleTimeout: Duration? { get }
    /// The media types that are read as an event stream, in lower case. Default: `text/event-stream`, as the HTML
    /// standard requires; an empty set accepts any type, and none.
    ///
    /// A response of another type is read as the service's failure if it is one, and otherwise ends the call as
    /// ``FailureReason/notAnEventStream``, with the response.
    var streamTypes: Set<String> { get }
    /// Creates the parser of a connection, with its limits. Default: the limits of ``EventStreamParser``.
    ///
    /// A service that sends JSON Lines, and may close the connection at any time, is read by a parser that is
    /// `readingLines`: then each line is an event, and all else is as for an event stream. It needs ``streamTypes``,
    /// and usually a field `Accept`.
    ///
    /// - Parameter lastEventID: The id of the last event of the connection before.
    /// - Returns: The parser.
    func makeParser(lastEventID: String) -> EventStreamParser

    /// Reads an event. Default: decodes its data, or as ``EventStreamEvent`` says.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - decoder: The decoder of the request, or of the client.
    /// - Returns: `nil` to skip the event.
    /// - Throws: Anything; the stream ends with it as `.decoding`.
    func event(from event: ServerSentEvent, decoder: any ResponseDecoder) throws -> Event?

    /// The service's failure, if an event is one: the stream ends with it as ``APIError/service(_:_:)``. Default:
    /// `nil`.
    ///
    /// An event that can't be read, but is a `Failure` by the data alone, ends the stream in the same way without this
    /// function. Implement it if the events' type reads such an event too, or skips it:
    /// ```swift
    /// struct Answer: EventStreamRequest {
    ///     typealias Event = Chat.Delta
    ///     typealias Failure = ShopError
    ///     var environment: APIEnvironment { .shop }
    ///     var path: RequestPath { "/chat" }
    ///
    ///     func failure(in event: ServerSentEvent, decoder: any ResponseDecoder) -> ShopError? {
    ///         event.name == "error" ? try? event.decode(by: decoder) : nil
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - decoder: The decoder of the request, or of the client.
    /// - Returns: The failure.
    func failure(in event: ServerSentEvent, decoder: any ResponseDecoder) -> Failure?
}

/// The names of ``EventStreamRequest``'s own requirements, whatever their types, as in `_RequestSpelling`.
///
/// A `terminator` and an `idleTimeout` that aren't Optional are converted.
public protocol EventStreamSpelling: Sendable {
    /// The type of the ``terminator`` that was written.
    associatedtype _WrittenTerminator = EventStreamTerminator?
    /// The type of the ``reconnection`` that was written.
    associatedtype _WrittenReconnection = RetryPolicy
    /// The type of the ``idleTimeout`` that was written.
    associatedtype _WrittenIdleTimeout = Duration?
    /// The type of the ``streamTypes`` that was written.
    associatedtype _WrittenStreamTypes = Set<String>

    /// The event that ends the stream, as it was written.
    var terminator: _WrittenTerminator { get }
    /// How often the client connects again, as it was written.
    var reconnection: _WrittenReconnection { get }
    /// The longest time without a byte, as it was written.
    var idleTimeout: _WrittenIdleTimeout { get }
    /// The media types, as they were written.
    var streamTypes: _WrittenStreamTypes { get }
}

/// The type of a request's ``EventStreamRequest/streamTypes``: a set of texts.
///
/// "Type 'String' does not conform to protocol '_RequestStreamTypes'" means: write `let streamTypes: Set<String> =
/// ["text/plain"]`.
public protocol _RequestStreamTypes {}

extension Set<String>: _RequestStreamTypes {}

/// A type for a request's ``EventStreamRequest/terminator``: ``EventStreamTerminator``, Optional or not.
public protocol _RequestTerminator {
    /// The event that ends the stream; `nil` if the service closes it.
    var _requestTerminator: EventStreamTerminator? { get }
}

extension EventStreamTerminator: _RequestTerminator {
    /// The terminator itself.
    public var _requestTerminator: EventStreamTerminator? { self }
}

extension Optional: _RequestTerminator where Wrapped == EventStreamTerminator {
    /// The terminator itself.
    public var _requestTerminator: EventStreamTerminator? { self }
}

/// The type of a request's ``EventStreamRequest/reconnection``: ``RetryPolicy``.
public protocol _RequestReconnection {}

extension RetryPolicy: _RequestReconnection {}

extension EventStreamSpelling {
    fileprivate var spelledTerminator: _WrittenTerminator { terminator }
    fileprivate var spelledIdleTimeout: _WrittenIdleTimeout { idleTimeout }
}

// As with the names of APIRequest, the package reads these and never the requirements.
extension EventStreamRequest {
    var writtenTerminator: EventStreamTerminator? { spelledTerminator._requestTerminator }
    var writtenIdleTimeout: Duration? { spelledIdleTimeout._requestTimeout }
}

extension RetryPolicy {
    /// The default of event streams: at most 30 connections in a row that bring no event, with pauses of up to 1 second
    /// that grow to 30 seconds, and a pause that the service requires of at most 5 minutes.
    public static let eventStream = RetryPolicy(
        attemptsMax: 30,
        delay: .seconds(1),
        delayMax: .seconds(30),
        retryAfterMax: .seconds(300),
    )
}

extension EventStreamRequest {
    /// None.
    public var terminator: EventStreamTerminator? {
        _WrittenTerminator.self == EventStreamTerminator?.self ? nil : writtenTerminator
    }
    /// `text/event-stream`.
    public var streamTypes: Set<String> { [EventStreamResponse<Event>.mediaType] }
    /// At most 30 connections in a row that bring no event.
    public var reconnection: RetryPolicy { .eventStream }
    /// That of the client's options.
    public var idleTimeout: Duration? { _WrittenIdleTimeout.self == Duration?.self ? nil : writtenIdleTimeout }
    /// A parser with the default limits.
    public func makeParser(lastEventID: String) -> EventStreamParser {
        EventStreamParser(lastEventID: lastEventID)
    }

    /// None.
    public func failure(in event: ServerSentEvent, decoder: any ResponseDecoder) -> Failure? { nil }

    /// Reads the response as a stream of this request's events.
    public func response(
        streaming response: HTTPResponse,
        context: ResponseContext,
    ) async throws -> EventStream<Event> {
        try stream(response, after: "", ownContext(of: context)).throwing(context.converting)
    }

    /// The events of a response that follow another one's.
    func stream(
        _ response: HTTPResponse,
        after lastEventID: String,
        _ context: ResponseContext,
    ) throws -> EventStream<Event> {
        let body = try EventStreamResponse<Event>.body(of: response, as: streamTypes)
        var head = response
        head.body = .empty
        let whole = BufferedResponse(head, context)
        return EventStream(
            body,
            parser: makeParser(lastEventID: lastEventID),
            terminator: response.status == .noContent ? nil : writtenTerminator,
        ) { try read($0, of: whole) }
    }

    /// Reads an event.
    ///
    /// - Throws: The service's failure if the event is one; the error of the event with its place in the data.
    private func read(_ event: ServerSentEvent, of response: BufferedResponse) throws -> Event? {
        if let failure = failure(in: event, decoder: response.decoder) { throw EventError(failure, event) }
        do { return try self.event(from: event, decoder: response.decoder) } catch {
            throw EventError(response.with(body: Data(event.data.utf8)).settled(error, as: Failure.self), event)
        }
    }
}

extension EventStreamRequest where Event: EventStreamEvent {
    /// Reads the event as its type does.
    public func event(from event: ServerSentEvent, decoder: any ResponseDecoder) throws -> Event? {
        try Event(event, decoder: decoder)
    }
}

extension EventStreamRequest where Event: Decodable {
    /// Decodes the data of the event; one without data is not an event, but a sign of life.
    @_disfavoredOverload
    public func event(from event: ServerSentEvent, decoder: any ResponseDecoder) throws -> Event? {
        try event.decodeData(as: Event.self, by: decoder)
    }
}

extension ServerSentEvent {
    /// Decodes the data; `nil` for an event without any, which only shows that the connection is alive.
    fileprivate func decodeData<Value: Decodable>(
        as type: Value.Type,
        by decoder: any ResponseDecoder,
    ) throws -> Value? {
        data.isEmpty ? nil : try decode(type, by: decoder)
    }
}

/// The events of a response as a stream; the definition of an ``EventStreamRequest``.
///
/// By itself it reads events of a `Decodable` type, or of an ``EventStreamEvent``.
public enum EventStreamResponse<Event: Sendable>: ResponseDefinition {
    /// Event streams.
    public static var acceptedMediaTypes: String? { mediaType }
    static var mediaType: String { "text/event-stream" }
    /// The events are read while they are received.
    public static var streamsBody: Bool { true }

    /// Returns the events as a stream.
    ///
    /// - Throws: ``TransportError`` with ``FailureReason/notAnEventStream``.
    public static func read(
        streaming response: HTTPResponse,
        context: ResponseContext,
    ) async throws -> EventStream<Event> {
        let decoder = context.decoder
        return EventStream(try body(of: response, as: [mediaType])) { try event(from: $0, decoder: decoder) }
            .throwing(context.converting)
    }

    /// Returns the events of a body in memory.
    public static func read(_ response: BufferedResponse) throws -> EventStream<Event> {
        let decoder = response.decoder
        return EventStream(HTTPBody(response.body)) { try event(from: $0, decoder: decoder) }
    }

    /// The body, which is empty with 204 No Content.
    ///
    /// - Throws: ``TransportError`` with ``FailureReason/notAnEventStream`` if it has another type.
    static func body(of response: HTTPResponse, as types: Set<String>) throws(TransportError) -> HTTPBody {
        if response.status == .noContent { return .empty }
        guard !types.isEmpty else { return response.body }
        guard let type = response.headers.mediaType?.essence else {
            throw EventStreamCause.notEventStream.error("the response has no Content-Type")
        }
        guard types.contains(type) else {
            throw EventStreamCause.notEventStream.error("the response has the Content-Type \(type)")
        }
        return response.body
    }

    static func event(from event: ServerSentEvent, decoder: any ResponseDecoder) throws -> Event? {
        if let type = Event.self as? any EventStreamEvent.Type {
            return try type.init(event, decoder: decoder) as? Event
        }
        guard let type = Event.self as? any Decodable.Type else {
            throw ResponseCause.definition.error("no EventStreamResponse can read \(Event.self)")
        }
        return try event.decodeData(as: type, by: decoder) as? Event
    }
}

extension EventStreamResponse: UncachedDefinition {}

// A proxy of a request whose response is an event stream may conform too: `typealias Event = Base.Event` is enough.
extension RequestProxy where Self: EventStreamRequest, Base: EventStreamRequest, Event == Base.Event {
    /// The property of the request inside.
    public var terminator: EventStreamTerminator? {
        _WrittenTerminator.self == EventStreamTerminator?.self ? request.writtenTerminator : writtenTerminator
    }
    /// The property of the request inside.
    public var reconnection: RetryPolicy { request.reconnection }
    /// The property of the request inside.
    public var idleTimeout: Duration? {
        _WrittenIdleTimeout.self == Duration?.self ? request.writtenIdleTimeout : writtenIdleTimeout
    }

    /// The property of the request inside.
    public var streamTypes: Set<String> { request.streamTypes }

    /// The parser of the request inside.
    public func makeParser(lastEventID: String) -> EventStreamParser { request.makeParser(lastEventID: lastEventID) }

    /// As the request inside.
    public func event(from event: ServerSentEvent, decoder: any ResponseDecoder) throws -> Event? {
        try request.event(from: event, decoder: decoder)
    }

    /// Read by the request inside, with this one's decoder.
    public func response(
        streaming response: HTTPResponse,
        context: ResponseContext,
    ) async throws -> EventStream<Event> {
        let context = ownContext(of: context).reading(byInner: Base.self)
        return try await request.response(streaming: response, context: context)
    }
}

extension RequestProxy where Self: EventStreamRequest, Base: EventStreamRequest, Failure == Base.Failure {
    /// As the request inside.
    public func failure(in event: ServerSentEvent, decoder: any ResponseDecoder) -> Failure? {
        request.failure(in: event, decoder: decoder)
    }
}

// Without these, a proxy whose events have a known type would have two defaults that fit equally.
extension RequestProxy
where Self: EventStreamRequest, Base: EventStreamRequest, Event == Base.Event, Event: EventStreamEvent {
    /// As the request inside.
    public func event(from event: ServerSentEvent, decoder: any ResponseDecoder) throws -> Event? {
        try request.event(from: event, decoder: decoder)
    }
}

extension RequestProxy where Self: EventStreamRequest, Base: EventStreamRequest, Event == Base.Event, Event: Decodable {
    /// As the request inside.
    @_disfavoredOverload
    public func event(from event: ServerSentEvent, decoder: any ResponseDecoder) throws -> Event? {
        try request.event(from: event, decoder: decoder)
    }
}

extension AuthorizedRequestProxy: EventStreamSpelling, EventStreamRequest where Base: EventStreamRequest {
    /// The type of the events of the request inside.
    public typealias Event = Base.Event
}

/// A request of an event stream that continues after an event.
struct ResumedEvents<Base: EventStreamRequest>: RequestProxy {
    let request: Base
    let lastEventID: String

    var headers: HTTPHeaders {
        // An id that no field can carry is not sent, so that the service can't end the stream by it.
        guard !lastEventID.isEmpty, lastEventID.utf8.allSatisfy(ASCII.isFieldContent) else {
            return request.writtenHeaders
        }
        return request.writtenHeaders.replacing(with: ["Last-Event-ID": lastEventID])
    }

    var timeouts: TransportTimeouts? {
        guard var timeouts = request.writtenTimeouts else { return nil }
        if let idle = request.writtenIdleTimeout { timeouts.idle = idle }
        return timeouts
    }

    func response(streaming response: HTTPResponse, context: ResponseContext) async throws -> EventStream<Base.Event> {
        // The errors are converted with the connection that they have ended.
        try request.stream(response, after: lastEventID, ownContext(of: context).reading(byInner: Base.self))
            .throwing { $0 }
    }
}
