#if os(Linux)
import Foundation
import Hikyaku
import HikyakuMockServer
import HikyakuWire
import Testing

/// The deadline of a call over a real wire, whatever stage the call is in: it ends at most half a second late.
@Suite(.timeLimit(.minutes(5)))
struct DeadlineStageTests {
    private struct Call: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment
        var timeout: Duration?
        var method: HTTPMethod { body == nil ? .get : .post }
        var path: RequestPath { "/" }
        var body: RequestBody?
    }

    private static let short = Duration.milliseconds(300)

    /// Expects that the deadline ends the call, in time.
    ///
    /// - Returns: How the call spent its time.
    @discardableResult
    private func timely(_ call: () async throws -> Void) async throws -> DeadlineSpending {
        try await HikyakuWireTests.timely(after: Self.short) {
            let error = try #require(await #expect(throws: (any Error).self) { try await call() } as? any APIFailure)
            #expect(error.reason == .deadline)
            return try #require(error.context.spending)
        }
    }

    private func call(_ baseURL: String, _ transport: WireTransport = WireTransport()) async throws {
        _ = try await APIClient(transport: transport)
            .send(Call(environment: APIEnvironment(baseURL: baseURL), timeout: Self.short))
    }

    @Test func aCallThatWaitsInAFullQueueEnds() async throws {
        let transport = WireTransport(options: WireOptions(connectionsPerHostMax: 1))
        let wire = try Wire(transport: transport) { _ in .raw([.stall]) }
        let request = try wire.request()
        let stuck = Task { try await transport.send(request, options: TransportOptions()) }
        try await wire.server.waitForRequests(1, within: .seconds(20))
        let spending = try await timely { try await call(wire.server.baseURL, transport) }
        #expect(spending.longest == .queueing && spending[.attempt] < Self.short / 2, "\(spending)")
        stuck.cancel()
        _ = await stuck.result
        #expect(wire.server.requests.count == 1)
    }

    @Test func aNameThatIsLookedUpForLongEndsTheCall() async throws {
        guard try await SlowNames.areInEffect(for: "aNameThatIsLookedUpForLongEndsTheCall") else { return }
        try await timely { try await call("http://deadline.slow.invalid") }
        let timeouts = TransportTimeouts(connect: Self.short)
        let request = HTTPRequest(url: try #require(URL(string: "http://connect.slow.invalid/")))
        let error = try await HikyakuWireTests.timely(after: Self.short) {
            try await transportError {
                try await WireTransport().send(request, options: TransportOptions(timeouts: timeouts))
            }
        }
        #expect(error.reason == .connectTimeout)
    }

    /// It is certain that the service does not have the request.
    @Test func connectingForLongEndsTheCall() async throws {
        let listener = try FullListener()
        let spending = try await timely { try await call("http://127.0.0.1:\(listener.port)") }
        #expect(spending[.connecting] > Self.short / 2, "\(spending)")
        #expect("\(spending)".hasSuffix("; no connection was made"), "\(spending)")
        // With a connection, it isn't said.
        let wire = try Wire { _ in .raw([.stall]) }
        let connected = try await timely { try await call(wire.server.baseURL) }
        #expect(!"\(connected)".contains("no connection was made"), "\(connected)")
    }

    @Test func whatHadNoConnectionWasNotDone() async throws {
        struct Order: APIRequest {
            typealias Response = Void
            var environment: APIEnvironment
            var method: HTTPMethod { .post }
            var path: RequestPath { "/orders" }
            var timeout: Duration? { DeadlineStageTests.short }
        }
        let listener = try FullListener()
        let wire = try Wire { _ in .raw([.stall]) }
        for (url, isUnknown) in [("http://127.0.0.1:\(listener.port)", false), (wire.server.baseURL, true)] {
            let error = try await #require(throws: APIError<ProblemDetails>.self) {
                try await APIClient(transport: WireTransport()).send(Order(environment: APIEnvironment(baseURL: url)))
            }
            #expect(error.reason == .deadline)
            #expect(error.recoverySuggestion?.contains("may have been done") == isUnknown, "\(error)")
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func aSilentServerEndsTheCall(_ begun: String) async throws {
        let wire = try Wire { _ in .raw([.write(begun), .stall]) }
        try await timely { try await call(wire.server.baseURL) }
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test(arguments: [("", false), ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", true)])
    func theErrorSaysWhetherItWaitedForTheBody(_ begun: String, hasHead: Bool) async throws {
        let wire = try Wire { _ in .raw([.write(begun), .stall]) }
        let environment = APIEnvironment(baseURL: wire.server.baseURL)
        let client = APIClient(transport: wire.transport)
        let error = try #require(
            await #expect(throws: APIError<ProblemDetails>.self) {
                try await client.send(Call(environment: environment, timeout: .seconds(2)))
            }
        )
        let spending = try #require(error.context.spending)
        #expect((spending[.body] > .zero) == hasHead)
        #expect(spending[.attempt] > .zero)
    }

    @Test func aServerThatDripsItsBodyEndsTheCall() async throws {
        let wire = try Wire { _ in
            .text(String(repeating: "x", count: 100)).dripping(pieceBytes: 1, over: .seconds(20))
        }
        try await timely { try await call(wire.server.baseURL) }
    }

    @Test func aServerThatTakesNoBodyEndsTheCall() async throws {
        let sink = try SilentListener()
        try await timely {
            let environment = APIEnvironment(baseURL: "http://127.0.0.1:\(sink.port)")
            let body = RequestBody.bytes(Data(count: 16 << 20), type: "x/y")
            _ = try await APIClient(transport: WireTransport())
                .send(Call(environment: environment, timeout: Self.short, body: body))
        }
    }

    // MARK: - A deadline that calls share

    private func scoped(_ wire: borrowing Wire) -> Call {
        Call(environment: APIEnvironment(baseURL: wire.server.baseURL))
    }

    @Test func childTasksInheritTheDeadline() async throws {
        let wire = try Wire { _ in .raw([.stall]) }
        let (client, call) = (APIClient(transport: wire.transport), scoped(wire))
        try await timely {
            try await CallDeadline.within(Self.short) {
                async let child = client.send(call)
                _ = try await child
            }
        }
        try await timely {
            try await CallDeadline.within(Self.short) { _ = try await Task { try await client.send(call) }.value }
        }
    }

    @Test func anInnerScopeCanOnlyBeNearer() async throws {
        let wire = try Wire { _ in .raw([.stall]) }
        let (client, call) = (APIClient(transport: wire.transport), scoped(wire))
        try await timely {
            try await CallDeadline.within(Self.short) {
                try await CallDeadline.within(.seconds(60)) { _ = try await client.send(call) }
            }
        }
        try await timely {
            try await CallDeadline.within(.seconds(60)) {
                try await CallDeadline.within(Self.short) { _ = try await client.send(call) }
            }
        }
        var patient = call
        patient.timeout = .seconds(60)
        try await timely { try await CallDeadline.within(Self.short) { _ = try await client.send(patient) } }
        var hasty = call
        hasty.timeout = Self.short
        try await timely { try await CallDeadline.within(.seconds(60)) { _ = try await client.send(hasty) } }
    }

    @Test func detachedTasksAreFreeOfTheDeadline() async throws {
        let wire = try Wire { _ in .text("hi").delayed(by: .milliseconds(500)) }
        let (client, call) = (APIClient(transport: wire.transport), scoped(wire))
        let body = try await CallDeadline.within(.milliseconds(100)) {
            try await Task.detached { try await client.send(call) }.value
        }
        #expect(body == Data("hi".utf8))
    }

    @Test func severalCallsShareOneDeadline() async throws {
        let wire = try Wire { _ in .text("hi").delayed(by: .milliseconds(200)) }
        let (client, call) = (APIClient(transport: wire.transport), scoped(wire))
        try await timely {
            try await CallDeadline.within(Self.short) {
                for _ in 0..<10 { _ = try await client.send(call) }
            }
        }
        #expect(CallDeadline.current == nil)
    }
}
#endif
