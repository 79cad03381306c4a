#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The texts of the system's error numbers.
package enum SystemErrors {
    /// The text and the number: `No such file or directory (errno 2)`.
    package static func text(of code: Int32) -> String {
        let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "unknown error"
        return "\(text) (errno \(code))"
    }
}
