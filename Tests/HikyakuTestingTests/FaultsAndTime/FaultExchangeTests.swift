import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// The contract of transports in exchanges with faults: events, cancellation and shutdown.
@Suite(.timeLimit(.minutes(10))) struct FaultExchangeTests {
    private struct Observer: EventObserver {
        let log = Lock<[TransportEvent]>([])

        func observe(_ event: TransportEvent) { log.withLock { $0.append(event) } }

        var names: [String] { log.withLock { $0.map { "\($0.kind)".prefix { $0 != "(" }.description } } }
        var exchangeCount: Int { log.withLock { Set($0.map(\.exchange)).count } }
        var end: FailureReason?? {
            log.withLock { events in
                if case .ended(let reason)? = events.last?.kind { reason } else { nil }
            }
        }
    }

    private static func request(_ method: HTTPMethod = .get) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try #require(URL(string: "https://a.example/")))
    }

    // MARK: - Events

    private static let unsent = ["began", "ended"]
    private static let lost = ["began", "requestSent", "ended"]
    private static let whole = ["began", "requestSent", "firstByte", "bytesReceived", "ended"]

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(
        arguments: [
            (.failure(.connectionRefused, reachesService: false), unsent, .connectionRefused),
            (.failure(.connectionReset, reachesService: true), lost, .connectionReset),
            (.status(503), ["began", "firstByte", "bytesReceived", "ended"], nil),
            (.status(503, reachesService: true), whole, nil),
            (.delay(.seconds(5)), whole, nil),
            (.delay(.seconds(61)), lost, .firstByteTimeout),
            (.contentType("x/y"), whole, nil),
            (.truncatedBody(at: 0), ["began", "requestSent", "firstByte", "ended"], .truncatedResponse),
            (.corruptBody(at: 0), whole, nil),
            (.pausedBody(.seconds(61), at: 0), ["began", "requestSent", "firstByte", "ended"], .idleTimeout),
        ] as [(Fault, [String], FailureReason?)]
    )
    func theEventsAreThoseOfANetwork(_ fault: Fault, _ names: [String], _ end: FailureReason?) async throws {
        for streams in [false, true] {
            let observer = Observer()
            try await VirtualTime.run { time in
                let service = MockTransport(clock: time.clock) { _ in HTTPResponse(status: .ok, body: "0123456789") }
                let transport = FaultTransport(service, in: time)
                transport.enqueue(fault)
                let options = TransportOptions(streamsBody: streams, observer: observer)
                let start = time.clock.now
                do {
                    let response = try await transport.send(Self.request(), options: options)
                    _ = try await response.body.collect()
                } catch {}
                let last = observer.log.withLock { $0.last?.instant }
                #expect(last == start.advanced(by: time.elapsed))
            }
            // A streamed body in memory has no progress of its own.
            #expect(observer.names == names, "\(fault), streams: \(streams)")
            #expect(observer.end == .some(end) && observer.exchangeCount == 1)
        }
    }

    // MARK: - Ends

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: [
        Fault.delay(.seconds(50)), .failure(.connectTimeout, reachesService: false), .pausedBody(.seconds(50)),
    ])
    func cancellingEndsAWait(_ fault: Fault) async throws {
        let observer = Observer()
        try await VirtualTime.run { time in
            let service = MockTransport(clock: time.clock) { _ in HTTPResponse(status: .ok, body: "0123456789") }
            let transport = FaultTransport(service, in: time)
            transport.enqueue(fault)
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    do {
                        _ = try await transport.send(Self.request(), options: TransportOptions(observer: observer))
                        return false
                    } catch {
                        return error is CancellationError
                    }
                }
                try? await time.sleep(for: .seconds(5))
                group.cancelAll()
                #expect(await group.next() == true)
            }
            #expect(time.elapsed == .seconds(5))
            #expect(transport.records.map(\.outcome) == [.failure(.cancelled)])
        }
        #expect(observer.end == .some(.cancelled))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aCancelledTaskSendsNothing() async throws {
        try await VirtualTime.run { time in
            let transport = FaultTransport(MockTransport(clock: time.clock), in: time)
            await withTaskGroup(of: Void.self) { group in
                group.cancelAll()
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        try await transport.send(Self.request(), options: TransportOptions())
                    }
                }
            }
            #expect(transport.records.isEmpty)
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: [5, 20]) func shuttingDownWaitsForTheGrace(_ grace: Int) async throws {
        try await VirtualTime.run { time in
            let service = MockTransport(clock: time.clock) { _ in HTTPResponse(status: .ok, body: "0123456789") }
            let transport = FaultTransport(service, in: time)
            transport.enqueue(.delay(.seconds(10)))
            let call = Task(executorPreference: time.executor) {
                try await transport.send(Self.request(), options: TransportOptions())
            }
            try await time.sleep(for: .seconds(1))
            await transport.shutdown(within: .seconds(grace))
            if grace < 9 {
                #expect(time.elapsed == .seconds(1 + grace))
                let error = await #expect(throws: TransportError.self) { try await call.value }
                #expect(error?.reason == .shutDown)
            } else {
                #expect(time.elapsed == .seconds(10))
                #expect(try await call.value.status == .ok)
            }
            let later = await #expect(throws: TransportError.self) {
                try await transport.send(Self.request(), options: TransportOptions())
            }
            #expect(later?.reason == .shutDown)
            await transport.shutdown(within: .seconds(Int64.max))
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func shuttingDownEndsAStream() async throws {
        try await VirtualTime.run { time in
            let service = MockTransport(clock: time.clock) { _ in HTTPResponse(status: .ok, body: "0123456789") }
            let transport = FaultTransport(service, in: time)
            transport.enqueue(.pausedBody(.seconds(50)))
            let response = try await transport.send(Self.request(), options: TransportOptions(streamsBody: true))
            let reading = Task(executorPreference: time.executor) { try await response.body.collect() }
            try await time.sleep(for: .seconds(1))
            await transport.shutdown(within: .zero)
            let error = await #expect(throws: TransportError.self) { try await reading.value }
            #expect(error?.reason == .shutDown && time.elapsed == .seconds(1))
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aDroppedStreamEndsCancelled() async throws {
        let observer = Observer()
        try await VirtualTime.run { time in
            let service = MockTransport(clock: time.clock) { _ in HTTPResponse(status: .ok, body: "0123456789") }
            let transport = FaultTransport(service, in: time)
            transport.enqueue(.pausedBody(.seconds(50)))
            let options = TransportOptions(streamsBody: true, observer: observer)
            for try await piece in try await transport.send(Self.request(), options: options).body {
                #expect(piece == Data("01234".utf8))
                break
            }
            await transport.shutdown(within: .seconds(50))
            #expect(time.elapsed == .zero)
        }
        #expect(observer.end == .some(.cancelled))
    }

    @Test func anInvalidRequestIsRejected() async throws {
        let transport = FaultTransport(MockTransport(), plan: FaultPlan { _, _ in [.status(503)] })
        let url = try #require(URL(string: "https://a.example/"))
        let request = HTTPRequest(url: url, headers: ["X A": "b"])
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(request, options: TransportOptions())
        }
        #expect(error?.reason == .header && transport.records.isEmpty)
    }

    @Test func itPromisesWhatTheInnerTransportPromises() {
        struct Careless: HTTPTransport {
            var decodesContent: Bool { true }
            func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
                HTTPResponse(status: .ok)
            }
        }
        #expect(FaultTransport(MockTransport()).endsOnCancellation && !FaultTransport(MockTransport()).decodesContent)
        #expect(!FaultTransport(Careless()).endsOnCancellation && FaultTransport(Careless()).decodesContent)
    }
}
