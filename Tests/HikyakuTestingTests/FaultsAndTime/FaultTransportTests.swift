import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct FaultTransportTests {
    private static let text = "0123456789"

    /// Sends a request over a transport with faults in virtual time.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private static func send(
        _ faults: [Fault],
        method: HTTPMethod = .get,
        body: String = text,
        options: TransportOptions = TransportOptions(),
    ) async throws -> Sent {
        try await VirtualTime.run { time in
            let service = MockTransport(clock: time.clock) { request in
                HTTPResponse(
                    status: .ok,
                    headers: [.contentType: "text/plain"],
                    body: request.method == .head ? .empty : HTTPBody(body),
                )
            }
            let transport = FaultTransport(service, plan: FaultPlan { _, _ in faults }, in: time)
            var bytes = Data()
            let result: Result<HTTPResponse, any Error>
            do {
                let request = HTTPRequest(method: method, url: try #require(URL(string: "https://a.example/")))
                let response = try await transport.send(request, options: options)
                for try await piece in response.body { bytes.append(piece) }
                result = .success(response)
            } catch {
                result = .failure(error)
            }
            let records = transport.records
            #expect(records.count == 1 && time.outsideEventCount == 0)
            return Sent(
                result: result,
                bytes: bytes,
                record: try #require(records.first),
                servedCount: service.requests.count,
                elapsed: time.elapsed,
            )
        }
    }

    private struct Sent: Sendable {
        let result: Result<HTTPResponse, any Error>
        let bytes: Data
        let record: FaultRecord
        let servedCount: Int
        let elapsed: Duration

        var reason: FailureReason? {
            if case .failure(let error) = result { (error as? TransportError)?.reason } else { nil }
        }
    }

    // MARK: - Failures and statuses

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: FaultPlan.transientFailures) func aFailureIsBeforeOrAfterTheService(_ fault: Fault) async throws {
        guard case .failure(let reason, let reachesService) = fault else { return }
        for streams in [false, true] {
            let sent = try await Self.send([fault], method: .post, options: TransportOptions(streamsBody: streams))
            #expect(sent.reason == reason)
            #expect(sent.servedCount == (reachesService ? 1 : 0))
            #expect(sent.record.reachedService == reachesService)
            #expect(sent.record.faults == [fault] && sent.record.outcome == .failure(reason))
            let limit = Duration.seconds(reason == .connectTimeout ? 10 : reason.phase == .timedOut ? 60 : 0)
            #expect(sent.elapsed == limit && sent.record.end == limit)
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aStatusReplacesTheResponse() async throws {
        let early = try await Self.send([.status(429, retryAfter: .milliseconds(2500))])
        let response = try early.result.get()
        #expect(response.status == 429 && response.headers[.retryAfter] == "3")
        #expect(early.servedCount == 0 && !early.record.reachedService && early.record.outcome == .response(429))
        let streaming = TransportOptions(streamsBody: true)
        let late = try await Self.send([.status(502, reachesService: true)], options: streaming)
        #expect(try late.result.get().status == 502 && late.bytes == Data("injected status 502".utf8))
        #expect(try late.result.get().headers[.retryAfter] == nil)
        #expect(late.servedCount == 1 && late.record.reachedService)
        #expect(try await Self.send([.status(503)], method: .head).bytes.isEmpty)
        let cut = try await Self.send([.status(503)], options: TransportOptions(errorBodyBytesMax: 8))
        #expect(try cut.result.get().isBodyCut && cut.bytes == Data("injected".utf8))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func theContentTypeIsAnother() async throws {
        let sent = try await Self.send([.contentType("text/html")])
        #expect(try sent.result.get().headers[.contentType] == "text/html" && sent.bytes == Data(Self.text.utf8))
    }

    // MARK: - Delays and bodies

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aDelayCountsForTheFirstByte() async throws {
        let short = try await Self.send([.delay(.seconds(59))])
        #expect(short.bytes == Data(Self.text.utf8) && short.elapsed == .seconds(59))
        let long = try await Self.send([.delay(.seconds(61))])
        #expect(long.reason == .firstByteTimeout && long.elapsed == .seconds(60) && long.record.reachedService)
        let timeouts = TransportTimeouts(firstByte: .seconds(Int64.max))
        let unlimited = try await Self.send([.delay(.seconds(86_400))], options: TransportOptions(timeouts: timeouts))
        #expect(unlimited.elapsed == .seconds(86_400) && unlimited.reason == nil)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: [true, false]) func aBodyEndsEarly(_ streams: Bool) async throws {
        let ends: [(Double, String)] = [(0, ""), (0.35, "012"), (1, "012345678"), (.nan, ""), (-1, "")]
        for (fraction, expected) in ends {
            let options = TransportOptions(streamsBody: streams)
            let sent = try await Self.send([.truncatedBody(at: fraction)], options: options)
            #expect(sent.reason == .truncatedResponse)
            #expect(sent.bytes == Data((streams ? expected : "").utf8))
            #expect(sent.record.outcome == .failure(.truncatedResponse) && sent.record.reachedService)
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: [true, false]) func aByteIsAnother(_ streams: Bool) async throws {
        let options = TransportOptions(streamsBody: streams)
        let sent = try await Self.send([.corruptBody(at: 0.5), .corruptBody(at: 0.1, bits: 1)], options: options)
        var expected = Data(Self.text.utf8)
        expected[5] ^= 0x80
        expected[1] ^= 1
        #expect(sent.bytes == expected && sent.reason == nil)
        #expect(sent.record.faults == [.corruptBody(at: 0.1, bits: 1), .corruptBody(at: 0.5)])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: [true, false]) func aBodyPauses(_ streams: Bool) async throws {
        let options = TransportOptions(streamsBody: streams, timeouts: TransportTimeouts(idle: .seconds(30)))
        let pauses: [Fault] = [.pausedBody(.seconds(29)), .pausedBody(.seconds(29), at: 0)]
        let short = try await Self.send(pauses, options: options)
        #expect(short.bytes == Data(Self.text.utf8) && short.elapsed == .seconds(58))
        let long = try await Self.send([.pausedBody(.seconds(31), at: 0.2)], options: options)
        #expect(long.reason == .idleTimeout && long.elapsed == .seconds(30))
        #expect(long.bytes == Data((streams ? "01" : "").utf8))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func anEmptyBodyHasNoFaults() async throws {
        let sent = try await Self.send([.truncatedBody(), .corruptBody(), .pausedBody(.seconds(1))], body: "")
        #expect(sent.reason == nil && sent.record.faults.isEmpty && sent.elapsed == .zero)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func theLimitForBodiesHolds() async throws {
        for fault in [Fault.delay(.zero), .corruptBody(), .pausedBody(.zero)] {
            let sent = try await Self.send([fault], options: TransportOptions(bodyBytesMax: 9))
            #expect(sent.reason == .bodyTooLarge)
        }
    }

    // MARK: - Scripts and plans

    private func get(_ transport: FaultTransport) async throws -> HTTPResponse {
        try await transport.send(
            HTTPRequest(url: try #require(URL(string: "https://a.example/x?key=secret"))),
            options: TransportOptions(),
        )
    }

    @Test func enqueuedFaultsComeFirst() async throws {
        let plan = FaultPlan { _, _ in [.status(500)] }
        let transport = FaultTransport(MockTransport { _ in .json("{}") }, plan: plan)
        transport.enqueue(.failure(.connectionReset, reachesService: true))
        transport.enqueue()
        let error = await #expect(throws: TransportError.self) { try await get(transport) }
        #expect(error?.message == "injected fault: connectionReset after the service")
        #expect(try await get(transport).status == .ok)
        #expect(try await get(transport).status == 500)
        let lines = transport.transcript.split(separator: "\n").map { line in
            line.split(separator: ",").first.map(String.init) ?? ""
        }
        #expect(lines == (1...3).map { "#\($0) GET https://a.example/x?key=…" })
        #expect(transport.records.map(\.reachedService) == [true, true, false])
        #expect(transport.records[2].description.hasSuffix(": 500, not received; status 500 before the service"))
    }

    @Test func theFaultsDependOnTheSeedAndTheNumber() async throws {
        func faults(seed: UInt64) async throws -> [[Fault]] {
            let clock = ManualClock()
            let plan = FaultPlan(statuses: 0.3, truncatedBodies: 0.2, corruptBodies: 0.2, contentTypes: 0.2)
            let transport = FaultTransport(MockTransport { _ in .json("{}") }, plan: plan, seed: seed, clock: clock)
            for _ in 0..<200 { _ = try? await get(transport) }
            return transport.records.map(\.faults)
        }
        let first = try await faults(seed: 1)
        #expect(try await faults(seed: 1) == first)
        #expect(try await faults(seed: 2) != first)
        // A tenth of the exchanges has no fault.
        #expect((5...40).contains(first.count { $0.isEmpty }) && first.allSatisfy { $0.count <= 1 })
    }

    @Test func anErrorOfTheInnerTransportIsNotAFault() async throws {
        let inner = MockTransport()
        inner.enqueue(.failure(TransportError(.hostNotFound, "")))
        inner.enqueue(.failure(TransportError(.connectionReset, "")))
        let transport = FaultTransport(inner, plan: FaultPlan { _, _ in [.corruptBody()] })
        for reason in [FailureReason.hostNotFound, .connectionReset] {
            #expect(await #expect(throws: TransportError.self) { try await get(transport) }?.reason == reason)
        }
        #expect(transport.records.map(\.faults) == [[], []])
        #expect(transport.records.map(\.reachedService) == [false, true])
    }
}
