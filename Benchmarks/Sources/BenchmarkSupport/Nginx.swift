import Foundation

/// The server of all contestants: one nginx with one worker, as a child process in a folder of its own.
public struct Nginx {
    /// Why there is no server.
    enum Failure: Error {
        case noCertificate
        case doesNotAnswer
    }

    /// Where HTTP/1.1 is spoken, without a path.
    public let url: String
    /// Where HTTP/1.1 is spoken over TLS, and nothing else.
    public let secureURL: String
    /// Where HTTP/2 is spoken over TLS.
    public let http2URL: String
    /// The file with the certificate, which is made for this run.
    public let certificate: String
    private let process: Process
    private let folder: URL
    /// The path of the file named `large`.
    public var largeFile: String { folder.appendingPathComponent("large").path }
    private let silent: Int32

    /// Starts the server with files by their names, and one named `large` that has nothing but zeros.
    ///
    /// With an upstream server, that one gets all requests over TLS instead; nothing is buffered or repeated.
    public static func start(
        files: [String: Data],
        largeBytes: Int = 0,
        before upstream: String? = nil,
    ) throws -> Nginx {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, bytes) in files { try bytes.write(to: folder.appendingPathComponent(name)) }
        let large = folder.appendingPathComponent("large")
        try Data().write(to: large)
        let file = try FileHandle(forWritingTo: large)
        try file.truncate(atOffset: UInt64(largeBytes))
        try file.close()
        try makeCertificate(in: folder)
        // Requests to this port wait for ever to be accepted.
        let (silent, silentPort) = try Loopback.listen(backlog: 4096)
        let ports = try (0..<3).map { _ in try Loopback.freePort() }
        try Data(configuration(ports, silentPort, upstream, folder.path).utf8).write(
            to: folder.appendingPathComponent("nginx.conf")
        )
        let nginx = Nginx(
            url: "http://127.0.0.1:\(ports[0])",
            secureURL: "https://127.0.0.1:\(ports[1])",
            http2URL: "https://127.0.0.1:\(ports[2])",
            certificate: folder.appendingPathComponent("certificate.pem").path,
            process: try run(["nginx", "-p", folder.path, "-c", folder.path + "/nginx.conf", "-e", "stderr"]),
            folder: folder,
            silent: silent,
        )
        guard ports.allSatisfy(Loopback.waitForPort) else {
            nginx.stop()
            throw Failure.doesNotAnswer
        }
        return nginx
    }

    /// Ends it, and removes its files.
    public func stop() {
        process.terminate()
        process.waitUntilExit()
        close(silent)
        try? FileManager.default.removeItem(at: folder)
    }

    private static func run(_ words: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.environment = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin"]
        process.arguments = words
        try process.run()
        return process
    }

    private static func makeCertificate(in folder: URL) throws {
        let process = try run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-batch",
            "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", folder.path + "/key.pem", "-out", folder.path + "/certificate.pem",
        ])
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure.noCertificate }
    }

    private static func configuration(
        _ ports: [UInt16],
        _ silentPort: UInt16,
        _ upstream: String?,
        _ folder: String,
    ) -> String {
        // Started by root, the worker would be another user, who can't read the folder.
        let user = getuid() == 0 ? "user root;" : ""
        let gateway =
            upstream.map { url in
                """
                location / {
                    proxy_pass \(url);
                    proxy_http_version 1.1;
                    proxy_buffering off;
                    proxy_request_buffering off;
                    proxy_next_upstream off;
                    client_max_body_size 0;
                }
                """
            } ?? ""
        let silentLocation = "location /silent { proxy_pass http://127.0.0.1:\(silentPort); }"
        return """
            \(user)
            daemon off;
            worker_processes 1;
            pid \(folder)/nginx.pid;
            error_log stderr crit;
            worker_rlimit_nofile 16384;
            events { worker_connections 8192; }
            http {
                access_log off;
                sendfile on;
                keepalive_requests 100000000;
                keepalive_timeout 300s;
                types { application/json json; }
                open_file_cache max=16;
                client_body_temp_path \(folder)/body;
                proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
                root \(folder);
                # A POST to a file is answered with the file.
                error_page 405 =200 $uri;
                ssl_certificate \(folder)/certificate.pem;
                ssl_certificate_key \(folder)/key.pem;
                proxy_read_timeout 600s;
                server { listen 127.0.0.1:\(ports[0]) backlog=512; \(silentLocation) }
                server { listen 127.0.0.1:\(ports[1]) ssl backlog=512; \(silentLocation) \(gateway) }
                server { listen 127.0.0.1:\(ports[2]) ssl http2; \(gateway) }
            }
            """
    }
}
