#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FailureTests {
    @Test func aRefusedPortIsNamed() async throws {
        let server = try MockServer()
        let url = try server.url("/path?token=secret")
        server.stop()
        let error = try await transportError { try await WireTransport().get(url) }
        #expect(error.reason == .connectionRefused)
        #expect(error.message.contains("127.0.0.1:\(server.port)"))
        let underlying = try #require(error.underlyingError as? WireError)
        #expect(underlying.systemErrorNumber == Int(ECONNREFUSED))
        #expect(!"\(error) \(underlying)".contains("secret"))
    }

    @Test func anUnknownHostIsNamed() async throws {
        let url = try #require(URL(string: "http://x.invalid/path?token=secret"))
        let error = try await transportError { try await WireTransport().get(url) }
        #expect(error.reason == .hostNotFound)
        #expect(error.message.contains("x.invalid:80"))
        #expect(!error.description.contains("secret"))
    }

    @Test func aConnectionThatIsNotAcceptedTimesOut() async throws {
        // A listener whose queue is full answers no further connection.
        let listener = try FullListener()
        let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/"))
        let timeout = Duration.milliseconds(200)
        let options = TransportOptions(timeouts: TransportTimeouts(connect: timeout))
        let error = try await timely(after: timeout) {
            try await transportError { try await WireTransport().send(HTTPRequest(url: url), options: options) }
        }
        #expect(error.reason == .connectTimeout)
    }

    @Test func aServerWithoutTLSFailsTheHandshake() async throws {
        let wire = try Wire()
        let url = try #require(URL(string: "https://127.0.0.1:\(wire.server.port)/"))
        let error = try await transportError { try await WireTransport().get(url) }
        #expect(error.reason == .tlsFailed)
        #expect(error.message.contains(": this port does not speak TLS"), "\(error)")
        #expect(error.hint?.hasPrefix("Use http instead of https") == true)
    }

    @Test func closingWithoutAnAnswerIsNotASuccess() async throws {
        let wire = try Wire()
        #expect(try await wire.failure(after: .close).reason == .connectionClosed)
    }

    @Test(arguments: [
        "HTTX/1.1 200 OK\r\n\r\n", "nonsense", "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 99 Low\r\n\r\n",
        "HTTP/1.1 2000 High\r\n\r\n", "HTTP/1.1 20x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nNo colon\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: x\r\nContent-Length: 0\r\n\r\n",
    ])
    func whatIsNotAResponseIsMalformed(_ text: String) async throws {
        let wire = try Wire()
        #expect(try await wire.failure(after: .write(text), .close).reason == .malformedResponse)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func aConnectionThatBreaksOffIsReset(_ text: String) async throws {
        let wire = try Wire()
        let error = try await wire.failure(after: .write(text), .pause(.milliseconds(100)), .reset)
        #expect(error.reason == .connectionReset)
        #expect((error.underlyingError as? WireError)?.systemErrorNumber == Int(ECONNRESET))
    }

    @Test func aFailureLeavesTheTransportUsable() async throws {
        let wire = try Wire { _ in .text("fine") }
        for _ in 0..<20 {
            #expect(try await wire.failure(after: .write("HTTP/1.1 200 OK\r\n\0"), .close).reason != .transportFailed)
            #expect(try await wire.send().text() == "fine")
        }
    }
}
#endif
