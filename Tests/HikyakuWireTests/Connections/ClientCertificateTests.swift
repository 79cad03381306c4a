#if os(Linux)
import Foundation
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// A client's certificate comes from files, which may be slow, wrong or replaced.
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct ClientCertificateTests {
    /// Copies of a certificate and its key that a test may change, in one file or two.
    private struct Files: ~Copyable {
        let folder = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        deinit {
            try? FileManager.default.removeItem(at: folder)
        }

        func path(_ name: String) -> String { folder.appending(path: name).path() }

        /// Puts a file in place of the one before, as a renewal does.
        func put(_ name: String, _ sources: [String]) throws {
            let bytes = try sources.reduce(Data()) { try $0 + Data(contentsOf: URL(fileURLWithPath: $1)) }
            try bytes.write(to: folder.appending(path: name), options: .atomic)
        }
    }

    private func transport(
        _ certificate: String,
        _ key: String,
        _ change: (inout WireOptions) -> Void = { _ in },
    ) async throws -> WireTransport {
        try await WireTransport.trusting(Certificates.shared) { options in
            options.tls.clientCertificates["localhost"] = TLSOptions.ClientCertificate(
                certificateFile: certificate,
                keyFile: key,
            )
            change(&options)
        }
    }

    // MARK: - PKCS#12

    private func transport(_ certificate: TLSOptions.ClientCertificate) async throws -> WireTransport {
        try await WireTransport.trusting(Certificates.shared) { options in
            options.tls.clientCertificates["localhost"] = certificate
        }
    }

    @Test(arguments: ["client", "below"], ["1.2", "1.3"])
    func aPKCS12FileHasACertificateItsChainAndItsKey(_ name: String, _ version: String) async throws {
        let certificates = try await Certificates.shared
        let server = try await TLSServer { listener in
            (listener.minimum, listener.maximum) = (version, version)
            listener.clients = certificates.authority
        }
        for password in ["opensesame", ""] {
            let bytes = try await certificates.pkcs12(name, password: password)
            let transport = try await transport(.pkcs12(bytes, password: Secret(password)))
            for _ in 0..<2 { #expect(try await transport.report(try server.url("localhost")).client == name) }
        }
    }

    @Test func aPKCS12FileThatCanNotBeReadIsAnErrorWithoutItsPassword() async throws {
        let certificates = try await Certificates.shared
        let server = try await TLSServer { $0.mayShow = certificates.authority }
        let bytes = try await certificates.pkcs12("client", password: "opensesame")
        var damaged = bytes
        damaged[bytes.count / 2] ^= 0xFF
        let cases = [
            (bytes, "sesamewrong"), (Data(), ""), (bytes.prefix(100), "opensesame"), (damaged, "opensesame"),
        ]
        for (bytes, password) in cases {
            let transport = try await transport(.pkcs12(bytes, password: Secret(password)))
            let error = try await transportError { try await transport.get(try server.url("localhost")) }
            #expect(error.reason == .tlsFailed)
            #expect(error.message.contains("TLSOptions.clientCertificates: the PKCS#12 data"))
            #expect(!"\(error)".contains("sesame"))
        }
        let transport = try await transport(.keychain(label: "client"))
        let error = try await transportError { try await transport.get(try server.url("localhost")) }
        #expect(error.reason == .tlsFailed && error.message.contains("keychain"))
    }

    /// The system's lease blocks every other `open` of the file, like a disk that doesn't respond.
    private final class Lease {
        private let descriptor: Int32
        // The constants are hidden from Swift.
        private static let (setSignal, setLease, getLease): (Int32, Int32, Int32) = (10, 1024, 1025)

        init(_ path: String) async throws {
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            self.descriptor = descriptor
            try #require(descriptor >= 0)
            // A signal says that it is wanted, which this one passes over.
            try #require(fcntl(descriptor, Self.setSignal, SIGURG) == 0)
            // A process that another test just starts has all descriptors until it runs its program.
            let isTaken = try await holds(within: .seconds(30)) { fcntl(descriptor, Self.setLease, F_WRLCK) == 0 }
            try #require(isTaken, "the file's system has no leases")
        }

        /// Whether a reader waits to open the file.
        var isWaitedFor: Bool { fcntl(descriptor, Self.getLease) != F_WRLCK }

        func end() { _ = fcntl(descriptor, Self.setLease, F_UNLCK) }

        deinit {
            close(descriptor)
        }
    }

    /// Neither other origins nor timeouts nor cancellation wait for a disk.
    @Test(arguments: ["client.pem", "client.key"])
    func aFileThatIsSlowToReadHoldsUpItsOwnHostAlone(_ slow: String) async throws {
        let certificates = try await Certificates.shared
        let server = try await TLSServer { $0.mayShow = certificates.authority }
        let files = try Files()
        try files.put("client.pem", [certificates.certificate("client")])
        try files.put("client.key", [certificates.key("client")])
        let transport = try await transport(files.path("client.pem"), files.path("client.key"))
        let begin = ContinuousClock.now
        let lease = try await Lease(files.path(slow))
        defer { lease.end() }
        let (own, other) = (try server.url("localhost"), try server.url("127.0.0.1"))
        let task = Task { try await transport.get(own) }
        #expect(try await holds { lease.isWaitedFor })
        for _ in 0..<2 { #expect(try await transport.report(other).client == nil) }
        let options = TransportOptions(timeouts: TransportTimeouts(connect: .milliseconds(50)))
        for _ in 0..<3 {
            let error = try await transportError { try await transport.send(HTTPRequest(url: own), options: options) }
            #expect(error.reason == .connectTimeout)
            #expect(error.message.hasSuffix(": the files of the client certificate were not read within 0.05 seconds"))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The system itself ends a lease after 45 seconds.
        #expect(ContinuousClock.now - begin < .seconds(30))
        #expect(lease.isWaitedFor)
        lease.end()
        #expect(try await transport.report(own).client == "client")
    }

    @Test(arguments: ["1.2", "1.3"], [true, false])
    func aRenewedCertificateIsShownByTheNextConnection(_ version: String, isOneFile: Bool) async throws {
        let certificates = try await Certificates.shared
        let server = try await TLSServer { listener in
            (listener.minimum, listener.maximum) = (version, version)
            listener.mayShow = certificates.authority
            listener.script = ["close"]
        }
        let files = try Files()
        func put(_ name: String) throws {
            let (certificate, key) = (certificates.certificate(name), certificates.key(name))
            try files.put("client.pem", isOneFile ? [certificate, key] : [certificate])
            if !isOneFile { try files.put("client.key", [key]) }
        }
        try put("client")
        let keyFile = isOneFile ? "client.pem" : "client.key"
        let transport = try await transport(files.path("client.pem"), files.path(keyFile))
        let url = try server.url("localhost")
        for name in ["client", "other", "client"] {
            try put(name)
            // The session of the certificate before is not resumed, since the server would go on to see that one.
            for isResumed in [false, true] {
                let report = try await transport.report(url)
                #expect(report.client == name)
                #expect(report.resumed == isResumed)
            }
        }
    }

    @Test(
        arguments: [
            ("/nonexistent/client.pem", nil, "/nonexistent/client.pem can't be read"),
            ("/", nil, "/ can't be read"), ("a\0b", nil, "a\0b can't be read"),
            ("FIFO", nil, "FIFO can't be read"), ("HUGE", nil, "HUGE can't be read"),
            ("/dev/null", nil, "/dev/null can't be read"), ("EMPTY", nil, "EMPTY contains no certificate"),
            ("KEY", nil, "KEY contains no certificate"), ("CUT", nil, "CUT contains no certificate"),
            (nil, "/nonexistent/client.key", "/nonexistent/client.key can't be read"),
            (nil, "FIFO", "FIFO can't be read"),
            (nil, "OTHER", "OTHER contains no key that matches the certificate and the password"),
            (nil, "EMPTY", "EMPTY contains no key that matches the certificate and the password"),
        ] as [(String?, String?, String)]
    )
    func aFileThatCannotBeUsedIsNamed(_ certificate: String?, _ key: String?, _ text: String) async throws {
        let certificates = try await Certificates.shared
        let server = try await TLSServer { $0.mayShow = certificates.authority }
        let files = try Files()
        try files.put("EMPTY", [])
        try files.put("KEY", [certificates.key("client")])
        try files.put("OTHER", [certificates.key("other")])
        try #require(mkfifo(files.path("FIFO"), 0o600) == 0)
        let chain = try Data(contentsOf: URL(fileURLWithPath: certificates.certificate("client")))
        try (chain + chain.dropLast(40)).write(to: files.folder.appending(path: "CUT"))
        try Data(repeating: 0x0A, count: 2 << 20).write(to: files.folder.appending(path: "HUGE"))
        func path(_ name: String) -> String { name.first?.isUppercase == true ? files.path(name) : name }
        let transport = try await transport(
            certificate.map(path) ?? certificates.certificate("client"),
            key.map(path) ?? certificates.key("client"),
        )
        for _ in 0..<2 {
            let error = try await transportError { try await transport.get(try server.url("localhost")) }
            #expect(error.reason == .tlsFailed)
            #expect(error.message.hasPrefix("localhost:\(server.ports[0]): TLSOptions.clientCertificates: "))
            #expect(error.message.hasSuffix(text))
            #expect(try await transport.report(try server.url("127.0.0.1")).client == nil)
        }
    }

    /// Those between it and the root go along.
    @Test func aCertificateIsShownWithThoseBehindIt() async throws {
        let certificates = try await Certificates.shared
        let server = try await TLSServer { $0.clients = certificates.authority }
        let transport = try await transport(certificates.certificate("below"), certificates.key("below"))
        #expect(try await transport.report(try server.url("localhost")).client == "below")
    }
}
#endif
