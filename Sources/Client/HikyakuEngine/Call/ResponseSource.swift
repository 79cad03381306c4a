import HikyakuBase

/// The source of a value; other sources may be added in any version.
///
/// ```swift
/// nonisolated extension ResponseSource {
///     static let database = ResponseSource(rawValue: "database")
/// }
/// hub.publish(Dish(id: 1, name: "Ramen"), source: .database)
/// ```
public struct ResponseSource: RawRepresentable, Sendable, Hashable {
    /// A stable identifier for logs and metrics.
    public let rawValue: String

    /// Creates a source from an identifier.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A transport received it.
    public static let network = ResponseSource(rawValue: "network")
    /// A stub of the client returned it.
    public static let stub = ResponseSource(rawValue: "stub")
    /// A middleware returned it, and nothing was sent.
    public static let middleware = ResponseSource(rawValue: "middleware")
    /// The request's own ``APIRequest/fallback(for:)`` returned it, since the call failed.
    public static let fallback = ResponseSource(rawValue: "fallback")
    /// The app itself created it, before or without a service.
    public static let local = ResponseSource(rawValue: "local")
}

extension ResponseSource: CustomStringConvertible {
    /// The identifier.
    public var description: String { rawValue }
}

extension RequestContext {
    /// The source of the call's response, for a call without a stub or a fallback.
    package var source: ResponseSource {
        call.state.withLock { $0.source ?? ($0.sentCount == 0 ? .middleware : .network) }
    }

    /// Records that a step answers by itself, and from where; the next attempt forgets it.
    package func noteSource(_ source: ResponseSource) {
        call.state.withLock { $0.source = source }
    }
}
