#if canImport(Darwin)
import HikyakuURLSession
#else
import HikyakuWire
#endif

/// The transport of all clients that were given none: one for the process, so that they share its connections.
///
/// It is made when the first of them sends.
enum DefaultTransport {
    #if canImport(Darwin)
    static let shared: any HTTPTransport = URLSessionTransport()
    #else
    static let shared: any HTTPTransport = WireTransport()
    #endif
}
