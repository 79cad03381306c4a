/// Over which networks a request may go on an Apple device, and how urgent it is.
///
/// A request sets them in its `prepare(_:)`, and a middleware for all requests of a client:
///
/// ```swift
/// struct Backup: Shop.Request {
///     typealias Definition = EmptyResponse
///     var method: HTTPMethod { .put }
///     var path: RequestPath { "/backups/today" }
///
///     func prepare(_ request: inout HTTPRequest) {
///         request.networkPreferences.allowsCellular = false
///         request.networkPreferences.service = .background
///     }
/// }
/// ```
/// `URLSessionTransport` follows them on Apple's platforms; other transports ignore them. If no network is left, the
/// call fails with ``FailureReason/networkUnreachable``, or waits if the session's configuration has
/// `waitsForConnectivity`.
public struct NetworkPreferences: Sendable, Hashable {
    /// What a request is for, so that the system can choose among networks and queues.
    ///
    /// These are Foundation's, see [URLRequest](https://developer.apple.com/documentation/foundation/urlrequest).
    public enum Service: UInt8, Sendable, Hashable, CaseIterable {
        /// Nothing special.
        case standard
        /// The user doesn't know of it, such as a prefetch.
        case background
    }

    /// Whether it may use a cellular network.
    ///
    /// Default: `true`.
    public var allowsCellular: Bool
    /// Whether it may use a network that the system calls expensive: cellular, and personal hotspots.
    ///
    /// Default: `true`.
    public var allowsExpensive: Bool
    /// Whether it may be sent in Low Data Mode.
    ///
    /// Default: `true`.
    public var allowsConstrained: Bool
    /// What it is for.
    ///
    /// Default: ``Service/standard``.
    public var service: Service
    /// How urgent it is among the requests of one connection: from 0 to 1; a hint for HTTP/2 and HTTP/3.
    ///
    /// Default: 0.5. A value that is out of range is the nearest one in it.
    public var priority: Float

    /// Makes preferences; each has a default.
    public init(
        allowsCellular: Bool = true,
        allowsExpensive: Bool = true,
        allowsConstrained: Bool = true,
        service: Service = .standard,
        priority: Float = 0.5,
    ) {
        self.allowsCellular = allowsCellular
        self.allowsExpensive = allowsExpensive
        self.allowsConstrained = allowsConstrained
        self.service = service
        self.priority = priority
    }

    /// The priority from 0 to 1; 0.5 for one that is not a number.
    package var priorityInRange: Float { priority.isNaN ? 0.5 : min(max(priority, 0), 1) }
}
