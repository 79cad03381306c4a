#if os(Linux)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuWire

@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct PinTests {
    private func transport(_ pins: [String: [String]]) async throws -> WireTransport {
        try await WireTransport.trusting(Certificates.shared) { options in
            options.tls.pins = pins
            options.hostAddresses = ["*.test.example": ["127.0.0.1"], "*.test.example.": ["127.0.0.1"]]
        }
    }

    @Test(arguments: ["", "/"])
    func aHashMayBeginWithTheSlashThatSomeToolsWriteTwice(slash: String) throws {
        let hash = Data(repeating: 0xFF, count: 32).base64EncodedString()
        #expect(hash.hasPrefix("/"))
        let hashes = try PublicKeyPins.hashes(["sha256/" + slash + hash]).get()
        #expect(hashes == [Data(repeating: 0xFF, count: 32)])
        #expect(throws: TransportError.self) { try PublicKeyPins.hashes(["sha256/" + slash + hash.dropLast(4)]).get() }
    }

    @Test func oneOfAHostsPinsIsEnough() async throws {
        let server = try await TLSServer()
        let pins = [try await Certificates.shared.pin("other"), try await Certificates.shared.pin("server")]
        #expect(try await transport(["localhost": pins]).get(try server.url("localhost")).status == .ok)
    }

    @Test(arguments: ["localhost", "LOCALHOST", "localhost."])
    func anotherKeyIsRejectedForEverySpellingOfTheHost(_ key: String) async throws {
        let server = try await TLSServer()
        let pins = [key: [try await Certificates.shared.pin("other")]]
        let error = try await transportError { try await transport(pins).get(try server.url("localhost")) }
        #expect(error.reason == .certificatePinMismatch)
        #expect(try await transport(pins).get(try server.url("127.0.0.1")).status == .ok)
    }

    /// An address has many spellings, all of which lead to the same server.
    @Test(arguments: ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.01", "[::ffff:127.0.0.1]"])
    func noSpellingOfAnAddressEscapesItsPin(_ spelling: String) async throws {
        let server = try await TLSServer()
        var options = WireOptions()
        for (key, host) in [("127.0.0.1", spelling), (spelling, "127.0.0.1")] {
            options.tls.pins = [key: [try await Certificates.shared.pin("other")]]
            // The certificate doesn't name all of them.
            let tls = options.tls.disablingCertificateVerificationWhichLetsAnyoneReadAndChangeEverything(at: key)
            options.tls = tls
            let transport = WireTransport(options: options)
            let error = try await transportError { try await transport.get(try server.url(host)) }
            #expect(error.reason == .certificatePinMismatch, "\(key) \(host)")
        }
    }

    @Test(arguments: ["", "*", "https://localhost", "localhost:443", "local host", "*.*.example", "*.a:1", "a/b"])
    func aKeyThatIsNotAHostLetsNothingThrough(_ key: String) async throws {
        let server = try await TLSServer()
        let transport = try await transport([key: [try await Certificates.shared.pin("server")]])
        let error = try await transportError { try await transport.get(try server.url("localhost")) }
        #expect(error.reason == .tlsFailed)
        #expect(error.message.contains("TLSOptions.pins: \"\(key)\""))
    }

    @Test(arguments: ["one.test.example", "ONE.test.example", "one.test.example."])
    func aPatternHoldsForEachHostBelow(_ host: String) async throws {
        let server = try await TLSServer()
        let pins = ["*.test.example": [try await Certificates.shared.pin("other")]]
        let error = try await transportError { try await transport(pins).get(try server.url(host)) }
        #expect(error.reason == .certificatePinMismatch)
    }

    @Test func aPinnedKeyIsNotTrustedForThatAlone() async throws {
        let server = try await TLSServer("untrusted")
        let pins = ["localhost": [try await Certificates.shared.pin("untrusted")]]
        let error = try await transportError { try await transport(pins).get(try server.url("localhost")) }
        #expect(error.reason == .certificateUntrusted)
    }

    @Test func pinsHoldWhereNothingElseIsVerified() async throws {
        let server = try await TLSServer("untrusted")
        var options = WireOptions()
        options.tls.pins = ["localhost": [try await Certificates.shared.pin("server")]]
        options.tls = options.tls.disablingCertificateVerificationWhichLetsAnyoneReadAndChangeEverything(
            at: "localhost"
        )
        let error = try await transportError {
            try await WireTransport(options: options).get(try server.url("localhost"))
        }
        #expect(error.reason == .certificatePinMismatch)
    }

    @Test(arguments: [
        [], ["sha256/abc"], ["md5/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="], ["/etc/passwd"],
        ["sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;"],
    ])
    func aPinThatIsNoneLetsNothingThrough(_ pins: [String]) async throws {
        let server = try await TLSServer()
        let error = try await transportError {
            try await transport(["localhost": pins]).get(try server.url("localhost"))
        }
        #expect(error.reason == .tlsFailed)
        #expect(error.message.contains("TLSOptions.pins"))
    }

    /// All names lead to one address and one certificate that names them all, so that nothing but the pin differs.
    @Test func aConnectionToOneHostIsNeverTakenForAnother() async throws {
        let server = try await TLSServer()
        let pins = ["pinned.test.example": [try await Certificates.shared.pin("other")]]
        let transport = try await transport(pins)
        for round in 1...3 {
            #expect(try await transport.report(try server.url("free.test.example")).connection == 1)
            let error = try await transportError { try await transport.get(try server.url("pinned.test.example")) }
            #expect(error.reason == .certificatePinMismatch)
            #expect(try await transport.report(try server.url("free.test.example")).requests == round * 2)
        }
    }

    @Test func aKeptConnectionOfTheSameHostIsThatOfItsPin() async throws {
        let server = try await TLSServer()
        let pins = ["pinned.test.example": [try await Certificates.shared.pin("server")]]
        let transport = try await transport(pins)
        for _ in 0..<3 {
            #expect(try await transport.report(try server.url("pinned.test.example")).connection == 1)
            #expect(try await transport.report(try server.url("free.test.example")).connection == 2)
        }
    }
}
#endif
