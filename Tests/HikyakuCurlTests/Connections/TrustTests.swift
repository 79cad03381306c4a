#if os(Linux)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuCurl

/// What libcurl is told to trust; what the system really trusts is no server's that a test can start.
@Suite(.enabled(if: Certificates.isPossible), .timeLimit(.minutes(1)))
struct TrustTests {
    @Test func aFileAloneLeavesTheSystemOut() async throws {
        let own = try await Certificates.shared.authority
        let trust = try Trust.reading(.file(own), system: SystemTrust(own, "/certs")).get()
        guard case .file(let path, let folder) = trust else {
            Issue.record("\(trust)")
            return
        }
        #expect(path == own && folder == nil)
    }

    @Test func aFileStandsBesideTheSystemsFolder() async throws {
        let own = try await Certificates.shared.authority
        let trust = try Trust.reading(.systemAndFile(own), system: SystemTrust(nil, "/certs")).get()
        guard case .file(let path, let folder) = trust else {
            Issue.record("\(trust)")
            return
        }
        #expect(path == own && folder == "/certs")
    }

    @Test func aFileIsJoinedWithTheSystemsWhereThatIsAllThereIs() async throws {
        let certificates = try await Certificates.shared
        let (own, systems) = (certificates.authority, certificates.certificate("stranger"))
        let trust = try Trust.reading(.systemAndFile(own), system: SystemTrust(systems, nil)).get()
        guard case .bundle(let bundle) = trust else {
            Issue.record("\(trust)")
            return
        }
        let text = String(decoding: bundle.bytes, as: UTF8.self)
        for path in [own, systems] { #expect(text.contains(try String(contentsOfFile: path, encoding: .utf8))) }
    }

    @Test func aSystemWithoutAuthoritiesIsAnError() async throws {
        let own = try await Certificates.shared.authority
        let error = #expect(throws: TransportError.self) {
            try Trust.reading(.systemAndFile(own), system: SystemTrust(nil, nil)).get()
        }
        #expect(error?.reason == .tlsFailed)
    }

    @Test func theSystemAloneIsLeftToLibcurl() throws {
        let trust = try Trust.reading(.system, system: SystemTrust(nil, nil)).get()
        guard case .system = trust else {
            Issue.record("\(trust)")
            return
        }
    }
}
#endif
