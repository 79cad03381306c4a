#if os(Linux)
import Foundation
import Hikyaku
import HikyakuMockServer
import HikyakuWire
import TestSupport
import Testing

/// Empty bodies whose header block names a content coding, where a chunk, the status or a frame says that they are
/// over.
@Suite(.serialized, .enabled(if: Certificates.isPossible && Nginx.isInstalled), .timeLimit(.minutes(5)))
struct CodedEmptyBodyTests {
    private struct Fetch: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment
        var method: HTTPMethod = .get
        var path: RequestPath

        func accepts(_ status: HTTPStatus) -> Bool { true }
    }

    private static let heads: [(HTTPMethod, String)] = [
        (.get, "200 OK\r\nTransfer-Encoding: chunked"), (.head, "200 OK"), (.get, "204 No Content"),
        (.get, "304 Not Modified"),
    ]

    @Test("RFC 9110, section 8.4, over TLS", arguments: SupportedCodings.names, heads)
    func anEmptyBodyWithoutALengthIsEmpty(coding: String, answer: (method: HTTPMethod, head: String)) async throws {
        let origin = try MockServer { _ in
            let end = answer.head.contains("chunked") ? "0\r\n\r\n" : ""
            return .raw([.write("HTTP/1.1 \(answer.head)\r\nContent-Encoding: \(coding)\r\n\r\n\(end)"), .close])
        }
        defer { origin.stop() }
        let nginx = try await Nginx("location / { proxy_http_version 1.1; proxy_pass \(origin.baseURL); }")
        let transport = try await WireTransport.trusting(Certificates.shared)
        let environment = APIEnvironment(baseURL: "https://127.0.0.1:\(nginx.port)")
        let request = Fetch(environment: environment, method: answer.method, path: "/empty")
        let response = try await APIClient(transport: transport).bind(request).response()
        #expect(response.value.isEmpty)
        #expect(response.headers.map(\.name).contains(.contentEncoding))
        #expect(!response.headers.contains(.contentLength))
        let isHTTP2 = response.timings.protocolName == "h2"
        #expect(try await nginx.log(of: 1)[0][1] == (isHTTP2 ? "HTTP/2.0" : "HTTP/1.1"))
    }
}
#endif
