#if os(Linux)
import Foundation
import Testing

/// An HTTP proxy on loopback that records its requests; see `Tests/Servers/proxy.py`.
final class ProxyServer {
    struct Options: Encodable {
        var log: String
        var credentials: String?
        var status: Int?
        var certificate: String?
        var key: String?
        var closes = false
    }

    /// One request as the proxy saw it, its fields' names in lower case.
    struct Entry: Decodable {
        var request: String
        var headers: [String: String]
    }

    let port: Int
    private let program: Program

    /// Starts it; with a certificate's name, it is spoken to over TLS.
    init(certificate: String? = nil, _ change: (inout Options) -> Void = { _ in }) async throws {
        let folder = try Program.makeFolder()
        var options = Options(log: folder.appending(path: "log").path())
        if let certificate {
            options.certificate = try await Certificates.shared.certificate(certificate)
            options.key = try await Certificates.shared.key(certificate)
        }
        change(&options)
        program = try ServerScript.start("proxy.py", options, in: folder)
        port = try #require(Int(try await program.firstLine()))
    }

    func log() throws -> [Entry] {
        let text = try String(contentsOf: program.folder.appending(path: "log"), encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
    }
}
#endif
