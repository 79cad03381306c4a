#if os(Linux)
import Foundation
import HikyakuHTTP
import HikyakuURLSession
import Testing

@Suite(.enabled(if: SecureServer.isPossible), .serialized, .timeLimit(.minutes(10)))
struct CertificateTests {
    @Test func rejectsCertificatesThatTheSystemDoesNotTrust() async throws {
        let server = try SecureServer()
        #expect(try await reason(of: .alone, server.ports) == .certificateSelfSigned)
        #expect(try await reason(of: .stranger, server.ports) == .certificateUntrusted)
        #expect(try await reason(of: .good, server.ports) == .certificateUntrusted)
    }

    @Test func reportsAConnectionWithoutTLS() async throws {
        let wire = try Wire()
        let url = try #require(URL(string: server(wire.server.port)))
        let error = try await transportError {
            try await wire.transport.send(HTTPRequest(url: url), options: TransportOptions())
        }
        #expect(error.reason == .tlsFailed)
    }

    /// Runs once more where the tests' authority is the system's, since URLSession takes no other.
    @Test func reportsTheFaultOfATrustedAuthoritysCertificate() async throws {
        guard let known = ProcessInfo.processInfo.environment[TrustedAuthority.portsName] else {
            let server = try SecureServer()
            let numbers = SecureServer.Kind.allCases.map { "\(server.ports[$0] ?? 0)" }.joined(separator: ",")
            let test = "reportsTheFaultOfATrustedAuthoritysCertificate"
            let run = try TrustedAuthority.run(test, authority: server.authority, ports: numbers, in: server.folder)
            #expect(run.status == 0, "\(run.output)")
            #expect(run.output.contains("1 test"), "\(run.output)")
            return
        }
        let ports = Dictionary(
            uniqueKeysWithValues: zip(SecureServer.Kind.allCases, known.split(separator: ",").compactMap { Int($0) })
        )
        #expect(try await reason(of: .good, ports) == nil)
        #expect(try await reason(of: .expired, ports) == .certificateExpired)
        #expect(try await reason(of: .early, ports) == .certificateExpired)
        #expect(try await reason(of: .wronghost, ports) == .certificateHostMismatch)
        #expect(try await reason(of: .stranger, ports) == .certificateUntrusted)
        #expect(try await reason(of: .alone, ports) == .certificateSelfSigned)
    }

    private func server(_ port: some BinaryInteger) -> String { "https://127.0.0.1:\(port)/" }

    /// Why a server of that kind isn't trusted; `nil` where it is.
    private func reason(of kind: SecureServer.Kind, _ ports: [SecureServer.Kind: Int]) async throws -> FailureReason? {
        let port = try #require(ports[kind])
        let url = try #require(URL(string: server(port)))
        do {
            let response = try await URLSessionTransport().send(HTTPRequest(url: url), options: TransportOptions())
            #expect(response.status == .ok)
            return nil
        } catch let error as TransportError {
            return error.reason
        }
    }
}

/// A second run of one test in a process whose system trusts one authority alone.
private enum TrustedAuthority {
    static let portsName = "HIKYAKU_SECURE_PORTS"

    /// Puts a file in the place of the system's authorities.
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        static FILE *open_by(const char *function, const char *path, const char *mode) {
            FILE *(*next)(const char *, const char *) = (FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, function);
            const char *trusted = getenv("HIKYAKU_AUTHORITY");
            if (trusted && strcmp(path, "/etc/ssl/certs/ca-certificates.crt") == 0) path = trusted;
            return next(path, mode);
        }
        FILE *fopen(const char *path, const char *mode) { return open_by("fopen", path, mode); }
        FILE *fopen64(const char *path, const char *mode) { return open_by("fopen64", path, mode); }
        """

    static func run(
        _ test: String,
        authority: String,
        ports: String,
        in folder: URL,
    ) throws -> (status: Int32, output: String) {
        try source.write(to: folder.appending(path: "trust.c"), atomically: true, encoding: .utf8)
        let compiled = try Program.run(
            ["clang", "-shared", "-fPIC", "-o", "trust.so", "trust.c", "-ldl"],
            in: folder,
        )
        try #require(compiled.status == 0, "\(compiled.output)")
        return try Program.run(
            [CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", test],
            in: folder,
            environment: [
                "LD_PRELOAD": folder.appending(path: "trust.so").path(), "HIKYAKU_AUTHORITY": authority,
                portsName: ports,
            ],
        )
    }
}
#endif
