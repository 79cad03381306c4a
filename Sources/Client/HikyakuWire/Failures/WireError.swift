#if os(Linux)
import Glibc
import HikyakuHTTP

/// The error of the system or of OpenSSL for a connection that failed: the `underlyingError` of a
/// ``HikyakuHTTP/TransportError``.
public struct WireError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system's `errno` if a system call failed, such as 111 for a refused connection on Linux.
    public let systemErrorNumber: Int?
    /// The `X509_V_ERR_…` of OpenSSL if a certificate caused the failure.
    public let certificateErrorNumber: Int?
    /// The error's text, in one line; it contains nothing of the request.
    public let text: String

    /// The text with the number.
    public var description: String {
        if let certificateErrorNumber { return "\(text) (OpenSSL \(certificateErrorNumber))" }
        return systemErrorNumber.map { "\(text) (errno \($0))" } ?? text
    }
}

/// Why a socket, or TLS over it, can't be read or written.
struct IOFault: Equatable {
    let systemError: Int32
    /// OpenSSL's text if the fault is in TLS.
    var tlsText: String?
    /// Whose fault it is, if it is in TLS.
    var tlsCause = WireCause.tlsBroken

    var text: String { tlsText ?? String(cString: strerror(systemError)) }

    var error: WireError {
        let number = tlsText == nil ? Int(systemError) : nil
        return WireError(systemErrorNumber: number, certificateErrorNumber: nil, text: text)
    }

    /// Whether the process or the system has no more descriptors, or watches none of them any more.
    var isOfDescriptors: Bool { [EMFILE, ENFILE, ENOSPC].contains(systemError) }

    /// Whether no descriptor is left to open.
    static func lacksDescriptors(_ count: Int) -> Bool {
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        while descriptors.count < count {
            let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { return IOFault(systemError: errno).isOfDescriptors }
            descriptors.append(descriptor)
        }
        return false
    }

    /// The cause of a connection that can't be opened.
    var connectCause: WireCause {
        switch systemError {
        case ECONNREFUSED: .refused
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: .unreachable
        case EMFILE, ENFILE: .descriptors
        default: .notConnected
        }
    }
}
#endif
