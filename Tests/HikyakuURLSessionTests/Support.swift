import Foundation
import HikyakuHTTP
import HikyakuMockServer
import HikyakuURLSession
import Testing

/// A server and a transport that end with the test.
struct Wire: ~Copyable {
    let server: MockServer
    let transport = URLSessionTransport()

    init() throws {
        server = try MockServer()
    }

    deinit {
        server.stop()
    }

    func url(_ path: String) throws -> URL {
        try #require(URL(string: server.baseURL + path))
    }

    func get(_ path: String, options: TransportOptions = TransportOptions()) async throws -> HTTPResponse {
        try await transport.send(HTTPRequest(url: try url(path)), options: options)
    }
}

/// What a call threw, which must be an error of the transport.
func transportError(_ call: () async throws -> HTTPResponse) async throws -> TransportError {
    try await #require(throws: TransportError.self) { _ = try await call() }
}

extension HTTPResponse {
    func text() async throws -> String {
        String(decoding: try await body.collect(), as: UTF8.self)
    }
}
