#if os(Linux)
import Foundation
import HikyakuBase
import TestSupport
import Testing

@testable import HikyakuHTTP
@testable import HikyakuWire

/// The inputs that the fuzzers keep, so that the sanitizers see them too: libFuzzer's instrumentation and theirs don't
/// go together.
@Suite(.timeLimit(.minutes(5)))
struct WireFuzzCorpusTests {
    private static func inputs(of target: String) throws -> [[UInt8]] {
        try FuzzCorpus.inputs(of: target).map(\.bytes)
    }

    /// What follows the four bytes that choose what a fuzzer does.
    private static func documents(of target: String) throws -> [[UInt8]] {
        try inputs(of: target).map { Array($0.dropFirst(4)) }
    }

    /// The document of an input of `response`, with the part between two bytes 0xFF repeated many times.
    private static func response(in input: [UInt8]) -> [UInt8] {
        let parts = input.dropFirst(4).split(separator: 0xFF, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty else { return Array(input.dropFirst(4)) }
        let times = min(Int(input[1]) * 4, 600_000 / parts[1].count)
        return Array(parts[0]) + Array(repeatElement(parts[1], count: times).joined()) + Array(parts[2])
    }

    @Test func keptResponsesAreReadAlikeHoweverTheyAreCut() throws {
        let inputs = try Self.inputs(of: "response")
        #expect(inputs.count >= 50)
        for input in inputs {
            let bytes = Self.response(in: input)
            let (isForHead, isProven) = (input.count > 2 && input[2] & 1 == 1, input.count < 3 || input[2] & 2 == 0)
            let whole = ResponseReading([bytes[...]], isForHead: isForHead, endsWith: isProven)
            for size in bytes.count > 10_000 ? [997] : [1, 7, 997] {
                let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
                #expect(ResponseReading(pieces, isForHead: isForHead, endsWith: isProven) == whole)
            }
        }
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
                _ = handshake.greeting
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
