#if os(Linux)
import Foundation
import Hikyaku
import TestSupport

/// httpbin, run by gunicorn on a free port of loopback, for as long as this process lives.
///
/// A shell between gunicorn and this process waits for the end of its input: however this process ends, the kernel
/// closes the pipe, and the shell ends gunicorn.
struct HttpbinServer: Sendable {
    /// Where it listens, as its own log says.
    let environment: APIEnvironment

    /// Whether `scripts/setup test` was run.
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: gunicorn.path()) }

    /// Started once, by the first test that uses it.
    static var shared: HttpbinServer {
        get async throws { try await started.value }
    }

    private static let started = Task { try await start() }
    /// Held open: its end is the server's.
    private static let leash = Pipe()

    private static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let gunicorn = repository.appending(path: ".venv-httpbin/bin/gunicorn")

    private static func start() async throws -> HttpbinServer {
        let log = FileManager.default.temporaryDirectory.appending(path: "httpbin-\(UUID().uuidString).log")
        try Data().write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", #""$@" & child=$!; cat >/dev/null; kill "$child"; wait"#, "httpbin", gunicorn.path(),
        ]
        process.arguments? += [
            "--bind", "127.0.0.1:0", "--worker-class", "gthread", "--threads", "16", "--graceful-timeout", "1",
            "--no-control-socket", "httpbin:app",
        ]
        process.standardInput = leash
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = process.standardOutput
        try withoutBlockedSignals { try process.run() }
        return HttpbinServer(environment: try await environment(saidIn: log))
    }

    /// Threads that run tasks block most signals, and a process inherits that: one could not be ended by `kill`.
    private static func withoutBlockedSignals(_ action: () throws -> Void) rethrows {
        var none = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try action()
    }

    /// Reads the log until it says where the server listens and that a worker has come up.
    private static func environment(saidIn log: URL) async throws -> APIEnvironment {
        var url: String?
        let hasStarted = try await holds {
            let text = try String(contentsOf: log, encoding: .utf8)
            url = text.firstMatch(of: #/Listening at: (http://\S+)/#).map { String($0.1) }
            return url != nil && text.contains("Booting worker")
        }
        guard hasStarted, let url else { throw DidNotStart(log: try String(contentsOf: log, encoding: .utf8)) }
        return APIEnvironment(baseURL: url)
    }

    private struct DidNotStart: Error {
        var log: String
    }
}
#endif
