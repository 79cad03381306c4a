import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import struct Hikyaku.APIClient
@testable import HikyakuEngine

/// Every kind of caller gives up at every moment, and sees one outcome.
@Suite(.timeLimit(.minutes(10))) struct CallRaceTests {
    enum Caller: CaseIterable {
        case sends, receivesTheResponse, waitsForACall, cancelsACall, completes, chains, readsEvents, shares
        case givesUpByType, linksOnAQueue, cancelsAProgressLink, readsAStream, cancelsAMappedCall
    }

    /// Answers after a number of turns, or when it is cancelled.
    private static func transport(turns: Int) -> MockTransport {
        MockTransport { _ in
            for _ in 0..<turns {
                await Task.yield()
                try Task.checkCancellation()
            }
            return .json("[]")
        }
    }

    @Test(arguments: Caller.allCases) func oneOutcomeIsSeen(caller: Caller) async throws {
        for moment in 0..<120 {
            let client = APIClient(transport: Self.transport(turns: 8))
            let outcomes = Lock<[Bool]>([])
            let see: @Sendable (Result<[Dish], APIError<ShopError>>) -> Void = { outcome in
                if case .failure(let error) = outcome, !error.isCancelled { Issue.record("\(error)") }
                outcomes.withLock { $0.append((try? outcome.get()) != nil) }
            }
            let giveUp = await start(caller, client, see)
            for _ in 0..<moment { await Task.yield() }
            await giveUp()
            try #require(try await holds { outcomes.withLock(\.count) != 0 })
            // What would come a second time has had its time.
            try #require(try await holds { client.core.parts.calls.count + client.core.parts.exchanges.count == 0 })
            for _ in 0..<20 { await Task.yield() }
            #expect(outcomes.withLock(\.count) == 1, "\(caller), after \(moment) turns")
        }
    }

    @Test(arguments: Caller.allCases) func whoIsNotInterruptedSeesTheModel(caller: Caller) async throws {
        let client = APIClient(transport: Self.transport(turns: 2))
        let seen = Gate()
        _ = await start(caller, client) { outcome in
            #expect((try? outcome.get()) == [])
            seen.open()
        }
        await seen.wait()
    }

    /// Starts a caller, and says how it gives up.
    private func start(
        _ caller: Caller,
        _ client: APIClient<Public>,
        _ see: @escaping @Sendable (Result<[Dish], APIError<ShopError>>) -> Void,
    ) async -> @Sendable () async -> Void {
        switch caller {
        case .sends: return task(see) { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        case .receivesTheResponse:
            return task(see) { () async throws(APIError<ShopError>) in
                try await client.bind(Shop.Dishes()).response().value
            }
        case .shares:
            return task(see) { () async throws(APIError<ShopError>) in try await client.send(Shop.SharedDishes()) }
        case .waitsForACall:
            let call = client.call(Shop.Dishes())
            return task(see) { () async throws(APIError<ShopError>) in try await call.value }
        case .readsEvents:
            return task(see) { () async throws(APIError<ShopError>) in
                var model: [Dish] = []
                var iterator = client.bind(Shop.Dishes()).events().makeAsyncIterator()
                while let event = try await iterator.next() {
                    if case .response(let response) = event { model = response.value }
                }
                return model
            }
        case .cancelsACall:
            let call = client.call(Shop.Dishes())
            Task { see(await call.result) }
            return { call.cancel() }
        case .cancelsAMappedCall:
            let mapped = client.mapError { $0 as? APIError<ShopError> ?? .other(CallFailure(.other)) }
            let call = mapped.bind(Shop.Dishes()).call()
            Task { see(await call.result) }
            return { call.cancel() }
        case .completes:
            let call = client.bind(Shop.Dishes()).send(on: .immediate, completion: see)
            return { call.cancel() }
        case .chains:
            let chain = client.call(Shop.Dishes()).then(on: .immediate) { _ in client.call(Shop.Dishes()) }
            chain.success(on: .immediate) { see(.success($0)) }.failure(on: .immediate) { see(.failure($0)) }
            return { chain.cancel() }
        case .linksOnAQueue:
            let queue = CallbackQueue { work in Task { work() } }
            let link = client.call(Shop.Dishes()).success(on: queue) { _ in }.finally(on: queue) {}
            Task { see(await link.result) }
            return { link.cancel() }
        case .cancelsAProgressLink:
            let link = client.call(Shop.Dishes()).progress(on: .immediate) { _ in }
            Task { see(await link.result) }
            return { link.cancel() }
        case .readsAStream:
            return task(see) { () async throws(APIError<ShopError>) in
                let response = try await client.send(Shop.StreamedDishes())
                guard (try? await response.collect()) != nil else {
                    throw .cancelled(CallFailure(.cancelled))
                }
                return []
            }
        case .givesUpByType:
            let call = client.call(Shop.Dishes())
            Task { see(await call.result) }
            return { client.cancelAll(Shop.Dishes.self) }
        }
    }

    private func task(
        _ see: @escaping @Sendable (Result<[Dish], APIError<ShopError>>) -> Void,
        _ work: @escaping @Sendable () async throws(APIError<ShopError>) -> [Dish],
    ) -> @Sendable () async -> Void {
        let task = Task {
            do throws(APIError<ShopError>) { see(.success(try await work())) } catch { see(.failure(error)) }
        }
        return { task.cancel() }
    }
}

extension Shop {
    fileprivate struct StreamedDishes: Request {
        typealias Definition = StreamedResponse
        var path: RequestPath { "/dishes" }
    }
}
