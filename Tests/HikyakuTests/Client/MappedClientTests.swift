import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

/// What the app of these tests makes of any failure.
struct AppError: Error, Equatable {
    let reason: FailureReason
}

@Suite(.timeLimit(.minutes(10))) struct MappedClientTests {
    private let transport = MockTransport()
    private var client: APIClient<Public> {
        APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
    }
    private var mapped: MappedClient<Public, AppError> { client.mapError { AppError(reason: $0.reason) } }

    private func waitUntilSent(_ count: Int = 1) async throws {
        try #require(try await holds { transport.requests.count >= count })
    }

    enum Way: CaseIterable {
        case send, response, call
        case boundSend, boundResponse, boundCall, completion, completionOnQueue, events

        fileprivate func outcome(of client: MappedClient<Public, AppError>) async -> Result<[Dish], AppError> {
            let bound = client.bind(Shop.Dishes())
            do throws(AppError) {
                switch self {
                case .send: return .success(try await client.send(Shop.Dishes()))
                case .response: return .success(try await client.bind(Shop.Dishes()).response().value)
                case .call: return .success(try await client.bind(Shop.Dishes()).call().value)
                case .boundSend: return .success(try await bound.send())
                case .boundResponse: return .success(try await bound.response().value)
                case .boundCall: return await bound.call().result
                case .completion:
                    return await withCheckedContinuation { continuation in
                        bound.send { outcome in
                            MainActor.assertIsolated()
                            continuation.resume(returning: outcome)
                        }
                    }
                case .completionOnQueue:
                    return await withCheckedContinuation { continuation in
                        bound.send(on: .immediate) { continuation.resume(returning: $0) }
                    }
                case .events:
                    var model: [Dish] = []
                    var iterator = bound.events().makeAsyncIterator()
                    while let event = try await iterator.next() {
                        if case .response(let response) = event { model = response.value }
                    }
                    return .success(model)
                }
            } catch {
                return .failure(error)
            }
        }
    }

    @Test(arguments: Way.allCases) func everyWayGivesTheModel(way: Way) async {
        transport.enqueue(.json(#"[{"id": 1, "name": "Ramen"}]"#))
        #expect(await way.outcome(of: mapped) == .success([.sample]))
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: Way.allCases) func everyWayFailsWithTheAppsErrorMadeOnce(way: Way) async {
        transport.enqueue(.json(#"{"message": "closed"}"#, status: 503))
        let messages = Lock<[String?]>([])
        let client = client.mapError { failure in
            messages.withLock { $0.append(failure.service(as: ShopError.self)?.message) }
            return AppError(reason: failure.reason)
        }
        #expect(await way.outcome(of: client) == .failure(AppError(reason: .service)))
        #expect(messages.withLock(\.self) == ["closed"])
    }

    @Test func itHasTheLevelOfTheClientItIsMadeOf() async throws {
        let transport = MockTransport { _ in .json("[]", headers: ["Total-Count": "0"]) }
        let client = APIClient(transport: transport).authorized(by: .bearer("t"), for: .shop)
            .mapError { AppError(reason: $0.reason) }
        try await client.send(Shop.AddDish(dish: .sample))
        try await client.bind(Shop.AddDish(dish: .sample)).call().value
        try await client.bind(Shop.AddDish(dish: .sample)).send()
        #expect(transport.requests.allSatisfy { $0.headers[.authorization] == "Bearer t" })
        #expect(try await client.bind(Shop.Dishes()).response().headers["Total-Count"] == "0")
    }

    @Test func aBoundRequestIsNotSentUntilItIsCalled() async {
        let bound = mapped.bind(Shop.Dishes(page: 3))
        _ = bound.events()
        #expect(bound.request.page == 3)
        #expect(bound.description == "MappedRequest<Dishes, AppError>")
        for _ in 0..<1000 { await Task.yield() }
        #expect(transport.requests.isEmpty)
    }

    @Test func aCallsOutcomeIsTheSameForAll() async throws {
        transport.enqueue(.json("{}", status: 500))
        let call = mapped.bind(Shop.Dishes()).call()
        async let first = call.result
        async let second = call.result
        let outcomes = [await first, await second, try #require(call.outcome)]
        #expect(outcomes == Array(repeating: .failure(AppError(reason: .unacceptableStatus)), count: 3))
        #expect(call.description == "APICall<Array<Dish>>, failed: AppError")
    }
}

// MARK: - Cancelling

extension MappedClientTests {
    @Test func aCancelledCallFailsWithTheAppsError() async throws {
        transport.enqueue(.never)
        let call = mapped.bind(Shop.Dishes()).call()
        try await waitUntilSent()
        call.cancel()
        #expect(await call.result == .failure(AppError(reason: .cancelled)))
    }

    @Test func aCallIsCancelledByItsType() async throws {
        transport.enqueue(.never)
        let client = client
        let call = client.mapError { AppError(reason: $0.reason) }.bind(Shop.Dishes()).call()
        try await waitUntilSent()
        #expect(client.cancelAll(Shop.Dishes.self) == 1)
        #expect(await call.result == .failure(AppError(reason: .cancelled)))
    }

    @Test func aCancelledWaiterLeavesTheCallToTheOthers() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await gate.wait()
            return .json("[]")
        }
        let call = APIClient(transport: transport).mapError { AppError(reason: $0.reason) }.bind(Shop.Dishes()).call()
        let waiting = Task { await call.result }
        try #require(try await holds { !transport.requests.isEmpty })
        waiting.cancel()
        #expect(await waiting.value == .failure(AppError(reason: .cancelled)))
        #expect(call.outcome == nil)
        gate.open()
        #expect(await call.result == .success([]))
    }
}

// MARK: - Progress and chains

extension MappedClientTests {
    @Test func aCallReportsItsProgress() async throws {
        transport.enqueue(.json(#"{"id": 7, "name": "Udon"}"#))
        let call = mapped.bind(Shop.DishByID(id: "7")).call()
        let (ofLink, ofCall) = (Lock<CallProgress?>(nil), Lock<CallProgress?>(nil))
        let link = call.progress(on: .immediate) { progress in ofLink.withLock { $0 = progress } }
        for await progress in call.progress { ofCall.withLock { $0 = progress } }
        #expect(try await link.value.id == 7)
        let all = CallProgress(direction: .down, bytesDone: 25, bytesTotal: 25)
        #expect(ofCall.withLock(\.self) == all)
        #expect(ofLink.withLock(\.self) == all)
    }

    @Test func aChainKeepsTheAppsError() async {
        transport.enqueue(.json("[]"))
        transport.enqueue(.json("{}", status: 404))
        let (mapped, journal) = (mapped, Journal())
        let chain: APICall<Int, AppError> = mapped.bind(Shop.Dishes()).call()
            .success { _ in journal.note("success") }
            .then { _ in mapped.bind(Shop.DishByID(id: "7")).call() }
            .failure { error in journal.note("failure \(error.reason)") }
            .then { dish in dish.id }
            .finally { journal.note("finally") }
        #expect(await chain.result == .failure(AppError(reason: .unacceptableStatus)))
        #expect(journal.all == ["success", "failure unacceptableStatus", "finally"])
    }

    @Test(arguments: [true, false]) func aChainOfTwoErrorsFailsWithEither(firstFails: Bool) async throws {
        if !firstFails { transport.enqueue(.json("[]")) }
        transport.enqueue(.json(#"{"message": "closed"}"#, status: 503))
        let (client, mapped) = (client, mapped)
        let chain: APICall<Dish, any Error> = mapped.bind(Shop.Dishes()).call()
            .then { _ in client.call(Shop.DishByID(id: "7")) }
        let error = try await failure { () async throws(any Error) in try await chain.value }
        if firstFails {
            #expect(error as? AppError == AppError(reason: .service))
            #expect(chain.description == "APICall<Dish>, failed: AppError")
        } else {
            #expect((error as? APIError<ShopError>)?.reason == .service)
            #expect(chain.description == "APICall<Dish>, failed: service")
        }
        #expect(transport.requests.count == (firstFails ? 1 : 2))
    }

    @Test func cancellingAChainEndsWhatIsInFlight() async throws {
        transport.enqueue(.json("[]"))
        transport.enqueue(.never)
        let mapped = mapped
        let chain = mapped.bind(Shop.Dishes()).call()
            .then(on: .immediate) { _ in mapped.bind(Shop.DishByID(id: "1")).call() }
        try await waitUntilSent(2)
        chain.cancel()
        #expect(await chain.result == .failure(AppError(reason: .cancelled)))
    }

    @Test func aCallIsGoneWhenItIsOver() async throws {
        transport.enqueue(.json("[]"))
        weak var kept: APICall<[Dish], AppError>?
        do {
            let call = mapped.bind(Shop.Dishes()).call()
            kept = call
            _ = try await call.value
        }
        try #require(try await holds { kept == nil })
    }
}
