#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import TestSupport
import Testing

@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct TLSTests {
    private func reason(_ options: WireOptions, _ url: URL) async throws -> FailureReason {
        try await transportError { try await WireTransport(options: options).get(url) }.reason
    }

    private func options(_ change: (inout TLSOptions) -> Void = { _ in }) async throws -> WireOptions {
        var options = WireOptions()
        options.tls.trustedAuthorities = .file(try await Certificates.shared.authority)
        change(&options.tls)
        return options
    }

    @Test func aCertificateOfAnOwnAuthorityIsTrusted() async throws {
        let server = try await TLSServer()
        let transport = WireTransport(options: try await options())
        #expect(try await transport.report(try server.url()).version == "TLSv1.3")
        #expect(try await transport.report(try server.url("localhost")).connection == 2)
        #expect(try await transport.report(try server.url()).connection == 1)
    }

    @Test func anAuthorityMayBeSignedByAnotherOne() async throws {
        let certificates = try await Certificates.shared
        let server = try await TLSServer("below")
        for isAlone in [true, false] {
            let options = try await options { tls in
                let path = certificates.certificate("between")
                tls.trustedAuthorities = isAlone ? .file(path) : .systemAndFile(path)
            }
            let transport = WireTransport(options: options)
            #expect(try await transport.report(try server.url("localhost")).version == "TLSv1.3")
            // What the other authority has signed by itself isn't trusted.
            let other = try await TLSServer("server")
            #expect(try await reason(options, try other.url("localhost")) == .certificateUntrusted)
        }
    }

    @Test(arguments: ["1.2", "1.3"]) func aNewConnectionResumesTheSessionOfTheOneBefore(_ version: String) async throws
    {
        let server = try await TLSServer {
            ($0.minimum, $0.maximum) = (version, version)
            $0.script = ["close"]
        }
        let transport = WireTransport(options: try await options())
        let reports = [
            try await transport.report(try server.url("localhost")),
            try await transport.report(try server.url("localhost")),
            try await transport.report(try server.url("localhost")),
        ]
        #expect(reports.map(\.connection) == [1, 2, 3])
        #expect(reports.map(\.resumed) == [false, true, true])
        // Another transport has sessions of its own.
        let other = WireTransport(options: try await options())
        #expect(try await !other.report(try server.url("localhost")).resumed)
    }

    @Test(
        arguments: [
            ("expired", .certificateExpired), ("early", .certificateExpired), ("wronghost", .certificateHostMismatch),
            ("alone", .certificateSelfSigned), ("untrusted", .certificateUntrusted),
            ("chained", .certificateUntrusted),
        ] as [(String, FailureReason)]
    )
    func aBadCertificateHasItsReason(_ name: String, _ reason: FailureReason) async throws {
        let server = try await TLSServer(name)
        let error = try await transportError {
            try await WireTransport(options: try await options()).get(try server.url("localhost", "/?token=secret"))
        }
        #expect(error.reason == reason)
        #expect(error.message.hasPrefix("localhost:\(server.ports[0]): "))
        #expect(!error.description.contains("secret"))
    }

    @Test func anAddressThatTheCertificateDoesNotNameIsAnotherHost() async throws {
        let server = try await TLSServer("wronghost")
        #expect(try await reason(try await options(), try server.url("127.0.0.1")) == .certificateHostMismatch)
    }

    /// RFC 9525, section 6.1.
    @Test func aCommonNameDoesNotNameTheHost() async throws {
        let server = try await TLSServer("localhost")
        #expect(try await reason(try await options(), try server.url("localhost")) == .certificateHostMismatch)
    }

    @Test func theSystemDoesNotTrustAnOwnAuthority() async throws {
        let server = try await TLSServer()
        #expect(try await reason(WireOptions(), try server.url()) == .certificateUntrusted)
    }

    @Test func aFileIsTrustedBesideTheSystem() async throws {
        let server = try await TLSServer()
        let path = try await Certificates.shared.authority
        let options = try await options { $0.trustedAuthorities = .systemAndFile(path) }
        #expect(try await WireTransport(options: options).get(try server.url()).status == .ok)
    }

    @Test func aFileThatCannotBeUsedIsNamedAndReplacedByNothing() async throws {
        let server = try await TLSServer()
        let key = try await Certificates.shared.key("server")
        for path in ["/nonexistent/root.pem", key, "/", "/dev/null", "a\0b"] {
            for authorities in [TLSOptions.Authorities.file(path), .systemAndFile(path)] {
                let options = try await options { $0.trustedAuthorities = authorities }
                let error = try await transportError { try await WireTransport(options: options).get(try server.url()) }
                #expect(error.reason == .tlsFailed)
                #expect(error.message.contains("TLSOptions.trustedAuthorities"))
            }
        }
    }

    @Test func verificationIsOffAtTheNamedHostsAlone() async throws {
        let server = try await TLSServer("untrusted")
        let options = try await options { tls in
            tls = tls.disablingCertificateVerificationWhichLetsAnyoneReadAndChangeEverything(at: "LOCALHOST")
        }
        let transport = WireTransport(options: options)
        #expect(try await transport.get(try server.url("localhost")).status == .ok)
        let error = try await transportError { try await transport.get(try server.url("127.0.0.1")) }
        #expect(error.reason == .certificateUntrusted)
        #expect(try await transport.report(try server.url("localhost")).connection == 1)
    }

    @Test func theMinimumVersionIsTheConfiguredOne() async throws {
        let certificates = try await Certificates.shared
        let listeners = ["1.1", "1.2"].map { version in
            var listener = TLSServer.Listener("server", certificates)
            (listener.minimum, listener.maximum) = (version, version)
            return listener
        }
        let server = try await TLSServer(listeners)
        let byDefault = try await options()
        #expect(try await reason(byDefault, try server.url(listener: 0)) == .tlsFailed)
        #expect(try await WireTransport(options: byDefault).report(try server.url(listener: 1)).version == "TLSv1.2")
        let modern = try await options { $0.minimumVersion = .tls13 }
        #expect(try await reason(modern, try server.url(listener: 1)) == .tlsFailed)
    }

    // MARK: - Client certificates

    @Test func aClientCertificateIsShownToItsHostAlone() async throws {
        let certificates = try await Certificates.shared
        let server = try await TLSServer { $0.mayShow = certificates.authority }
        let options = try await options { tls in
            tls.clientCertificates["localhost"] = TLSOptions.ClientCertificate(
                certificateFile: certificates.certificate("client"),
                keyFile: certificates.key("client"),
            )
        }
        let transport = WireTransport(options: options)
        for _ in 0..<2 {
            #expect(try await transport.report(try server.url("localhost")).client == "client")
            #expect(try await transport.report(try server.url("127.0.0.1")).client == nil)
        }
    }

    @Test func aServerThatRequiresACertificateRejectsClientsWithoutOne() async throws {
        let certificates = try await Certificates.shared
        for version in ["1.2", "1.3"] {
            let server = try await TLSServer { listener in
                listener.clients = certificates.authority
                (listener.minimum, listener.maximum) = (version, version)
            }
            let transport = WireTransport(options: try await options())
            let error = try await transportError { try await transport.get(try server.url()) }
            #expect(error.reason == .tlsFailed && error.hint?.contains("clientCertificates") == true, "\(error)")
        }
    }

    /// Servers such as IIS request a certificate for a part of their paths so.
    @Test func aRenegotiationIsNamed() async throws {
        let (certificates, port) = (try await Certificates.shared, try freePort())
        let folder = try Program.makeFolder()
        let commands = folder.appending(path: "commands").path()
        let server = try Program(
            [
                "/bin/sh", "-c", #"mkfifo "$0" && exec 3<>"$0" && exec "$@" <&3"#, commands,
                try #require(Program.find("openssl")), "s_server", "-4", "-tls1_2", "-accept", "\(port)", "-cert",
                certificates.certificate("server"), "-key", certificates.key("server"),
            ],
            in: folder,
        )
        let transport = WireTransport(options: try await options())
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
        let end = Task {
            var found: TransportError?
            _ = try await holds(within: .seconds(20)) {
                found = try await transportError { try await transport.get(url) }
                return found?.reason != .connectionRefused
            }
            return found
        }
        var lines = 0
        while lines < 200, try await !server.firstLine().hasPrefix("GET ") { lines += 1 }
        try FileHandle(forWritingTo: URL(filePath: commands)).write(contentsOf: Data("R\n".utf8))
        let error = try #require(try await end.value)
        #expect(error.reason == .tlsFailed && error.hint?.contains("negotiate TLS anew") == true, "\(error)")
    }

    @Test func aKeyIsOpenedByItsPassword() async throws {
        let certificates = try await Certificates.shared
        let server = try await TLSServer { $0.clients = certificates.authority }
        for (password, isRight) in [("opensesame", true), ("sesamewrong", false), (nil, false)] {
            let options = try await options { tls in
                tls.clientCertificates["*.0.0.1"] = TLSOptions.ClientCertificate(
                    certificateFile: certificates.certificate("client"),
                    keyFile: certificates.key("locked"),
                    keyPassword: password.map { Secret($0) },
                )
            }
            let transport = WireTransport(options: options)
            if isRight {
                #expect(try await transport.report(try server.url()).client == "client")
            } else {
                let error = try await transportError { try await transport.get(try server.url()) }
                #expect(error.reason == .tlsFailed)
                #expect(error.message.contains("TLSOptions.clientCertificates"))
                #expect(!"\(error)\(String(describing: error.underlyingError))".contains("sesame"))
            }
        }
    }

    @Test func aCertificateFileThatIsMissingIsNamed() async throws {
        let server = try await TLSServer()
        let options = try await options { tls in
            tls.clientCertificates["127.0.0.1"] = TLSOptions.ClientCertificate(
                certificateFile: "/nonexistent/client.pem",
                keyFile: "/nonexistent/client.key",
            )
        }
        let error = try await transportError { try await WireTransport(options: options).get(try server.url()) }
        #expect(error.reason == .tlsFailed)
        #expect(error.message.contains("TLSOptions.clientCertificates"))
    }

    // MARK: - A kept connection that died

    @Test func anIdempotentRequestIsSentAgainWhenAKeptConnectionDies() async throws {
        let server = try await TLSServer { $0.script = ["answer", "die", "answer"] }
        let transport = WireTransport(options: try await options())
        #expect(try await transport.report(try server.url()).connection == 1)
        let report = try await transport.report(try server.url(), .put, body: HTTPBody("again"))
        #expect(report.connection == 2)
        #expect(report.body == "again")
        #expect(report.requests == 3)
    }

    @Test func aPostIsNotSentAgainWhenAKeptConnectionDies() async throws {
        let server = try await TLSServer { $0.script = ["answer", "die", "answer"] }
        let transport = WireTransport(options: try await options())
        #expect(try await transport.report(try server.url(), .post).connection == 1)
        let error = try await transportError {
            try await transport.send(HTTPRequest(method: .post, url: try server.url()), options: TransportOptions())
        }
        #expect(error.reason == .connectionClosed)
        #expect(try await transport.report(try server.url(), .post).requests == 3)
    }

    @Test func aKeptConnectionThatTheServerClosedIsReplaced() async throws {
        let server = try await TLSServer { $0.script = ["close", "answer"] }
        let transport = WireTransport(options: try await options())
        #expect(try await transport.report(try server.url(), .post).connection == 1)
        #expect(try await transport.report(try server.url(), .get).connection == 2)
    }
}
#endif
