#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

/// The events of an exchange that an observer receives.
@Suite(.casesAtOnce(6), .timeLimit(.minutes(5)))
struct EventTests {
    private let observer = Listener()

    private func options(_ timeouts: TransportTimeouts = TransportTimeouts()) -> TransportOptions {
        TransportOptions(timeouts: timeouts, observer: observer)
    }

    @Test func anExchangeEmitsEventsFromItsStartToItsEnd() async throws {
        let wire = try Wire { _ in .text("hello") }
        try await wire.send(options: options())
        #expect(
            observer.words == [
                "began GET", "nameFound", "connected", "ready(new http/1.1)", "requestSent", "firstByte",
                "bytesReceived 5 of 5", "ended",
            ]
        )
        let events = observer.events
        #expect(Set(events.map(\.exchange)).count == 1)
        #expect(events.map(\.instant) == events.map(\.instant).sorted())
    }

    @Test(arguments: [1, 7, 1000])
    func interimResponsesAreEmittedInOrder(_ pieceBytes: Int) async throws {
        let wire = try Wire()
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        for _ in 0..<2 { wire.server.enqueue(.raw([.write(interim + head, pieceBytes: pieceBytes)])) }
        try await wire.send()
        try await wire.send(options: options())
        let words = observer.words.filter { !$0.hasPrefix("bytes") }
        #expect(
            words == [
                "began GET", "ready(reused http/1.1)", "requestSent", "firstByte", "interim 103", "interim 102",
                "ended",
            ]
        )
    }

    @Test func aKeptConnectionIsOnlyReady() async throws {
        let wire = try Wire { _ in MockAnswer(status: 204) }
        try await wire.send()
        for _ in 0..<50 { try await wire.send(options: options()) }
        let expected = ["began GET", "ready(reused http/1.1)", "requestSent", "firstByte", "ended"]
        #expect(observer.words == Array(repeating: expected, count: 50).flatMap(\.self))
        #expect(Set(observer.events.map(\.exchange)).count == 50)
    }

    @Test(.enabled(if: Certificates.isPossible))
    func aConnectionOverTLSIsSecuredOnce() async throws {
        let server = try await TLSServer()
        let transport = try await WireTransport.trusting(Certificates.shared)
        let request = HTTPRequest(url: try server.url())
        for _ in 0..<2 { _ = try await transport.send(request, options: options()) }
        let words = observer.words.filter { !$0.hasPrefix("bytes") }
        #expect(
            words == [
                "began GET", "nameFound", "connected", "secured", "ready(new http/1.1)", "requestSent", "firstByte",
                "ended", "began GET", "ready(reused http/1.1)", "requestSent", "firstByte", "ended",
            ]
        )
    }

    @Test(arguments: [5, 30_000, 40_000, 5 << 20])
    func bothBodiesAreCountedUpToTheWhole(_ count: Int) async throws {
        let wire = try Wire { request in .text(request.bodyText) }
        let body = HTTPBody(String(repeating: "x", count: count))
        #expect(try await wire.send(.post, body: body, options: options()).body.count == count)
        let sent = observer.events.compactMap { event -> Int? in
            guard case .bytesSent(let done, let expected) = event.kind else { return nil }
            #expect(expected == count)
            return done
        }
        let received = observer.events.compactMap { event -> Int? in
            guard case .bytesReceived(let done, let expected) = event.kind else { return nil }
            #expect(expected == count)
            return done
        }
        for counts in [sent, received] {
            #expect(counts.last == count)
            #expect(zip(counts, counts.dropFirst()).allSatisfy(<))
        }
        let words = observer.words.filter { !$0.hasPrefix("bytes") }
        #expect(words.suffix(4) == ["ready(new http/1.1)", "requestSent", "firstByte", "ended"])
        let lastSent = try #require(observer.words.lastIndex { $0.hasPrefix("bytesSent") })
        let requestSent = try #require(observer.words.firstIndex(of: "requestSent"))
        #expect(lastSent < requestSent)
    }

    @Test func aBodyOfUnknownLengthHasNoExpectation() async throws {
        let wire = try Wire { _ in .text("").chunked(["ab", "cd"]) }
        try await wire.send(options: options())
        #expect(observer.words.filter { $0.hasPrefix("bytes") }.last == "bytesReceived 4 of ?")
    }

    @Test func aSentRequestIsReportedBeforeItsResponse() async throws {
        let wire = try Wire { _ in .raw([.stall]) }
        let request = try wire.request(.post, body: "hi")
        let task = Task { [transport = wire.transport, options = options()] in
            try await transport.send(request, options: options)
        }
        #expect(try await holds(within: .seconds(20)) { observer.words.last == "requestSent" })
        #expect(observer.words.contains("bytesSent 2 of 2"))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(observer.words.last == "ended cancelled")
    }

    @Test func failuresHaveAnEndWithTheirReason() async throws {
        let wire = try Wire()
        wire.server.enqueue(.raw([.close]))
        _ = try await transportError { try await wire.send(options: options()) }
        #expect(observer.words.suffix(2) == ["requestSent", "ended transport.connectionClosed"])
        wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .close]))
        _ = try await transportError { try await wire.send(options: options()) }
        #expect(observer.words.suffix(2) == ["bytesReceived 5 of 9", "ended transport.truncatedResponse"])
        wire.server.enqueue(.raw([.stall]))
        _ = try await transportError {
            try await wire.send(options: options(TransportTimeouts(firstByte: .milliseconds(50))))
        }
        #expect(observer.words.last == "ended timedOut.firstByteTimeout")
        await wire.transport.shutdown(within: .zero)
        _ = try await transportError { try await wire.send(options: options()) }
        #expect(observer.words.suffix(2) == ["began GET", "ended transport.shutDown"])
    }

    @Test func aStreamedResponseThatCannotBeReadEndsWithTheSameReason() async throws {
        let wire = try Wire()
        wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nb(d: x\r\nContent-Length: 9\r\n\r\nshort"), .stall]))
        let options = TransportOptions(streamsBody: true, observer: observer)
        #expect(try await transportError { try await wire.send(options: options) }.reason == .malformedResponse)
        #expect(try await holds { observer.words.last == "ended transport.malformedResponse" })
    }

    @Test func aStreamThatIsDroppedWithItsTransportWasCancelled() async throws {
        for _ in 0..<300 {
            let (observer, wire) = (Listener(), try MockServer())
            defer { wire.stop() }
            wire.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .stall]))
            let options = TransportOptions(streamsBody: true, observer: observer)
            let request = HTTPRequest(url: try wire.url("/"))
            for try await _ in try await WireTransport().send(request, options: options).body { break }
            #expect(try await holds { observer.words.last?.hasPrefix("ended") == true })
            #expect(observer.words.last == "ended cancelled")
        }
    }

    @Test func anEmptyFileIsOutAtOnce() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        let body = try HTTPBody.file(at: file.path)
        let wire = try Wire { _ in MockAnswer(status: 204) }
        try await wire.send(.put, body: body, options: options())
        #expect(observer.words.suffix(4) == ["ready(new http/1.1)", "requestSent", "firstByte", "ended"])
        wire.server.enqueue(.raw([.stall]))
        let timeouts = TransportTimeouts(firstByte: .milliseconds(100), idle: .seconds(20))
        let error = try await transportError { try await wire.send(.put, body: body, options: options(timeouts)) }
        #expect(error.reason == .firstByteTimeout)
    }

    @Test func aFailureBeforeTheConnectionHasItsStage() async throws {
        let unknown = try #require(URL(string: "http://x.invalid/"))
        _ = try await transportError { try await WireTransport().send(HTTPRequest(url: unknown), options: options()) }
        #expect(observer.words == ["began GET", "ended transport.hostNotFound"])
        let server = try MockServer()
        let url = try server.url("/")
        server.stop()
        _ = try await transportError { try await WireTransport().send(HTTPRequest(url: url), options: options()) }
        #expect(observer.words.dropFirst(2) == ["began GET", "nameFound", "ended transport.connectionRefused"])
        let plain = try Wire()
        let secure = try #require(URL(string: "https://127.0.0.1:\(plain.server.port)/"))
        _ = try await transportError { try await WireTransport().send(HTTPRequest(url: secure), options: options()) }
        #expect(observer.words.dropFirst(5) == ["began GET", "nameFound", "connected", "ended transport.tlsFailed"])
    }

    /// The events' instants say that it was TLS that took the time.
    @Test func aHandshakeThatStallsBeganWithAConnection() async throws {
        let listener = try SilentListener()
        let url = try #require(URL(string: "https://127.0.0.1:\(listener.port)/"))
        let options = options(TransportTimeouts(connect: .seconds(3)))
        _ = try await transportError { try await WireTransport().send(HTTPRequest(url: url), options: options) }
        #expect(observer.words == ["began GET", "nameFound", "connected", "ended timedOut.connectTimeout"])
        let instants = observer.events.map(\.instant)
        try #require(instants.count == 4)
        #expect(instants[3] - instants[2] > .milliseconds(1500))
    }

    @Test func aConnectionThatStallsIsNone() async throws {
        let listener = try FullListener()
        for scheme in ["http", "https"] {
            let (observer, url) = (Listener(), try #require(URL(string: "\(scheme)://127.0.0.1:\(listener.port)/")))
            let timeouts = TransportTimeouts(connect: .seconds(1))
            let options = TransportOptions(timeouts: timeouts, observer: observer)
            _ = try await transportError { try await WireTransport().send(HTTPRequest(url: url), options: options) }
            #expect(observer.words == ["began GET", "nameFound", "ended timedOut.connectTimeout"])
        }
    }

    @Test func aQueuedExchangeReportsTheEndOfItsWait() async throws {
        let transport = WireTransport(options: WireOptions(connectionsPerHostMax: 1, queuedRequestsMax: 1))
        let wire = try Wire(transport: transport) { request in
            request.path == "/slow" ? .raw([.stall]) : MockAnswer(status: 204)
        }
        let (slow, next) = (try wire.request(.get, "/slow"), try wire.request(.get, "/next"))
        let first = Task { try await transport.send(slow, options: TransportOptions()) }
        try await wire.server.waitForRequests(1, within: .seconds(20))
        let second = Task { [options = options()] in try await transport.send(next, options: options) }
        #expect(try await holds(within: .seconds(20)) { observer.words == ["began GET"] })
        first.cancel()
        _ = await first.result
        #expect(try await second.value.status == .noContent)
        #expect(
            observer.words.starts(with: ["began GET", "dequeued", "nameFound", "connected", "ready(new http/1.1)"])
        )
    }

    @Test func aRequestThatIsSentAgainHasItsConnectionAgain() async throws {
        let wire = try Wire { _ in MockAnswer(status: 204) }
        wire.server.enqueue(MockAnswer(status: 204), .raw([.close]))
        try await wire.send()
        try await wire.send(options: options())
        #expect(
            observer.words == [
                "began GET", "ready(reused http/1.1)", "requestSent", "resending transport.connectionClosed",
                "nameFound", "connected", "ready(new http/1.1)", "requestSent", "firstByte", "ended",
            ]
        )
    }

    /// Nothing of one exchange's observer is left on the handle for the next.
    @Test func withoutAnObserverNoEventIsEmitted() async throws {
        let wire = try Wire { _ in .text("hi") }
        try await wire.send(options: options())
        let count = observer.events.count
        for _ in 0..<20 { try await wire.send(.post, body: "x") }
        #expect(observer.events.count == count)
    }

    @Test func manyAtOnceEachHaveTheirOwnOrder() async throws {
        let wire = try Wire { request in .text(request.bodyText).delayed(by: .milliseconds(1)) }
        let requests = try (0..<200).map { try wire.request(.post, "/", body: HTTPBody("\($0)")) }
        try await withThrowingTaskGroup { group in
            for request in requests {
                group.addTask { [transport = wire.transport, options = options()] in
                    _ = try await transport.send(request, options: options)
                }
            }
            try await group.waitForAll()
        }
        let exchanges = Dictionary(grouping: observer.events, by: \.exchange).values
        #expect(exchanges.count == 200)
        for events in exchanges {
            let words = events.map(\.word).filter { !["nameFound", "connected", "dequeued"].contains($0) }
            #expect(
                words.map { $0.prefix { $0 != " " && $0 != "(" } } == [
                    "began", "ready", "bytesSent", "requestSent", "firstByte", "bytesReceived", "ended",
                ]
            )
        }
    }
}

/// Stores the events that it receives.
final class Listener: EventObserver {
    private let heard = Lock<[TransportEvent]>([])

    var events: [TransportEvent] { heard.withLock { $0 } }
    var words: [String] { events.map(\.word) }

    func observe(_ event: TransportEvent) {
        heard.withLock { $0.append(event) }
    }
}

extension TransportEvent {
    /// The event in a few words, without its instant.
    var word: String {
        switch kind {
        case .began(let request): "began \(request.method)"
        case .ready(let isReused, let name): "ready(\(isReused ? "reused" : "new") \(name))"
        case .bytesSent(let count, let expected): "bytesSent \(count) of \(expected.map(String.init) ?? "?")"
        case .bytesReceived(let count, let expected): "bytesReceived \(count) of \(expected.map(String.init) ?? "?")"
        case .resending(let reason): "resending \(reason)"
        case .interimResponse(let status): "interim \(status.code)"
        case .ended(let reason): reason.map { "ended \($0)" } ?? "ended"
        default: "\(kind)"
        }
    }
}
#endif
