import Foundation

/// The server that all contestants ask: one nginx with one worker, as a child process in a folder of its own.
struct Nginx {
    enum Failure: Error {
        case noFreePort
        case doesNotAnswer
    }

    let url: String
    private let process: Process
    private let folder: URL

    /// A JSON body of 315 bytes.
    static let body: String = {
        let item = #"{"id":"c686397e4a0f4f11683d","title":"Example title","body":"","likes_count":100,"private":false"#
        return item + #","note":""# + String(repeating: "x", count: 315 - item.utf8.count - 11) + #""}"#
    }()

    static func start() throws -> Nginx {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(body.utf8).write(to: folder.appendingPathComponent("item.json"))
        let port = try freePort()
        try Data(configuration(port: port, folder: folder.path).utf8).write(
            to: folder.appendingPathComponent("nginx.conf")
        )
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.environment = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin"]
        process.arguments = ["nginx", "-p", folder.path, "-c", folder.path + "/nginx.conf", "-e", "stderr"]
        try process.run()
        let nginx = Nginx(url: "http://127.0.0.1:\(port)/item.json", process: process, folder: folder)
        guard waitForPort(port) else {
            nginx.stop()
            throw Failure.doesNotAnswer
        }
        return nginx
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func configuration(port: UInt16, folder: String) -> String {
        // Started by root, the worker would be another user, who can't read the folder.
        let user = getuid() == 0 ? "user root;" : ""
        return """
            \(user)
            daemon off;
            worker_processes 1;
            pid \(folder)/nginx.pid;
            error_log stderr crit;
            events { worker_connections 1024; }
            http {
                access_log off;
                keepalive_requests 1000000;
                keepalive_timeout 300s;
                types { application/json json; }
                open_file_cache max=16;
                client_body_temp_path \(folder)/body;
                proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
                server { listen 127.0.0.1:\(port) backlog=512; root \(folder); }
            }
            """
    }

    // MARK: - Ports

    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, streamType, 0)
        defer { close(descriptor) }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure.noFreePort }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func waitForPort(_ port: UInt16) -> Bool {
        for _ in 0..<100 {
            let descriptor = socket(AF_INET, streamType, 0)
            defer { close(descriptor) }
            var address = loopback(port: port)
            let isOpen = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isOpen { return true }
            usleep(50_000)
        }
        return false
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    #if canImport(Darwin)
    private static let streamType = SOCK_STREAM
    #else
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    #endif
}
