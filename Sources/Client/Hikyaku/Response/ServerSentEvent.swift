public import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One event of an event stream, as the service sent it.
///
/// ```swift
/// struct Log: EventStreamRequest {
///     typealias Event = ServerSentEvent       // the events as they are
///     var environment: APIEnvironment { .shop }
///     var path: RequestPath { "/log" }
/// }
/// for try await event in client.bind(Log()).eventStream() { show(event.name, event.data) }
/// ```
/// Its data may contain secrets, so it prints only its name and size.
public struct ServerSentEvent: Sendable, Hashable {
    /// The field `event`; `message` if the event has none.
    public var name: String
    /// The fields `data`, joined by LF.
    public var data: String
    /// The id of this event, or of the last one before it that had one; empty if there was none.
    public var id: String
    /// The field `retry` of this event: the time to wait before the next connection.
    public var retry: Duration?

    /// Creates an event, for tests and stubs.
    public init(name: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        (self.name, self.data, self.id, self.retry) = (name, data, id, retry)
    }

    /// Decodes the data.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder.
    /// - Returns: The value.
    /// - Throws: The error of the decoder.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        by decoder: any ResponseDecoder,
    ) throws -> Value {
        try decoder.decode(type, from: Data(data.utf8))
    }
}

extension ServerSentEvent: Redacted {
    /// `price, 17 bytes`.
    public var description: String {
        "\(Redaction.printable(name, scalarsMax: 100)), \(HTTPBody(data))"
    }
}

/// An event of a service as a value of the app's own type, which reads each event by itself, usually by its name.
///
/// ```swift
/// enum ShopEvent: EventStreamEvent {
///     case ordered(Order)
///     case soldOut(Dish)
///
///     init?(_ event: ServerSentEvent, decoder: any ResponseDecoder) throws {
///         switch event.name {
///         case "ordered": self = .ordered(try event.decode(by: decoder))
///         case "soldOut": self = .soldOut(try event.decode(by: decoder))
///         default: return nil      // or a case of its own, such as .other(event.name)
///         }
///     }
/// }
/// ```
/// A type whose events all have the same shape needs only `Decodable`: see ``EventStreamRequest``.
public protocol EventStreamEvent: Sendable {
    /// Reads an event; `nil` skips it.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - decoder: The decoder of the request, or of the client.
    /// - Throws: Anything; the stream ends with it. Catch an error of the decoder to skip the event instead.
    init?(_ event: ServerSentEvent, decoder: any ResponseDecoder) throws
}

extension ServerSentEvent: EventStreamEvent {
    /// Takes each event as it is.
    public init?(_ event: ServerSentEvent, decoder: any ResponseDecoder) {
        self = event
    }
}

/// Why an event can't be read, with the event.
struct EventError: Error {
    let error: any Error
    let event: ServerSentEvent

    init(_ error: any Error, _ event: ServerSentEvent) {
        (self.error, self.event) = (error, event)
    }

    /// What a developer can do about an event of another kind.
    var hint: String? {
        guard event.name != "message", !event.name.isEmpty else { return nil }
        return
            "The event's name is \(Redaction.printable(event.name, scalarsMax: 60)): if others have other names, let the "
            + "Event be an EventStreamEvent that distinguishes them, or a ServerSentEvent."
    }
}
