#if os(Linux)
import Foundation
import Testing

@testable import HikyakuHTTP
@testable import HikyakuWire

/// The inputs that the fuzzers keep, so that the sanitizers see them too: libFuzzer's instrumentation and theirs don't
/// go together.
@Suite(.timeLimit(.minutes(2)))
struct WireFuzzCorpusTests {
    /// What stands behind the four bytes that choose what a fuzzer does.
    private static func documents(of target: String) throws -> [[UInt8]] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Fuzz/Corpus/\(target)").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { [UInt8](try Data(contentsOf: folder.appendingPathComponent($0)).dropFirst(4)) }
    }

    @Test func keptConnectionsOfHTTP2EndHoweverTheyAreCut() throws {
        let documents = try Self.documents(of: "http2")
        #expect(documents.count >= 10)
        for document in documents {
            for size in [document.count, 1, 7] {
                let connection = try TestConnection()
                let ids = try (0..<4).map { try connection.open($0 == 2 ? .head : .get, holdsBack: $0 == 1) }
                _ = connection.takeSeen()
                for start in stride(from: 0, to: document.count, by: max(size, 1)) {
                    connection.receive(document[start..<min(start + size, document.count)])
                    connection.flush()
                }
                connection.connectionEnded()
                let ends = connection.takeSeen().filter(\.isEnd).compactMap(\.stream)
                #expect(ends.sorted() == ids)
            }
        }
    }

    @Test func keptAnswersOfProxiesAreReadToTheirEnd() throws {
        let documents = try Self.documents(of: "proxy")
        #expect(documents.count >= 5)
        let origin = HTTPOrigin(scheme: "https", host: "api.example", port: nil)
        let credentials = HTTPProxy.Credentials(username: "me", password: Secret("sesame"))
        for scheme in HTTPProxy.Scheme.allCases {
            let server = HTTPProxy.Server(scheme: scheme, host: "proxy", port: 1, credentials: credentials)
            for document in documents {
                var handshake = try server.handshake(to: origin, address: server.looksUpNames ? nil : [1, 2, 3, 4])
                _ = handshake.begin()
                for byte in document {
                    if case .failed(let error) = [byte].withUnsafeBytes({ handshake.receive($0) }) {
                        #expect(error.reason == .proxyFailed)
                        break
                    }
                }
            }
        }
    }
}
#endif
