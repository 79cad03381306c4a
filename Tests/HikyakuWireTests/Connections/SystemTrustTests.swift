#if os(Linux)
import Foundation
import HikyakuHTTP
import HikyakuWire
import Testing

/// Whom a transport trusts, with what the system trusts at a place of the test's.
///
/// Each is tried in a process of its own, since OpenSSL reads that place from the environment.
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct SystemTrustTests {
    /// Servers with a certificate of the tests' own authority, and with one of an authority that is the system's.
    private struct Servers {
        let own: TLSServer
        let system: TLSServer

        init() async throws {
            own = try await TLSServer("server")
            system = try await TLSServer("untrusted")
        }

        /// Why requests to both fail, `nil` where one doesn't.
        func reasons(_ authorities: TLSOptions.Authorities) async throws -> [FailureReason?] {
            var options = WireOptions()
            options.tls.trustedAuthorities = authorities
            options.proxy = .none
            let transport = WireTransport(options: options)
            var reasons: [FailureReason?] = []
            for server in [own, system] {
                do {
                    _ = try await transport.get(try server.url())
                    reasons.append(nil)
                } catch let error as TransportError {
                    reasons.append(error.reason)
                }
            }
            return reasons
        }
    }

    /// Has OpenSSL look for the system's authorities there.
    private static func setSystem(file: String = "/nonexistent", folder: String = "/nonexistent") {
        setenv("SSL_CERT_FILE", file, 1)
        setenv("SSL_CERT_DIR", folder, 1)
    }

    @Test func whatTheSystemTrustsIsInItsFile() async {
        await #expect(processExitsWith: .success) {
            let servers = try await Servers()
            Self.setSystem(file: try await Certificates.shared.certificate("stranger"))
            #expect(try await servers.reasons(.system) == [.certificateUntrusted, nil])
        }
    }

    @Test func aFileAloneLeavesTheSystemOut() async {
        await #expect(processExitsWith: .success) {
            let servers = try await Servers()
            let certificates = try await Certificates.shared
            Self.setSystem(file: certificates.certificate("stranger"))
            #expect(try await servers.reasons(.file(certificates.authority)) == [nil, .certificateUntrusted])
        }
    }

    @Test func aFileIsTrustedBesideTheSystemsFile() async {
        await #expect(processExitsWith: .success) {
            let servers = try await Servers()
            let certificates = try await Certificates.shared
            Self.setSystem(file: certificates.certificate("stranger"))
            #expect(try await servers.reasons(.systemAndFile(certificates.authority)) == [nil, nil])
        }
    }

    @Test func aFileIsTrustedBesideTheSystemsFolder() async {
        await #expect(processExitsWith: .success) {
            let servers = try await Servers()
            let certificates = try await Certificates.shared
            let folder = try Program.makeFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            // In a folder, a certificate's file has the name of its subject's hash.
            let path = certificates.certificate("stranger")
            let script = "cp \"$1\" \"$(openssl x509 -hash -noout -in \"$1\").0\""
            try await onOwnThread { try Program.run(["/bin/sh", "-c", script, "sh", path], in: folder) }
            Self.setSystem(folder: folder.path())
            #expect(try await servers.reasons(.system) == [.certificateUntrusted, nil])
            #expect(try await servers.reasons(.systemAndFile(certificates.authority)) == [nil, nil])
        }
    }

    @Test func aSystemWithoutAuthoritiesTrustsNoCertificate() async {
        await #expect(processExitsWith: .success) {
            let servers = try await Servers()
            Self.setSystem()
            #expect(try await servers.reasons(.system) == [.certificateUntrusted, .certificateUntrusted])
            let own = try await Certificates.shared.authority
            #expect(try await servers.reasons(.systemAndFile(own)) == [nil, .certificateUntrusted])
        }
    }
}
#endif
