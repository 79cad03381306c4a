import Foundation
import Hikyaku

extension APIEnvironment {
    /// What the requests are declared for; ``HttpbinServer`` takes its place.
    static let httpbin: Self = "https://httpbin.example"
}

/// The calls of httpbin, as an app would declare them.
enum Httpbin {
    protocol Request: APIRequest {}
}

extension Httpbin.Request {
    var environment: APIEnvironment { .httpbin }
}

extension Httpbin {
    /// httpbin responds with the request that it received.
    struct Echo: Request {
        typealias Response = Received
        var method: HTTPMethod = .get
        var path: RequestPath = "/anything"
        var query: RequestQuery = [:]
        var parameters: RequestQuery = [:]
        var headers: HTTPHeaders = [:]
        var body: RequestBody?
    }

    /// Sends the method to a path without reading the body of the answer.
    struct Probe: Request {
        typealias Definition = EmptyResponse
        var method: HTTPMethod = .get
        var path: RequestPath
        var query: RequestQuery = [:]
        var headers: HTTPHeaders = [:]
    }

    struct Bytes: Request {
        typealias Definition = RawResponse
        var path: RequestPath
        var query: RequestQuery = [:]
        var headers: HTTPHeaders = [:]
        var timeout: Duration?
    }

    struct Stream: Request {
        typealias Definition = StreamedResponse
        var path: RequestPath
    }

    struct Text: Request {
        typealias Definition = TextResponse
        var path: RequestPath
    }

    /// Reads a JSON document of a type of the caller's choice.
    struct Document<Model: Decodable & Sendable>: Request {
        typealias Response = Model
        var path: RequestPath
        var headers: HTTPHeaders = [:]
    }

    /// Each line of the answer is a JSON document.
    struct Lines: Request {
        typealias Definition = JSONLines<Line>
        var count: Int
        var path: RequestPath { "/stream/\(count)" }
    }

    /// A call that needs a token.
    struct Bearer: Request {
        typealias Response = Token
        typealias Access = Authorized
        var path: RequestPath { "/bearer" }
    }

    /// A call whose failure a header describes.
    struct Brew: Request {
        typealias Definition = EmptyResponse
        typealias Failure = Teapot
        var status: Int
        var path: RequestPath { "/status/\(status)" }
    }
}

/// A shape of one's own: newline-delimited JSON.
enum JSONLines<Element: Decodable>: ResponseDefinition {
    static func read(_ response: BufferedResponse) throws -> [Element] {
        try response.body.split(separator: UInt8(ascii: "\n"))
            .map { try response.decoder.decode(Element.self, from: Data($0)) }
    }
}

#if os(Linux)
extension Httpbin {
    /// A client whose requests go to the server of these tests.
    static var client: APIClient<Public> {
        get async throws {
            try await client(ClientOptions())
        }
    }

    /// The same, which returns redirects instead of following them.
    static var unredirectedClient: APIClient<Public> {
        get async throws {
            try await client(ClientOptions(redirectPolicy: .never))
        }
    }

    static func client(_ options: ClientOptions) async throws -> APIClient<Public> {
        APIClient(options: options).substituting(try await HttpbinServer.shared.environment, for: .httpbin)
    }
}
#endif
