import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

/// Notes what closures say, in their order.
final class Journal: Sendable {
    private let entries = Lock<[String]>([])

    func note(_ entry: String) {
        entries.withLock { $0.append(entry) }
    }

    var all: [String] { entries.withLock(\.self) }
}

@Suite(.timeLimit(.minutes(10))) struct CallChainTests {
    private let transport = MockTransport()
    private let journal = Journal()
    private var client: APIClient<Public> {
        APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
    }

    @Test func closuresAreCalledOnTheMainActorInTheChainsOrder() async throws {
        transport.enqueue(.json(#"[{"id": 1, "name": "Ramen"}]"#))
        let journal = journal
        let count = try await client.call(Shop.Dishes())
            .progress { _ in MainActor.assertIsolated() }
            .success { dishes in
                MainActor.assertIsolated()
                journal.note("success \(dishes.count)")
            }
            .failure { _ in journal.note("failure") }
            .then { dishes in
                MainActor.assertIsolated()
                journal.note("then")
                return dishes.count
            }
            .finally { journal.note("finally") }
            .value
        #expect(count == 1)
        #expect(journal.all == ["success 1", "then", "finally"])
    }

    @Test func aFailurePassesByWhatWantsTheModel() async throws {
        transport.enqueue(.json(#"{"message": "closed"}"#, status: 503))
        let journal = journal
        let error = try await failure { [client] () async throws(APIError<ShopError>) in
            try await client.call(Shop.Dishes())
                .success { _ in journal.note("success") }
                .then { dishes in
                    journal.note("then")
                    return dishes.count
                }
                .failure { error in journal.note("failure \(error.service(as: ShopError.self)?.message ?? "")") }
                .finally { journal.note("finally") }
                .value
        }
        #expect(error.reason == .service)
        #expect(journal.all == ["failure closed", "finally"])
    }

    @Test func aCallThatAClosureReturnsIsFlattenedAndKeepsTheErrorsType() async throws {
        transport.enqueue(.json(#"[{"id": 7, "name": "Udon"}]"#))
        transport.enqueue(.json(#"{"id": 7, "name": "Udon"}"#))
        let client = client
        let call: APICall<Dish, APIError<ShopError>> = client.call(Shop.Dishes())
            .then { dishes in client.call(Shop.DishByID(id: "\(dishes[0].id)")) }
        #expect(try await call.value == Dish(id: 7, name: "Udon"))
        #expect(transport.requests.map { $0.url.path() } == ["/v1/dishes", "/v1/dishes/7"])
    }

    @Test func theFirstCallsFailureIsTheChains() async throws {
        transport.enqueue(.failure(TransportError(.connectionReset, "")))
        let client = client
        let call = client.call(Shop.Dishes()).then { dishes in client.call(Shop.DishByID(id: "\(dishes[0].id)")) }
        let error = try await failure { () async throws(APIError<ShopError>) in try await call.value }
        #expect(error.reason == .connectionReset)
        #expect(transport.requests.count == 1)
    }

    @Test func callsOfSeveralFailuresGiveAnyFailure() async throws {
        transport.enqueue(.json("[]"))
        let type: HTTPHeaders = [.contentType: "application/problem+json"]
        transport.enqueue(.json(#"{"title": "gone"}"#, status: 410, headers: type))
        let client = client
        let call: APICall<Data, AnyAPIFailure> = client.call(Shop.Dishes())
            .then { _ in client.call(AnyRequest()) }
            .then { body in body }
        let error = try await failure { () async throws(AnyAPIFailure) in try await call.value }
        #expect(error.service(as: ProblemDetails.self)?.title == "gone")
        #expect(error.base is APIError<ProblemDetails>)
        #expect(error.response?.status == 410)
        #expect(AnyAPIFailure(error).base is APIError<ProblemDetails>)
    }

    @Test func anAnyFailureSaysWhatItsFailureSays() async throws {
        transport.enqueue(.json(#"[{"id": "x"}]"#))
        let error = try await failure { [client] () async throws(APIError<ShopError>) in
            try await client.send(Shop.Dishes())
        }
        let any = AnyAPIFailure(error)
        #expect(any.phase == .decoding)
        #expect(any.reason == error.reason)
        #expect(any.diagnosis?.pointer == error.diagnosis?.pointer)
        #expect(any.context.description == error.context.description)
        #expect(any.localizedDescription == error.localizedDescription)
        #expect(any.errorDescription == error.errorDescription)
        #expect(any.failureReason == error.failureReason)
        #expect(any.recoverySuggestion == error.recoverySuggestion)
        #expect(any.description == error.description)
        #expect(any.isRetryable == error.isRetryable)
    }

    @Test func cancellingTheEndOfAChainEndsWhatIsInFlight() async throws {
        transport.enqueue(.json("[]"))
        transport.enqueue(.never)
        let client = client
        let chain = client.call(Shop.Dishes())
            .then(on: .immediate) { _ in client.call(Shop.DishByID(id: "1")) }
            .success { _ in }
            .finally {}
        try #require(try await holds { transport.requests.count >= 2 })
        chain.cancel()
        #expect(await chain.result.isCancelled)
    }

    @Test func nothingIsBegunInAChainThatWasCancelledBefore() async throws {
        let gate = Gate()
        let journal = journal
        transport.enqueue(.json("[]"))
        let queue = CallbackQueue { work in
            Task {
                await gate.wait()
                work()
            }
        }
        let client = client
        let first = client.call(Shop.Dishes())
        let chain = first.then(on: queue) { _ in
            journal.note("begun")
            return client.call(Shop.DishByID(id: "1"))
        }
        let mapped = first.then(on: queue) { _ in
            journal.note("mapped")
            return 1
        }
        _ = await first.result
        chain.cancel()
        mapped.cancel()
        gate.open()
        #expect(await chain.result.isCancelled)
        #expect(await mapped.result.isCancelled)
        #expect(journal.all == [])
        #expect(transport.requests.count == 1)
    }

    @Test func aChainWithoutAnEndDoesNotPileUpOnTheStack() async throws {
        let transport = MockTransport { _ in .json("[]") }
        let client = APIClient(transport: transport)
        @Sendable func poll(_ left: Int) -> APICall<[Dish], APIError<ShopError>> {
            let call = client.call(Shop.Dishes())
            return left == 0 ? call : call.then(on: .immediate) { _ in poll(left - 1) }
        }
        #expect(try await poll(5_000).value == [])
        #expect(transport.requests.count == 5_001)
    }

    @Test func aLinkThatIsCancelledWhileItsClosureWaitsIsCancelled() async throws {
        let gate = Gate()
        let journal = journal
        transport.enqueue(.json("[]"))
        let queue = CallbackQueue { work in
            Task {
                await gate.wait()
                work()
            }
        }
        let first = client.call(Shop.Dishes())
        let link = first.success(on: queue) { _ in journal.note("success") }
            .failure(on: .immediate) { if $0.isCancelled { journal.note("cancelled") } }
        _ = await first.result
        link.cancel()
        gate.open()
        #expect(await link.result.isCancelled)
        #expect(journal.all == ["cancelled"])
    }

    enum LongChain: CaseIterable { case succeeds, fails, isCancelled, goesOn, isCancelledGoingOn }

    @Test(arguments: LongChain.allCases) func aLongChainNeedsNoStack(chain: LongChain) async throws {
        let answer = Gate()
        let transport = MockTransport { _ in
            await answer.wait()
            if chain == .fails { throw TransportError(.connectionReset, "") }
            return .json("[]")
        }
        let client = APIClient(transport: transport)
        let stubbed = client.stubbing(Shop.Dishes.self) { _ in [] }
        var last = client.call(Shop.Dishes())
        for link in 0..<10_000 {
            if chain == .goesOn || chain == .isCancelledGoingOn {
                last = last.then(on: .immediate) { _ in stubbed.call(Shop.Dishes()) }
            } else if link.isMultiple(of: 2) {
                last = last.success(on: .immediate) { _ in }
            } else {
                last = last.then(on: .immediate) { dishes in dishes }
            }
        }
        if chain == .isCancelled || chain == .isCancelledGoingOn { last.cancel() }
        answer.open()
        let outcome = await last.result
        switch chain {
        case .succeeds, .goesOn: #expect(try outcome.get() == [])
        case .fails: #expect((try? outcome.get()) == nil && !outcome.isCancelled)
        case .isCancelled, .isCancelledGoingOn: #expect(outcome.isCancelled)
        }
    }

    @Test func aCallIsGoneWhenItIsOver() async throws {
        final class Token: Sendable {}
        transport.enqueue(.json("[]"))
        transport.enqueue(.json(#"{"id": 7, "name": "Udon"}"#))
        weak var captured: Token?
        weak var kept: APICall<Dish, APIError<ShopError>>?
        do {
            let token = Token()
            captured = token
            let client = client
            let chain = client.call(Shop.Dishes())
                .success { _ in _ = token }
                .then { _ in client.call(Shop.DishByID(id: "7")) }
                .finally { _ = token }
            kept = chain
            _ = try await chain.value
        }
        try #require(try await holds { captured == nil && kept == nil })
    }
}
