import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuURLSession

/// The decisions about trust and proxies that Apple's frameworks carry out.
struct TLSRulesTests {
    private static let key = Data((0..<32).map { UInt8($0) })
    private static let pin = "sha256/\(key.base64EncodedString())"

    /// The smallest certificate that has a key: versions 3 and 1.
    private static func certificate(hasVersion: Bool = true) -> Data {
        func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            let length: [UInt8] =
                content.count < 128
                ? [UInt8(content.count)] : [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
            return [tag] + length + content
        }
        let version = hasVersion ? value(0xA0, value(0x02, [2])) : []
        let names = (0..<4).flatMap { _ in value(0x30, [UInt8](repeating: 7, count: 100)) }
        let fields = version + value(0x02, [1, 2, 3]) + names + value(0x30, value(0x03, [0, 9, 9]))
        return Data(value(0x30, value(0x30, fields) + value(0x30, []) + value(0x03, [0])))
    }

    private static let info = Data([0x30, 5, 0x03, 3, 0, 9, 9])

    @Test(arguments: [true, false])
    func findsThePublicKeyOfACertificate(_ hasVersion: Bool) {
        let certificate = Self.certificate(hasVersion: hasVersion)
        #expect(CertificateBytes.publicKeyInfo(of: certificate) == Self.info)
        // As a part of other data, whose indices don't begin at 0.
        #expect(CertificateBytes.publicKeyInfo(of: (Data([1, 2]) + certificate).dropFirst(2)) == Self.info)
    }

    @Test func aDamagedCertificateHasNoKey() {
        let whole = Self.certificate()
        for count in 0..<whole.count - 6 { #expect(CertificateBytes.publicKeyInfo(of: whole.prefix(count)) == nil) }
        // Any byte may have any value.
        for place in whole.indices {
            for value in [0x00, 0x30, 0x7F, 0x80, 0x84, 0x88, 0xFF] as [UInt8] {
                var changed = whole
                changed[place] = value
                _ = CertificateBytes.publicKeyInfo(of: changed)
            }
        }
        #expect(CertificateBytes.publicKeyInfo(of: Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0])) == nil)
        #expect(CertificateBytes.publicKeyInfo(of: Data([0x30, 0x80, 0, 0])) == nil)
    }

    @Test func readsPEMFiles() {
        let text = """
            A comment
            -----BEGIN CERTIFICATE-----
            AQID
            BA==
            -----END CERTIFICATE-----
            -----BEGIN CERTIFICATE-----\r
            BQY=\r
            -----END CERTIFICATE-----
            """
        #expect(CertificateBytes.pem(text) == [Data([1, 2, 3, 4]), Data([5, 6])])
        #expect(CertificateBytes.pem("nothing") == [])
        for broken in [
            "-----BEGIN CERTIFICATE-----\nAQ==\n", "-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nAQ==\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
        ] {
            #expect(CertificateBytes.pem(broken) == nil, "\(broken)")
        }
    }

    // MARK: - Decisions

    private func decision(
        _ options: TLSOptions,
        at host: String = "a.example",
        isTrusted: Bool = true,
        hash: Data = key,
    ) throws -> String {
        let decision = try TLSRules(options).decision(for: host) {
            isTrusted ? nil : TransportError(.certificateUntrusted, "")
        } certificate: {
            Self.certificate()
        } hash: { bytes in
            bytes == Self.info ? hash : Data()
        }
        return switch decision {
        case .system: "system"
        case .accept: "accept"
        case .reject(let error): error.reason.code
        }
    }

    @Test func withoutOptionsTheSystemDecides() throws {
        #expect(try decision(TLSOptions()) == "system")
        #expect(try decision(TLSOptions(pins: ["b.example": [Self.pin]])) == "system")
        #expect(try TLSRules(TLSOptions()).isDefault)
    }

    @Test func aPinIsNeededBesideTrust() throws {
        let options = TLSOptions(pins: ["*.example": [Self.pin]])
        #expect(try decision(options) == "accept")
        #expect(try decision(options, hash: Data(count: 32)) == "certificatePinMismatch")
        #expect(try decision(options, isTrusted: false) == "certificateUntrusted")
        #expect(try decision(options, at: "A.EXAMPLE.") == "accept")
    }

    @Test func aHostThatIsNotVerifiedStillNeedsItsPin() throws {
        let options = TLSOptions(pins: ["a.example": [Self.pin]])
            .disablingCertificateVerificationWhichLetsAnyoneReadAndChangeEverything(at: "a.example", "b.example")
        #expect(try decision(options, isTrusted: false) == "accept")
        #expect(try decision(options, isTrusted: false, hash: Data(count: 32)) == "certificatePinMismatch")
        #expect(try decision(options, at: "b.example", isTrusted: false) == "accept")
        #expect(try decision(options, at: "c.example", isTrusted: false) == "system")
    }

    @Test func anOptionThatCanNotBeUsedFailsAtOnce() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "authorities-\(UUID().uuidString).pem")
        try Data("no certificate".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for (options, text) in [
            (TLSOptions(pins: ["a.example": ["sha256/x"]]), "TLSOptions.pins"),
            (TLSOptions(pins: ["a.example": []]), "TLSOptions.pins"),
            (TLSOptions(pins: ["https://a.example": [Self.pin]]), "pins"),
            (TLSOptions(trustedAuthorities: .file("/nonexistent/root.pem")), "can't be read"),
            (TLSOptions(trustedAuthorities: .systemAndFile(file.path())), "no certificate"),
            (TLSOptions(trustedAuthorities: .file("a\0b")), "can't be read"),
        ] {
            let error = #expect(throws: TransportError.self) { try TLSRules(options) }
            #expect(error?.reason == .tlsFailed)
            #expect(error?.message.contains(text) == true, "\(String(describing: error))")
        }
    }

