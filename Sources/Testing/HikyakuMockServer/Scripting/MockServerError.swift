#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The error of a ``MockServer``.
///
/// ```swift
/// do {
///     let server = try MockServer(options: MockServerOptions(port: 8080))
///     show(server.baseURL)
/// } catch {
///     if error.reason == .startFailed { log(error.message, error.systemCode) }
/// }
/// ```
public struct MockServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why, in a form that code can switch over; later versions may add members.
    public struct Reason: Sendable, Hashable {
        private let code: String

        /// The server can't listen: usually the port is in use, or the process has no file descriptor left.
        public static let startFailed = Reason(code: "startFailed")
        /// The condition was not met within the time limit.
        public static let waitTimedOut = Reason(code: "waitTimedOut")
    }

    /// Why.
    public let reason: Reason
    /// The particulars in one line.
    public let message: String
    /// The system's `errno`, if a system call failed.
    public let systemCode: Int32?

    /// The particulars in one line.
    public var description: String { message }

    static func startFailed(_ step: String, code: Int32) -> MockServerError {
        let text = String(cString: strerror(code))
        return MockServerError(
            reason: .startFailed,
            message: "MockServer can't start: \(step) failed: \(text) (errno \(code))",
            systemCode: code,
        )
    }
}
