/// The stage at which a call failed.
///
/// Its cases are those of `APIError` and don't grow.
public enum FailurePhase: String, Sendable, Hashable, CaseIterable {
    /// The request can't be sent as it stands; nothing was sent.
    case invalidRequest
    /// No usable credential; nothing was sent.
    case unauthorized
    /// No whole response came.
    case transport
    /// The service answered with its own failure.
    case service
    /// The service answered with a status that isn't accepted, and no failure could be read.
    case unacceptableStatus
    /// The response isn't what the request says it is.
    case decoding
    /// A bound or policy of the client refused.
    case limit
    /// A deadline passed.
    case timedOut
    /// The caller gave up.
    case cancelled
    /// Something that the user put in the way threw.
    case other
}

/// Why a call failed, in a form that code can switch over.
///
/// ```swift
/// switch failure.reason {
/// case .hostNotFound: …
/// case .connectionRefused: …
/// default: …
/// }
/// ```
/// New members may come with any version, so a switch over reasons has a `default`. Transports, middleware and
/// providers may make reasons of their own.
public struct FailureReason: Sendable, Hashable, CustomStringConvertible {
    /// The stage that the reason belongs to.
    public let phase: FailurePhase
    /// A stable word for logs and metrics: `hostNotFound`.
    public let code: String

    /// Makes a reason, for transports and middleware of one's own.
    public init(_ phase: FailurePhase, _ code: String) {
        self.phase = phase
        self.code = code
    }

    /// The word with its stage, `transport.hostNotFound`, or the stage alone where the word says no more.
    public var description: String { code == phase.rawValue ? code : "\(phase.rawValue).\(code)" }
}

// MARK: - The request can't be sent

extension FailureReason {
    /// The environment's base URL is malformed, has no host, or is no `http` or `https` URL.
    public static let baseURL = FailureReason(.invalidRequest, "baseURL")
    /// The path has a dot segment, an empty interpolated value, a control character, `?`, `#` or a broken percent
    /// triplet.
    public static let path = FailureReason(.invalidRequest, "path")
    /// A query or form value can't be written: not a number, infinite, or nested too deeply.
    public static let query = FailureReason(.invalidRequest, "query")
    /// A header's name is no token, or its value has a line break or another control character.
    public static let header = FailureReason(.invalidRequest, "header")
    /// The method is no token, or is `CONNECT`.
    public static let method = FailureReason(.invalidRequest, "method")
    /// The body can't be encoded, or the method can't carry it.
    public static let body = FailureReason(.invalidRequest, "body")
    /// The final URL, after `prepare(_:)` and middleware, is no `http` or `https` URL with a host.
    public static let url = FailureReason(.invalidRequest, "url")
    /// The request's own `prepare(_:)` threw.
    public static let prepare = FailureReason(.invalidRequest, "prepare")
}

// MARK: - No whole response

extension FailureReason {
    /// The host's name leads to no address.
    public static let hostNotFound = FailureReason(.transport, "hostNotFound")
    /// The host is there, and nothing listens on the port.
    public static let connectionRefused = FailureReason(.transport, "connectionRefused")
    /// There is no way to the network, or none to the host: as a rule the machine is offline.
    public static let networkUnreachable = FailureReason(.transport, "networkUnreachable")
    /// The connection couldn't be opened for another cause.
    public static let connectionFailed = FailureReason(.transport, "connectionFailed")
    /// The server closed the connection without answering.
    public static let connectionClosed = FailureReason(.transport, "connectionClosed")
    /// The connection broke off while the request was sent or the response received.
    public static let connectionReset = FailureReason(.transport, "connectionReset")
    /// What came is no HTTP response.
    public static let malformedResponse = FailureReason(.transport, "malformedResponse")
    /// The response ended before it was whole.
    public static let truncatedResponse = FailureReason(.transport, "truncatedResponse")
    /// No secure connection: the certificate isn't trusted, or the two sides found no common ground.
    public static let tlsFailed = FailureReason(.transport, "tlsFailed")
    /// The transport was shut down.
    public static let shutDown = FailureReason(.transport, "shutDown")
    /// The transport failed in a way that it has no name for.
    public static let transportFailed = FailureReason(.transport, "transportFailed")
}

// MARK: - Bounds

extension FailureReason {
    /// The response's body is larger than the limit.
    public static let bodyTooLarge = FailureReason(.limit, "bodyTooLarge")
    /// The response's header block is larger than the limit.
    public static let headersTooLarge = FailureReason(.limit, "headersTooLarge")
    /// The call's `timeout` passed.
    public static let deadline = FailureReason(.timedOut, "deadline")
    /// No connection was made in time.
    public static let connectTimeout = FailureReason(.timedOut, "connectTimeout")
    /// The caller's task or the call itself was cancelled.
    public static let cancelled = FailureReason(.cancelled, "cancelled")
}