    // MARK: - Proxies

    @Test func aProxyIsSetAsFarAsThereAreSettings() throws {
        #expect(try SessionProxy(.environment) == .system)
        #expect(try SessionProxy(.none) == .none)
        #expect(try SessionProxy(.http(host: "proxy.example", port: 3128, exceptions: ["*"])) == .none)
        let proxy = HTTPProxy.socks5(host: "[::1]", port: 1080, exceptions: ["internal.example", ".b.example"])
        guard case .server(let server, let domains) = try SessionProxy(proxy) else { throw Failure() }
        #expect(server.unbracketedHost == "::1")
        #expect(domains == ["internal.example", "b.example"])
    }

    private struct Failure: Error {}

    @Test func whatCanNotBeSetIsAnError() {
        for proxy in [
            HTTPProxy.http(host: "no host", port: 80), .http(host: "proxy.example", port: 0),
            .http(host: "proxy.example", port: 3128, exceptions: ["10.0.0.0/8"]),
        ] {
            let error = #expect(throws: TransportError.self) { try SessionProxy(proxy) }
            #expect(error?.reason == .proxyFailed)
        }
    }

    #if !canImport(Darwin)
    @Test func onLinuxNothingOfItIsIgnoredSilently() {
        #expect(throws: Never.self) { try URLSessionTransport(tls: TLSOptions()) }
        for options in [
            TLSOptions(minimumVersion: .tls13), TLSOptions(pins: ["a.example": [Self.pin]]),
            TLSOptions(clientCertificates: ["a.example": .keychain(label: "a")]),
        ] {
            let error = #expect(throws: TransportError.self) { try URLSessionTransport(tls: options) }
            #expect(error?.reason == .tlsFailed)
        }
        let error = #expect(throws: TransportError.self) {
            try URLSessionTransport(tls: TLSOptions(), proxy: .none)
        }
        #expect(error?.reason == .proxyFailed)
    }
    #endif
}
