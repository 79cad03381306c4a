import Foundation
import HikyakuBase
import HikyakuHTTP
import Testing

/// The options of a transport, and its events.
@Suite struct TransportSettingsTests {
    // MARK: - Proxies

    private static let credentials = HTTPProxy.Credentials(username: "me", password: Secret("hunter2"))

    private func server(_ proxy: HTTPProxy) throws -> HTTPProxy.Server {
        guard case .server(let server) = proxy.kind else { throw NoServer() }
        return server
    }

    private struct NoServer: Error {}

    @Test func aProxyIsWhatItWasMadeOf() throws {
        let exceptions = ["10.0.0.0/8", "a.example"]
        let proxies: [(HTTPProxy, HTTPProxy.Scheme)] = [
            (.http(host: "p", port: 1, credentials: Self.credentials, exceptions: exceptions), .http),
            (.https(host: "p", port: 1, credentials: Self.credentials, exceptions: exceptions), .https),
            (.socks5(host: "p", port: 1, credentials: Self.credentials, exceptions: exceptions), .socks5),
        ]
        for (proxy, scheme) in proxies {
            let server = try server(proxy)
            #expect(server.scheme == scheme)
            #expect((server.host, server.port) == ("p", 1))
            #expect(server.credentials == Self.credentials)
            #expect(proxy.exceptions == exceptions)
            #expect(server.problem == nil)
            #expect(!"\(proxy)".contains("hunter2"))
        }
        #expect(Set(proxies.map(\.0)).count == 3)
        #expect(try server(.socks5(host: "p", port: 1)).scheme.rawValue == "socks5h", "it looks up the names")
    }

    @Test(arguments: [
        ("", 80, nil, "the host is not a name or an address"),
        ("http://p", 80, nil, "the host is not a name or an address"),
        (".p", 80, nil, "the host is not a name or an address"),
        ("p..q", 80, nil, "the host is not a name or an address"),
        (".", 80, nil, "the host is not a name or an address"),
        ("p", 0, nil, "the port is not in 1...65535"),
        ("p", 65_536, nil, "the port is not in 1...65535"),
        ("p", 80, "a:b", "the credentials contain a NUL, or the name contains a colon"),
        ("p", 80, "a\0", "the credentials contain a NUL, or the name contains a colon"),
        ("p", 65_535, "a", nil),
        ("127.0.0.1", 1, nil, nil),
        ("[::1]", 1, nil, nil),
        ("::1", 1, nil, nil),
    ])
    func aProxyThatCannotBeUsedHasAProblem(_ host: String, _ port: Int, _ name: String?, _ problem: String?) throws {
        let credentials = name.map { HTTPProxy.Credentials(username: $0, password: Secret("b")) }
        #expect(try server(.http(host: host, port: port, credentials: credentials)).problem == problem)
    }

    @Test func aNULInAPasswordIsAProblem() throws {
        let credentials = HTTPProxy.Credentials(username: "a", password: Secret("b\0"))
        let problem = try server(.socks5(host: "p", port: 1, credentials: credentials)).problem
        #expect(problem == "the credentials contain a NUL, or the name contains a colon")
    }

    // MARK: - TLS

    @Test func everythingIsVerifiedByDefault() {
        let options = TLSOptions()
        #expect(options.trustedAuthorities == .system)
        #expect(options.minimumVersion == .tls12)
        #expect(options.clientCertificates.isEmpty && options.pins.isEmpty && options.unverifiedHosts.isEmpty)
    }

    @Test func authoritiesOfAFileAreAloneOrBesideTheSystems() {
        let (alone, beside) = (TLSOptions.Authorities.file("a.pem"), TLSOptions.Authorities.systemAndFile("a.pem"))
        #expect((alone.includesSystem, alone.file) == (false, "a.pem"))
        #expect((beside.includesSystem, beside.file) == (true, "a.pem"))
        #expect(Set([alone, beside, .system, .file("b.pem")]).count == 4)
    }

    @Test func theOlderVersionIsLess() {
        #expect(TLSOptions.Version.tls12 < .tls13)
        #expect(max(TLSOptions.Version.tls13, .tls12) == .tls13)
    }

    @Test func aPKCS12CertificateIsNotPrinted() {
        let certificate = TLSOptions.ClientCertificate.pkcs12(Data("bytes".utf8), password: Secret("hunter2"))
        var text = "\(certificate)"
        dump(certificate, to: &text)
        #expect(!text.contains("hunter2") && !text.contains("bytes"))
        #expect(certificate != .pkcs12(Data("bytes".utf8), password: Secret("hunter3")))
    }

