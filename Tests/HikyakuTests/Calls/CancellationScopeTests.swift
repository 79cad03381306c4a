import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CancellationScopeTests {
    private let transport = MockTransport()
    private var client: APIClient<Public> {
        APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
    }

    @Test func cancellingEndsCallsAndTasksAndWhatComesLater() async throws {
        transport.enqueue(.never)
        let scope = CancellationScope()
        let call = client.call(Shop.Dishes()).kept(in: scope)
        let task = Task { try await untilCancelled() }.kept(in: scope)
        #expect(scope.count == 2 && !scope.isCancelled)
        scope.cancel()
        #expect(scope.count == 0 && scope.isCancelled)
        #expect(await call.result.failure?.isCancelled == true)
        await #expect(throws: CancellationError.self) { try await task.value }
        // From now on, at once.
        let late = client.call(Shop.Dishes()).kept(in: scope)
        #expect(await late.result.failure?.isCancelled == true && scope.count == 0)
        scope.cancel()
    }

    @Test func aScopeThatIsReleasedCancels() async throws {
        transport.enqueue(.never)
        var scope: CancellationScope? = CancellationScope()
        let call = try client.call(Shop.Dishes()).kept(in: #require(scope))
        #expect(scope?.count == 1)
        scope = nil
        #expect(await call.result.failure?.isCancelled == true)
    }

    /// A scope that lives as long as the app doesn't grow.
    @Test func whatHasEndedIsDropped() async throws {
        let scope = CancellationScope()
        for _ in 0..<50 {
            transport.enqueue(.json("[]"))
            _ = try await client.call(Shop.Dishes()).kept(in: scope).value
            await Task {}.kept(in: scope).value
        }
        #expect(try await holds { scope.count == 0 })
        // A call that had ended before is never kept.
        transport.enqueue(.json("[]"))
        let call = client.call(Shop.Dishes())
        _ = try await call.value
        call.kept(in: scope)
        #expect(scope.count == 0)
    }

    /// The last call of a chain cancels all of it.
    @Test func aChainIsCancelledAsAWhole() async throws {
        transport.enqueue(.never)
        let scope = CancellationScope()
        let first = client.call(Shop.Dishes())
        first.then { $0.count }.success { _ in }.kept(in: scope)
        scope.cancel()
        #expect(await first.result.failure?.isCancelled == true)
    }

    /// What is cancelled may use the scope.
    @Test func itMayBeUsedByWhatItCancels() async throws {
        transport.enqueue(.never)
        let scope = CancellationScope()
        let again = Lock<[Bool]>([])
        let client = client
        client.call(Shop.Dishes()).failure(on: .immediate) { [weak scope] _ in
            scope?.cancel()
            let next = scope.map { client.call(Shop.Dishes()).kept(in: $0) }
            again.withLock { $0.append(next != nil) }
        }.kept(in: scope)
        scope.cancel()
        #expect(try await holds { again.withLock(\.self) == [true] })
        #expect(scope.count == 0)
    }

    @Test func manyThreadsMayUseIt() async throws {
        let scope = CancellationScope()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask {
                    for _ in 0..<200 { Task {}.kept(in: scope) }
                    if index == 7 { scope.cancel() }
                }
            }
        }
        #expect(try await holds { scope.count == 0 })
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
