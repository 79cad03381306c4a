#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A test service for contract tests of event-stream clients: a test suite sends it the streams to follow over HTTP,
/// and it reports what it receives.
///
/// Usage: `SSEContract [PORT]`, on the loopback address. The default port is 8000. It ends with `DELETE /`.
@main
struct SSEContract {
    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        guard words.count <= 1, let port = UInt16(words.first ?? "8000") else {
            print("usage: SSEContract [PORT]")
            exit(64)  // EX_USAGE of sysexits.h
        }
        do {
            let service = try ContractService(port: port)
            print("listening on \(service.url)")
            await service.untilStopped()
            service.stop()
        } catch {
            print("SSEContract: \(error)")
            exit(1)
        }
    }
}
