import Hikyaku
import HikyakuBase
import HikyakuBroadcast
import HikyakuTesting
import Observation
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10)))
struct ObservedTests {
    private let answers = HeldAnswers()
    private let client: APIClient<Public>

    init() {
        client = APIClient(transport: answers.transport, options: ClientOptions(retryPolicy: .never))
    }

    private func makeObserved() -> Observed<Shop.Dishes> { Observed(client.bind(Shop.Dishes())) }

    private static let ramen = #"[{"id": 1, "name": "Ramen"}]"#
    private static let udon = #"[{"id": 2, "name": "Udon"}]"#

    @Test func nothingIsSentBeforeTheFirstRead() {
        let observed = makeObserved()
        #expect(observed.value == nil && observed.error == nil && !observed.isLoading)
        #expect(answers.askedCount == 0)
    }

    @Test func aValueComes() async {
        let observed = makeObserved()
        let refresh = Task { await observed.refresh() }
        await answers.asked(1)
        #expect(observed.isLoading)
        answers.answer(Self.ramen)
        await refresh.value
        #expect(observed.value == [.sample] && observed.error == nil && !observed.isLoading)
    }

    @Test func loadingIsOnlyForObserversWithoutAValue() async {
        let observed = makeObserved()
        let loads = [Task { await observed.load() }, Task { await observed.load() }]
        await answers.asked(1)
        answers.answer(Self.ramen)
        for load in loads { await load.value }
        await observed.load()
        #expect(answers.askedCount == 1)
    }

    @Test func aSecondRefreshJoinsTheFirst() async {
        let observed = makeObserved()
        let refreshes = (0..<3).map { _ in Task { await observed.refresh() } }
        await answers.asked(1)
        answers.answer(Self.ramen)
        for refresh in refreshes { await refresh.value }
        #expect(answers.askedCount == 1)
        let next = Task { await observed.refresh() }
        await answers.asked(2)
        answers.answer(Self.udon)
        await next.value
        #expect(observed.value?.map(\.id) == [2])
    }

    @Test func anErrorLeavesTheValue() async {
        let observed = makeObserved()
        for (body, status) in [(Self.ramen, 200), (#"{"message": "closed"}"#, 503)] as [(String, HTTPStatus)] {
            let refresh = Task { await observed.refresh() }
            await answers.asked(status == 200 ? 1 : 2)
            answers.answer(body, status: status)
            await refresh.value
        }
        #expect(observed.value == [.sample] && !observed.isLoading)
        guard case .service(let error, _) = observed.error else {
            Issue.record("\(String(describing: observed.error))")
            return
        }
        #expect(error == ShopError(message: "closed"))
        let refresh = Task { await observed.refresh() }
        await answers.asked(3)
        #expect(observed.error != nil)
        answers.answer(Self.udon)
        await refresh.value
        #expect(observed.error == nil && observed.value?.map(\.id) == [2])
    }

    @Test func aCancellationIsNoError() async {
        let observed = makeObserved()
        let refresh = Task { await observed.refresh() }
        await answers.asked(1)
        observed.cancel()
        #expect(!observed.isLoading)
        await refresh.value
        #expect(observed.error == nil && observed.value == nil)
        answers.answer(Self.ramen)
        let next = Task { await observed.refresh() }
        await answers.asked(2)
        answers.answer(Self.udon)
        await next.value
        #expect(observed.value?.map(\.id) == [2], "what was cancelled is dropped")
    }

    @Test func aClientThatCancelsGivesNoError() async {
        let observed = makeObserved()
        let refresh = Task { await observed.refresh() }
        await answers.asked(1)
        client.cancelAll(Shop.Dishes.self)
        await refresh.value
        #expect(observed.error == nil && observed.value == nil && !observed.isLoading)
        answers.answer(Self.ramen)
    }

    @Test func theCallOutlivesATaskThatIsCancelled() async {
        let observed = makeObserved()
        let refresh = Task { await observed.refresh() }
        await answers.asked(1)
        refresh.cancel()
        await refresh.value
        #expect(observed.isLoading)
        let other = Task { await observed.refresh() }
        answers.answer(Self.ramen)
        await other.value
        #expect(observed.value == [.sample] && answers.askedCount == 1)
    }

    @Test func theRequestIsMadeAnew() async {
        let pages = Lock(0)
        let observed = Observed { [client] in
            client.bind(
                Shop.Dishes(
                    page: pages.withLock {
                        $0 += 1
                        return $0
                    }
                )
            )
        }
        for count in 1...2 {
            let refresh = Task { await observed.refresh() }
            await answers.asked(count)
            answers.answer(Self.ramen)
            await refresh.value
        }
        #expect(pages.withLock(\.self) == 2)
    }

    private struct Weak {
        weak var object: Observed<Shop.Dishes>?
    }

    @Test func aCallEndsWithItsObject() async {
        let ended = Lock<CheckedContinuation<Void, Never>?>(nil)
        let transport = MockTransport { _ in
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in ended.withLock { $0 = continuation } }
            } onCancel: {
                ended.withLock { $0.take() }?.resume()
            }
            throw CancellationError()
        }
        var observed: Observed<Shop.Dishes>? = Observed(APIClient(transport: transport).bind(Shop.Dishes()))
        let known = Weak(object: observed)
        let refresh = Task { [observed] in await observed?.refresh() }
        while ended.withLock({ $0 == nil }) { await Task.yield() }
        observed = nil
        #expect(known.object != nil, "who waits keeps it")
        refresh.cancel()
        await refresh.value
        while known.object != nil || ended.withLock({ $0 != nil }) { await Task.yield() }
    }

    @Test func changesAreObserved() async {
        let observed = makeObserved()
        let changes = (value: Changes(), error: Changes(), isLoading: Changes())
        changes.value.track { _ = observed.value }
        changes.error.track { _ = observed.error }
        changes.isLoading.track { _ = observed.isLoading }
        let refresh = Task { await observed.refresh() }
        await answers.asked(1)
        #expect([changes.value.count, changes.isLoading.count] == [0, 1])
        answers.answer(Self.ramen)
        await refresh.value
        #expect(changes.value.count == 1)
    }
}
