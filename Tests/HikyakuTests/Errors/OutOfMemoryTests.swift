#if os(Linux)
import Foundation
import Glibc
import Hikyaku
import HikyakuTesting
import Testing

/// Bodies for which the system has no memory.
@Suite(.timeLimit(.minutes(10))) struct OutOfMemoryTests {
    private struct Point: Codable, Sendable {
        var x = 0
    }

    private struct Fetch<Element: Codable & Sendable>: APIRequest {
        typealias Response = [Element]
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/elements" }
    }

    /// Copies no body.
    private struct Whole: HTTPTransport {
        let response: HTTPResponse
        func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse { response }
    }

    /// Processes of their own, whose memory is bounded once the body is there: what it is read into takes more.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["HIKYAKU_SANITIZER"] == nil))
    func aBodyLargerThanTheMemoryIsALimitAndNotATrap() async {
        await #expect(processExitsWith: .success) { try await Self.read(Int.self, "0", count: 30_000_000) }
        await #expect(processExitsWith: .success) { try await Self.read(Point.self, #"{"x":0}"#, count: 7_000_000) }
    }

    private static func read<Element: Codable & Sendable>(
        _ type: Element.Type,
        _ text: String,
        count: Int,
    ) async throws {
        let body = HTTPBody(Data(("[\(text)" + String(repeating: ",\(text)", count: count) + "]").utf8))
        let client = APIClient(transport: Whole(response: HTTPResponse(status: .ok, body: body)))
        // What a call needs besides, threads among it, is there before the bound.
        let small = client.substituting(.stubbed { _ in .json("[\(text)]") }, for: "https://a.example")
        #expect(try await small.send(Fetch<Element>()).count == 1)
        let bytesMax = rlim_t(try #require(addressSpace) + (100 << 20))
        var limit = rlimit(rlim_cur: bytesMax, rlim_max: bytesMax)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Fetch<Element>())
        }
        #expect(error.reason == .outOfMemory)
        #expect(error.phase == .limit)
        #expect(error.hint?.hasPrefix("Give the process more memory") == true)
    }

    /// In bytes.
    private static var addressSpace: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
    }
}
#endif
