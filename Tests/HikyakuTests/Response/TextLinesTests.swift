import Foundation
import Hikyaku
import HikyakuTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TextLinesTests {
    private func lines(_ pieces: [String]) async throws -> [String] { try await lines(pieces.map { Data($0.utf8) }) }

    private func lines(_ pieces: [Data]) async throws -> [String] {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
        var lines: [String] = []
        for try await line in HTTPBody(stream).lines { lines.append(line) }
        return lines
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]),
        ("\n\na\n", ["", "", "a"]), ("\u{FEFF}飛\n脚", ["飛", "脚"]), ("a\rb\n", ["a\rb"]),
    ]) func anyEndOfALine(text: String, expected: [String]) async throws {
        #expect(try await lines([text]) == expected)
        #expect(try await lines(text.utf8.map { Data([$0]) }) == expected)
    }

    @Test func aLineHasALimit() async throws {
        let half = String(repeating: "x", count: 1 << 19)
        #expect(try await lines([half, half, "\nb"]).map(\.utf8.count) == [1 << 20, 1])
        let error = await #expect(throws: TransportError.self) { try await lines(["a\n", half, half, "x"]) }
        #expect(error?.reason == .bodyTooLarge)
        let whole = await #expect(throws: TransportError.self) { try await lines([half + half + "x\n"]) }
        #expect(whole?.reason == .bodyTooLarge && "\(String(describing: whole))".contains("line 1"))
    }

    @Test func bytesThatAreNotTextAreAnError() async throws {
        let pieces = [Data("a\n".utf8), Data([0xFF, 0x0A])]
        let error = await #expect(throws: DecodingDiagnosis.self) { try await lines(pieces) }
        #expect(error?.kind == .wrongCharset && "\(String(describing: error))".contains("line 2"))
    }

    /// The body has one reader: a second one gets an error in place of a data race.
    @Test func twoTasksCannotReadAtOnce() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        let lines = HTTPBody(stream).lines
        let readers = (0..<2).map { _ in
            Task {
                var iterator = lines.makeAsyncIterator()
                return try await iterator.next()
            }
        }
        // The one that waits gets the line, after the other one has failed.
        let outcomes = await withTaskGroup(of: Result<String?, any Error>.self) { group in
            for reader in readers { group.addTask { await reader.result } }
            let first = await group.next()
            continuation.yield(Data("a\n".utf8))
            continuation.finish()
            return [first, await group.next()].compactMap(\.self)
        }
        let failures = outcomes.compactMap { outcome -> FailureReason? in
            guard case .failure(let error) = outcome else { return nil }
            return (error as? TransportError)?.reason
        }
        #expect(failures == [.bodyConsumed] && outcomes.contains { (try? $0.get()) == "a" })
    }

    private struct Log: APIRequest {
        typealias Definition = StreamedResponse
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/log" }
    }

    @Test func theErrorIsThatOfTheCall() async throws {
        let transport = MockTransport()
        transport.enqueue(HTTPResponse(status: .ok, body: HTTPBody("a\nb\n")))
        let client = APIClient(transport: transport)
        var lines: [String] = []
        for try await line in try await client.send(Log()).lines { lines.append(line) }
        #expect(lines == ["a", "b"])
        let pieces = AsyncStream { continuation in
            continuation.yield(Data([0xFF]))
            continuation.finish()
        }
        transport.enqueue(HTTPResponse(status: .ok, body: HTTPBody(pieces)))
        let body = try await client.send(Log())
        let error = await #expect(throws: APIError<ProblemDetails>.self) { for try await _ in body.lines {} }
        #expect(error?.reason == .wrongCharset)
    }
}