    @Test(arguments: [(-1, 0), (0.25, 0.25), (7, 1), (.nan, 0.5), (.infinity, 1)] as [(Float, Float)])
    func aPriorityIsBroughtIntoItsRange(_ given: Float, _ used: Float) {
        #expect(NetworkPreferences(priority: given).priorityInRange == used)
    }

    @Test func hostsThatAreNotVerifiedAddUpAndNothingElseChanges() {
        let certificate = TLSOptions.ClientCertificate(
            certificateFile: "c.pem",
            keyFile: "k.pem",
            keyPassword: Secret("hunter2"),
        )
        let options = TLSOptions(
            trustedAuthorities: .file("a.pem"),
            minimumVersion: .tls13,
            clientCertificates: ["a.example": certificate],
            pins: ["b.example": ["sha256/x"]],
        )
        let changed =
            options
            .disablingCertificateVerificationWhichLetsAnyoneReadAndChangeEverything(at: "a", "b")
            .disablingCertificateVerificationWhichLetsAnyoneReadAndChangeEverything(at: "c")
        #expect(changed.unverifiedHosts == ["a", "b", "c"])
        #expect(options.unverifiedHosts.isEmpty, "the options themselves stay as they are")
        #expect(changed.trustedAuthorities == .file("a.pem") && changed.minimumVersion == .tls13)
        #expect(changed.clientCertificates["a.example"] == certificate)
        #expect(changed.pins == ["b.example": ["sha256/x"]])
        #expect(!"\(changed)".contains("hunter2"))
    }

    // MARK: - Observers

    private final class Recorder: EventObserver {
        private let seen = Lock<[String]>([])
        private let log: Lock<[String]>
        private let name: String

        init(_ name: String, _ log: Lock<[String]>) {
            (self.name, self.log) = (name, log)
        }

        func observe(_ event: TransportEvent) {
            log.withLock { $0.append("\(name) \(event.exchange) \(event.kind)") }
        }
    }

    @Test func anEmitterEmitsTheEventsOfOneExchange() throws {
        #expect(EventEmitter(nil) == nil)
        let log = Lock<[String]>([])
        let first = try #require(EventEmitter(Recorder("a", log)))
        let second = try #require(EventEmitter(Recorder("b", log)))
        #expect(second.exchange > first.exchange, "no two have one number")
        first.emit(.connected)
        second.emit(.bytesSent(1, expected: 2))
        first.emit(.ended(.idleTimeout))
        #expect(
            log.withLock(\.self) == [
                "a \(first.exchange) connected", "b \(second.exchange) bytesSent(1, expected: Optional(2))",
                "a \(first.exchange) ended(Optional(timedOut.idleTimeout))",
            ]
        )
    }

    @Test func anEventKeepsItsInstant() throws {
        final class Instants: EventObserver {
            let all = Lock<[ContinuousClock.Instant]>([])
            func observe(_ event: TransportEvent) { all.withLock { $0.append(event.instant) } }
        }
        let instants = Instants()
        let emitter = try #require(EventEmitter(instants))
        let before = ContinuousClock.now
        emitter.emit(.connected)
        emitter.emit(.secured, at: before - .seconds(5))
        let (first, second) = try instants.all.withLock { (try #require($0.first), try #require($0.last)) }
        #expect(before...ContinuousClock.now ~= first)
        #expect(second == before - .seconds(5))
    }

    @Test func severalObserversReceiveEventsInTurn() throws {
        let log = Lock<[String]>([])
        #expect(ObserverGroup.of([]) == nil)
        let one = Recorder("a", log)
        #expect(ObserverGroup.of([one]) as? Recorder === one)
        let all = try #require(ObserverGroup.of([one, Recorder("b", log), Recorder("c", log)]))
        all.observe(TransportEvent(exchange: 7, kind: .firstByte))
        #expect(log.withLock(\.self) == ["a 7 firstByte", "b 7 firstByte", "c 7 firstByte"])
    }

    @Test func whatATransportThrowsHasAReason() {
        struct Own: Error {}
        #expect(FailureReason(of: TransportError(.hostNotFound, "")) == .hostNotFound)
        #expect(FailureReason(of: CancellationError()) == .cancelled)
        #expect(FailureReason(of: Own()) == .transportFailed)
    }

    @Test func aDriftCountsOnceByDefault() {
        let drift = ResponseDrift(kind: "defaultedKey", typeName: "String", pointer: "/items/*/title")
        #expect(drift.count == 1)
        #expect(drift != ResponseDrift(kind: "defaultedKey", typeName: "String", pointer: "/items/*/title", count: 2))
        #expect(drift != ResponseDrift(kind: "defaultedKey", typeName: "String", pointer: nil))
    }
}
