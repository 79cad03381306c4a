#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import TestSupport
import Testing

/// nginx with TLS and HTTP/2 on loopback.
final class Nginx {
    static let isInstalled = Program.areInstalled("nginx")

    let port: Int
    private let program: Program

    /// Starts with further lines of the server's block.
    init(_ settings: String = "") async throws {
        let certificates = try await Certificates.shared
        // Another server may have got the port by the time that nginx wants it.
        for _ in 0..<3 {
            let (port, program) = try Self.start(settings, certificates)
            let hasStarted = try await holds(within: .seconds(10)) {
                FileManager.default.fileExists(atPath: program.folder.appending(path: "nginx.pid").path())
            }
            guard hasStarted else { continue }
            (self.port, self.program) = (port, program)
            return
        }
        throw POSIXError(.EADDRINUSE)
    }

    private static func start(_ settings: String, _ certificates: Certificates) throws -> (Int, Program) {
        let folder = try Program.makeFolder()
        let port = try freePort()
        let text = """
            daemon off; worker_processes 1; pid nginx.pid; error_log error.log;
            events { worker_connections 512; }
            http {
                log_format wire '$connection $server_protocol $uri $status $body_bytes_sent';
                access_log access.log wire;
                client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(certificates.certificate("server"));
                    ssl_certificate_key \(certificates.key("server"));
                    root files;
                    \(settings)
                }
            }
            """
        let files = folder.appending(path: "files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        // Started by root, nginx works as somebody else.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: files.path())
        for number in 0..<64 { try Data("file \(number)".utf8).write(to: files.appending(path: "\(number)")) }
        try Data(text.utf8).write(to: folder.appending(path: "nginx.conf"))
        let nginx = try #require(Program.find("nginx"))
        let words = [nginx, "-p", folder.path(), "-c", folder.appending(path: "nginx.conf").path()]
        return (port, try Program(words, in: folder))
    }

    func url(_ path: String, host: String = "127.0.0.1") throws -> URL {
        try #require(URL(string: "https://\(host):\(port)\(path)"))
    }

    /// What nginx wrote of `count` requests: connection, protocol, path, status and the body's bytes of each.
    func log(of count: Int) async throws -> [[String]] {
        let file = program.folder.appending(path: "access.log")
        var lines: [[String]] = []
        let isComplete = try await holds {
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            lines = text.split(separator: "\n").map { $0.split(separator: " ").map { String($0) } }
            return lines.count >= count
        }
        try #require(isComplete, "\(lines)")
        return lines
    }

    /// Puts a file where it is served.
    func addFile(_ name: String, _ content: Data) throws {
        try content.write(to: program.folder.appending(path: "files/\(name)"))
    }

    /// Where a file is that is served.
    func path(of name: String) -> String { program.folder.appending(path: "files/\(name)").path() }

    /// Puts a file of zeroes where it is served.
    func addFile(_ name: String, byteCount: Int) throws {
        let file = program.folder.appending(path: "files/\(name)")
        try Data().write(to: file)
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(byteCount))
    }
}
#endif
