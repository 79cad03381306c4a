import Dispatch
import Hikyaku
import HikyakuTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct APICallTests {
    private let transport = MockTransport()
    private var client: APIClient<Public> {
        APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
    }

    private func waitUntilSent(_ count: Int = 1) async throws {
        try #require(try await holds { transport.requests.count >= count })
    }

    @Test func aCallIsStartedOnceAndGivesAllTheSame() async throws {
        transport.enqueue(.json(#"[{"id": 1, "name": "Ramen"}]"#))
        let call = client.call(Shop.Dishes())
        async let first = call.value
        async let second = call.value
        #expect(try await first == [.sample])
        #expect(try await second == [.sample])
        #expect(try await call.value == [.sample])
        #expect(try call.outcome?.get() == [.sample])
        #expect(transport.requests.count == 1)
    }

    @Test func aFailureKeepsItsType() async throws {
        transport.enqueue(.json(#"{"message": "closed"}"#, status: 503))
        let call = client.call(Shop.Dishes())
        guard
            case .service(let failure, _) = try await failure(of: { () async throws(APIError<ShopError>) in
                try await call.value
            })
        else {
            Issue.record("\(call)")
            return
        }
        #expect(failure == ShopError(message: "closed"))
        #expect(call.description == "APICall<Array<Dish>>, failed: service")
    }

    @Test func aDiscardedCallRunsToItsEnd() async throws {
        let ended = Gate()
        transport.enqueue(.json("[]"))
        client.call(Shop.Dishes()).finally(on: .immediate) { ended.open() }
        await ended.wait()
        #expect(transport.requests.count == 1)
    }

    @Test func cancellingEndsTheCallForAll() async throws {
        transport.enqueue(.never)
        let call = client.call(Shop.Dishes())
        async let first = call.result
        async let second = call.result
        try await waitUntilSent()
        call.cancel()
        for result in [await first, await second, await call.result] {
            guard case .failure(.cancelled(let failure)) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(failure.context.requestType == "Shop.Dishes")
        }
        call.cancel()
    }

    @Test func aTaskThatGivesUpWaitingLeavesTheCallToTheOthers() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await gate.wait()
            return .json("[]")
        }
        let call = APIClient(transport: transport).call(Shop.Dishes())
        let waiting = Task { await call.result }
        try #require(try await holds { !transport.requests.isEmpty })
        waiting.cancel()
        guard case .failure(let error) = await waiting.value else {
            Issue.record("the task waited on")
            return
        }
        #expect(error.isCancelled)
        #expect(error.context.requestType == "Shop.Dishes")
        #expect(error.context.url == "https://shop.example/v1")
        #expect(call.outcome == nil)
        gate.open()
        #expect(try await call.value == [])
    }

    @Test func aTaskThatWasCancelledBeforeGivesUpAtOnce() async throws {
        transport.enqueue(.never)
        let call = client.call(Shop.Dishes())
        let waiting = Task { () -> Bool in
            while !Task.isCancelled { await Task.yield() }
            return await call.result.isCancelled
        }
        waiting.cancel()
        #expect(await waiting.value)
        call.cancel()
        #expect(await call.result.isCancelled)
    }

    @Test func theStartingTasksDeadlineIsInherited() async throws {
        let clock = ManualClock()
        var options = ClientOptions()
        options.clock = clock
        transport.enqueue(.never)
        let client = APIClient(transport: transport, options: options)
        let call = await CallDeadline.within(.seconds(3), clock: clock) { client.call(Shop.Dishes()) }
        try await waitUntilSent()
        clock.advance(by: .seconds(3))
        guard case .failure(let error) = await call.result else { return }
        #expect(error.reason == .deadline)
    }

    enum End: CaseIterable { case cancelled, cancelledByType, deadline }

    @Test(arguments: End.allCases) func aStepThatIgnoresCancellationKeepsNobodyWaiting(end: End) async throws {
        let (gate, clock) = (Gate(), ManualClock())
        let stubborn = MockTransport { _ in
            await gate.wait()
            return .json("[]")
        }
        let client = APIClient(transport: stubborn, options: ClientOptions(timeout: .seconds(1), clock: clock))
        let call = client.call(Shop.Dishes())
        await gate.waitUntilSomeoneWaits()
        switch end {
        case .cancelled: call.cancel()
        case .cancelledByType: #expect(client.cancelAll(Shop.Dishes.self) == 1)
        case .deadline: clock.advance(by: .seconds(1))
        }
        guard case .failure(let error) = await call.result else { return }
        #expect(error.reason == (end == .deadline ? .deadline : .cancelled))
        #expect(error.context.attempt == 1)
        gate.open()
    }

    @Test func anUnsendableRequestEndsTheCall() async throws {
        let call = client.call(AnyRequest(environment: "ftp://a.example"))
        guard case .failure(let error) = await call.result else { return }
        #expect(error.reason == .baseURL)
    }

    @Test(arguments: [true, false]) func aCompletionHandlerIsCalledOnceWithTheOutcome(succeeds: Bool) async throws {
        transport.enqueue(succeeds ? .response(.json("[]")) : .failure(TransportError(.connectionReset, "")))
        let outcome = await withCheckedContinuation { continuation in
            client.bind(Shop.Dishes()).send { outcome in
                MainActor.assertIsolated()
                continuation.resume(returning: outcome)
            }
        }
        #expect((try? outcome.get()) == (succeeds ? [] : nil))
    }

    @Test func aCompletionHandlerIsCalledOnItsQueue() async throws {
        let queue = DispatchQueue(label: "callbacks")
        let key = DispatchSpecificKey<Int>()
        queue.setSpecific(key: key, value: 7)
        transport.enqueue(.json("[]"))
        let value = await withCheckedContinuation { continuation in
            client.bind(Shop.Dishes()).send(on: .dispatch(queue)) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key))
            }
        }
        #expect(value == 7)
    }

    @Test func aCompletionHandlersCallCanBeCancelled() async throws {
        transport.enqueue(.never)
        let client = client
        let isCancelled = await withCheckedContinuation { continuation in
            client.bind(Shop.Dishes())
                .send(on: .immediate) { continuation.resume(returning: $0.isCancelled) }
                .cancel()
        }
        #expect(isCancelled)
    }
}

extension Result where Failure: APIFailure {
    /// Whether it is that of a call whose caller gave up.
    var isCancelled: Bool {
        if case .failure(let failure) = self { failure.isCancelled } else { false }
    }
}
