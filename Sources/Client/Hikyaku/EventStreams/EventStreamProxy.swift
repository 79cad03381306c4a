/// A request whose response is a stream of events instead of the request's own.
///
/// Some services send either, as a member of the body or a field of the request says:
/// ```swift
/// let chat = Chat(question: "What is a hikyaku?", stream: true)
/// let events = EventStreamProxy<Chat, Chat.Delta>(request: chat, terminator: .data("[DONE]"))
/// for try await delta in client.bind(events).eventStream() { show(delta.text) }
/// ```
/// Everything else is that of the request; its timeout is that for the head of the response.
public struct EventStreamProxy<Base: APIRequest, Event: Sendable>: RequestProxy, EventStreamRequest {
    /// The events.
    public typealias Response = EventStream<Event>
    /// The response is read as a stream.
    public typealias Definition = EventStreamResponse<Event>

    /// The request inside.
    public var request: Base
    /// The event that ends the stream; `nil` if the service closes it.
    public var terminator: EventStreamTerminator?

    /// Wraps a request.
    ///
    /// - Parameters:
    ///   - request: The request, with what makes the service send events.
    ///   - terminator: The event that ends the stream; `nil` if the service closes it.
    public init(request: Base, terminator: EventStreamTerminator? = nil) {
        (self.request, self.terminator) = (request, terminator)
    }

    /// Reads an event of a `Decodable` type, an ``EventStreamEvent``, or the ``ServerSentEvent`` itself.
    public func event(from event: ServerSentEvent, decoder: any ResponseDecoder) throws -> Event? {
        if let event = event as? Event { return event }
        return try EventStreamResponse<Event>.event(from: event, decoder: decoder)
    }
}
