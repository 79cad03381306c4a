#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What a ``MockServer`` throws at the test that uses it.
public struct MockServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why, in a form that code can switch over; further members may come.
    public struct Reason: Sendable, Hashable {
        private let code: String

        /// The server can't listen: as a rule the port is taken, or the process has no file descriptor left.
        public static let startFailed = Reason(code: "startFailed")
        /// What was waited for didn't come in time.
        public static let waitTimedOut = Reason(code: "waitTimedOut")
    }

    /// Why.
    public let reason: Reason
    /// The particulars in one line.
    public let message: String
    /// The system's `errno` where it refused something.
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

    static func waitTimedOut(_ message: String) -> MockServerError {
        MockServerError(reason: .waitTimedOut, message: message, systemCode: nil)
    }
}
