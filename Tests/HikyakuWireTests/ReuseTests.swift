#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

@Suite(.timeLimit(.minutes(5)))
struct ReuseTests {
    private struct Sent: Equatable, CustomTestStringConvertible {
        var method: HTTPMethod
        var headers: HTTPHeaders
        var body = ""

        var testDescription: String { "\(method) \(headers.map { "\($0.name): \($0.value)" }) \(body)" }
    }

    /// Each request goes over the handle and the connection of the one before it.
    @Test func nothingOfARequestIsLeftForTheNext() async throws {
        let wire = try Wire { request in .text("for \(request.method)") }
        let kinds: [Sent] = [
            Sent(method: .get, headers: [:]),
            Sent(method: .head, headers: ["X-Head": "1"]),
            Sent(method: .post, headers: ["Authorization": "secret"], body: "posted"),
            Sent(method: .post, headers: [:]),
            Sent(method: .delete, headers: [:]),
            Sent(method: .put, headers: ["Content-Type": "text/plain"], body: String(repeating: "p", count: 40_000)),
            Sent(method: .get, headers: ["x-a": "1"], body: "got"),
            Sent(method: "PURGE", headers: ["X-A": "1"]),
        ]
        var expected: [Sent] = []
        for first in kinds {
            for second in kinds { expected += [first, second] }
        }
        for sent in expected {
            let body = sent.body.isEmpty ? nil : HTTPBody(sent.body)
            let response = try await wire.send(sent.method, headers: sent.headers, body: body)
            #expect(try await response.text() == (sent.method == .head ? "" : "for \(sent.method)"))
        }
        let received = wire.server.requests.map { request in
            let own = request.headers.filter { $0.name != .host && $0.name != .contentLength }
            return Sent(method: request.method, headers: HTTPHeaders(own), body: request.bodyText)
        }
        #expect(received == expected)
        #expect(received.map { $0.headers.map(\.name.rawName) } == expected.map { $0.headers.map(\.name.rawName) })
        #expect(wire.server.connectionCount == 1)
    }

    @Test func aBodyIsNotSentWithTheNextRequestAfterAFailure() async throws {
        let wire = try Wire { request in .text("\(request.method) \(request.bodyText)") }
        for _ in 0..<3 {
            wire.server.enqueue(.raw([.write("nonsense\r\n\r\n"), .close]))
            _ = try await transportError { try await wire.send(.post, headers: ["X-A": "1"], body: "secret") }
            #expect(try await wire.send(.post).text() == "POST ")
            #expect(wire.server.requests.last?.headers["X-A"] == nil)
        }
    }

    @Test func sixtyFourAtOnceGetTheirOwnAnswersAndKeepTheirConnections() async throws {
        let wire = try Wire { request in .text("\(request.path) \(request.bodyText)") }
        for round in 1...5 {
            try await withThrowingTaskGroup { group in
                for number in 0..<64 {
                    let request = try wire.request(.post, "/\(round)/\(number)", body: HTTPBody("body \(number)"))
                    group.addTask { [transport = wire.transport] in
                        let response = try await transport.send(request, options: TransportOptions())
                        #expect(try await response.text() == "/\(round)/\(number) body \(number)")
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(wire.server.requests.count == 320)
        #expect(wire.server.connectionCount <= 64)
    }

    @Test func aKeptConnectionThatTheServerClosedIsReplaced() async throws {
        let wire = try Wire { _ in .text("hi") }
        wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"), .close]))
        try await wire.send(.post)
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
        #expect(try await wire.send(.post).text() == "hi")
        #expect(wire.server.connectionCount == 2)
    }

    @Test(arguments: [HTTPMethod.get, .put, .delete])
    func anIdempotentRequestIsSentAgainWhenAKeptConnectionDies(_ method: HTTPMethod) async throws {
        let wire = try Wire { request in .text("again \(request.bodyText.count)") }
        wire.server.enqueue(.text("first"), .raw([.close]))
        try await wire.send(method)
        let body = String(repeating: "b", count: 100_000)
        #expect(try await wire.send(method, body: HTTPBody(body)).text() == "again 100000")
        #expect(wire.server.requests.count == 3)
    }

    /// After one dead connection, the second try uses a new connection, whatever others were kept.
    @Test func aRequestIsSentTwiceAtMostHoweverManyKeptConnectionsDie() async throws {
        let warmCount = Lock(0)
        let wire = try Wire { request in
            guard request.path == "/warm" else { return .raw([.close]) }
            warmCount.withLock { $0 += 1 }
            // So that each of them needs a connection of its own.
            _ = holdsBlocking { warmCount.withLock(\.self) == 4 }
            return .text("warm")
        }
        let warm = try wire.request(.get, "/warm")
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { [transport = wire.transport] in
                    _ = try await transport.send(warm, options: TransportOptions())
                }
            }
            try await group.waitForAll()
        }
        #expect(wire.server.connectionCount == 4)
        let error = try await transportError { try await wire.send(.get, "/dead") }
        #expect(error.reason == .connectionClosed)
        #expect(wire.server.requests.count { $0.path == "/dead" } == 2)
        #expect(wire.server.connectionCount == 5)
    }

    @Test(arguments: [HTTPMethod.post, .patch])
    func aPostIsNeverSentTwice(_ method: HTTPMethod) async throws {
        let wire = try Wire { _ in .text("again") }
        wire.server.enqueue(.text("first"), .raw([.close]))
        try await wire.send(method, body: "one")
        let error = try await transportError { try await wire.send(method, body: "two") }
        #expect(error.reason == .connectionClosed)
        #expect(wire.server.requests.map(\.bodyText) == ["one", "two"])
        #expect(try await wire.send(method, body: "three").text() == "again")
    }
}

extension HTTPHeaders {
    init(_ fields: [Field]) {
        self.init()
        for field in fields { append(field.name, field.value) }
    }

    // MARK: - The rule

    /// For either protocol: how often the same exchange may be sent again.
    @Test(arguments: [.get, .post] as [HTTPMethod], [.unsent, .refused, .sent] as [Exchange.Loss])
    func aRequestThatMayHaveArrivedIsRepeatedOnce(_ method: HTTPMethod, _ loss: Exchange.Loss) throws {
        let request = HTTPRequest(method: method, url: URL(filePath: "/"))
        let exchange = try Exchange(request, TransportOptions())
        let answered = try Exchange(request, TransportOptions())
        _ = Array("H".utf8).withUnsafeBytes { answered.feed($0) }
        let lost = TransportError(.connectionReset, "not applicable")
        func decide(_ exchange: Exchange, isAllowed: Bool = true) -> String {
            exchange.prepareReplay(isAllowed: isAllowed, loss, after: lost)?.message ?? "ready"
        }
        #expect(decide(exchange, isAllowed: false) == "not applicable")
        #expect(decide(answered) == "not applicable")
        let mayGo = method == .get || loss != .sent
        var options = TransportOptions()
        options.resendsOnce = false
        #expect(decide(try Exchange(request, options)) == (loss == .unsent ? "ready" : "not applicable"))
        let refusal = "the kept connection was closed, and POST is not idempotent, so it is not sent again"
        #expect(decide(exchange) == (mayGo ? "ready" : refusal))
        #expect(decide(exchange) == (loss == .unsent ? "ready" : mayGo ? "not applicable" : refusal))
    }
}
#endif
