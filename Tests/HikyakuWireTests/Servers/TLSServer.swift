#if os(Linux)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// A TLS server on loopback with one listener or more; see `Tests/Servers/tls.py`.
final class TLSServer {
    struct Listener: Encodable {
        var certificate: String
        var key: String
        var minimum: String?
        var maximum: String?
        var clients: String?
        var mayShow: String?
        var alpn: [String]?
        var script: [String]?
        var delays: [Double]?
        var settings: [[Int]]?
        var isEager: Bool?
        var seed: Int?
        /// The listener whose number of closed connections this one reports.
        var reportsOf: Int?

        init(_ name: String, _ certificates: Certificates) {
            certificate = certificates.certificate(name)
            key = certificates.key(name)
        }
    }

    /// What a response reports about its request.
    struct Report: Decodable {
        var connection: Int
        var requests: Int
        var version: String
        var resumed: Bool
        var client: String?
        var request: String?
        var headers: [[String]]?
        var body: String?
        var stream: Int?
        /// How many requests the server had when it answered the first of them.
        var atOnce: Int?
        /// Of all the listener's connections: how many are closed, and how many GOAWAY frames came.
        var closed: Int
        var farewells: Int
    }

    let ports: [Int]
    private let program: Program

    init(_ listeners: [Listener]) async throws {
        program = try ServerScript.start("tls.py", listeners)
        ports = try JSONDecoder().decode([Int].self, from: Data(try await program.firstLine().utf8))
    }

    /// One listener with the certificate of that name.
    convenience init(_ name: String = "server", _ change: (inout Listener) -> Void = { _ in }) async throws {
        var listener = Listener(name, try await Certificates.shared)
        change(&listener)
        try await self.init([listener])
    }

    /// One listener that speaks HTTP/2 by a script.
    static func speakingHTTP2(_ script: String...) async throws -> TLSServer {
        try await TLSServer("server") { listener in
            listener.alpn = ["h2", "http/1.1"]
            listener.script = script
        }
    }

    func url(_ host: String = "127.0.0.1", _ path: String = "/", listener: Int = 0) throws -> URL {
        try #require(URL(string: "https://\(host):\(ports[listener])\(path)"))
    }
}

extension WireTransport {
    /// A transport that trusts the tests' own authority.
    static func trusting(
        _ certificates: Certificates,
        http2Limits: HTTP2Limits = HTTP2Limits(),
        _ change: (inout WireOptions) throws -> Void = { _ in },
    ) rethrows -> WireTransport {
        var options = WireOptions()
        options.tls.trustedAuthorities = .file(certificates.authority)
        options.proxy = .none
        try change(&options)
        return WireTransport(Engine(options, http2Limits: http2Limits))
    }

    func report(_ url: URL, _ method: HTTPMethod = .get, body: HTTPBody? = nil) async throws -> TLSServer.Report {
        let request = HTTPRequest(method: method, url: url, body: body)
        let response = try await send(request, options: TransportOptions())
        return try JSONDecoder().decode(TLSServer.Report.self, from: try await response.body.collect())
    }
}
#endif
