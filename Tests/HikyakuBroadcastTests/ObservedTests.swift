import Hikyaku
import HikyakuBase
import HikyakuBroadcast
import HikyakuTesting
import Observation
import TestSupport
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
        #expect(answers.receivedCount == 0)
    }

    @Test func aValueComes() async {
        let observed = makeObserved()
        let refresh = Task { await observed.refresh() }
        await answers.received(1)
        #expect(observed.isLoading)
        answers.answer(Self.ramen)
        await refresh.value
        #expect(observed.value == [.sample] && observed.error == nil && !observed.isLoading)
    }

    @Test func loadingIsOnlyForObserversWithoutAValue() async {
        let observed = makeObserved()
        let loads = [Task { await observed.load() }, Task { await observed.load() }]
        await answers.received(1)
        answers.answer(Self.ramen)
        for load in loads { await load.value }
        await observed.load()
        #expect(answers.receivedCount == 1)
    }

    @Test func aSecondRefreshJoinsTheFirst() async {
        let observed = makeObserved()
        let refreshes = (0..<3).map { _ in Task { await observed.refresh() } }
        await answers.received(1)
        answers.answer(Self.ramen)
        for refresh in refreshes { await refresh.value }
        #expect(answers.receivedCount == 1)
        let next = Task { await observed.refresh() }
        await answers.received(2)
        answers.answer(Self.udon)
        await next.value
        #expect(observed.value?.map(\.id) == [2])
    }

    @Test func anErrorLeavesTheValue() async {
        let observed = makeObserved()
        for (body, status) in [(Self.ramen, 200), (#"{"message": "closed"}"#, 503)] as [(String, HTTPStatus)] {
            let refresh = Task { await observed.refresh() }
            await answers.received(status == 200 ? 1 : 2)
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
        await answers.received(3)
        #expect(observed.error != nil)
        answers.answer(Self.udon)
        await refresh.value
        #expect(observed.error == nil && observed.value?.map(\.id) == [2])
    }

    @Test func aCancellationIsNotAnError() async {
        let observed = makeObserved()
        let refresh = Task { await observed.refresh() }
        await answers.received(1)
        observed.cancel()
        #expect(!observed.isLoading)
        await refresh.value
        #expect(observed.error == nil && observed.value == nil)
        answers.answer(Self.ramen)
        let next = Task { await observed.refresh() }
        await answers.received(2)
        answers.answer(Self.udon)
        await next.value
        #expect(observed.value?.map(\.id) == [2], "what was cancelled is dropped")
    }

    @Test func aClientThatCancelsGivesNoError() async {
        let observed = makeObserved()
        let refresh = Task { await observed.refresh() }
        await answers.received(1)
        client.cancelAll(Shop.Dishes.self)
        await refresh.value
        #expect(observed.error == nil && observed.value == nil && !observed.isLoading)
        answers.answer(Self.ramen)
    }

    @Test func theCallOutlivesATaskThatIsCancelled() async {
        let observed = makeObserved()
        let refresh = Task { await observed.refresh() }
        await answers.received(1)
        refresh.cancel()
        await refresh.value
        #expect(observed.isLoading)
        let other = Task { await observed.refresh() }
        answers.answer(Self.ramen)
        await other.value
        #expect(observed.value == [.sample] && answers.receivedCount == 1)
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
            await answers.received(count)
            answers.answer(Self.ramen)
            await refresh.value
        }
        #expect(pages.withLock(\.self) == 2)
    }

    /// A view that searches: each text cancels the task of the one before.
    @Test(arguments: [false, true]) func aSearchShowsNoResultOfAnEarlierText(isCancelledLate: Bool) async {
        let page = Lock(1)
        let observed = Observed { [client] in client.bind(Shop.Dishes(page: page.withLock(\.self))) }
        let first = Task { await observed.refresh() }
        await answers.received(1)
        page.withLock { $0 = 2 }
        first.cancel()
        // The task that was cancelled may go on after or before the next one begins.
        if isCancelledLate { await first.value }
        let second = Task { await observed.refresh() }
        await answers.received(2)
        answers.answer(Self.ramen)
        answers.answer(Self.udon)
        await second.value
        await first.value
        #expect(observed.value?.map(\.id) == [2] && answers.receivedCount == 2 && !observed.isLoading)
    }

    @Test func aCallThatAnotherTaskWaitsForIsJoined() async throws {
        let observed = Observed { [client] in client.bind(Shop.Dishes()) }
        let waiting = [Task { await observed.refresh() }, Task { await observed.load() }]
        await answers.received(1)
        waiting[0].cancel()
        await waiting[0].value
        let other = Task { await observed.refresh() }
        try #require(try await holds { observed.isLoading })
        answers.answer(Self.ramen)
        for task in waiting + [other] { await task.value }
        #expect(answers.receivedCount == 1 && observed.value == [.sample])
    }

    @Test func anEmptyValueIsLoaded() async {
        let observed = makeObserved()
        #expect(!observed.isLoaded)
        let load = Task { await observed.load() }
        await answers.received(1)
        #expect(!observed.isLoaded)
        answers.answer("[]")
        await load.value
        #expect(observed.isLoaded && observed.value?.isEmpty == true)
        await observed.load()
        #expect(answers.receivedCount == 1)
    }

    // MARK: Edits

    private struct Refused: Error, Equatable {}

    private func loaded() async -> Observed<Shop.Dishes> {
        let observed = makeObserved()
        let load = Task { await observed.load() }
        await answers.received(1)
        answers.answer(Self.ramen)
        await load.value
        return observed
    }

    @Test func anEditIsShownAtOnceAndKept() async throws {
        let observed = await loaded()
        let name = try await observed.edit {
            $0[0].name = "Soba"
        } sending: { () async throws(Refused) -> String? in
            #expect(observed.value?.first?.name == "Soba")
            return observed.value?.first?.name
        }
        #expect(name == "Soba" && observed.value?.first?.name == "Soba")
        observed.edit { $0 = [] }
        #expect(observed.value?.isEmpty == true)
    }

    @Test func anEditThatFailsIsTakenBackAndOthersStay() async throws {
        let observed = await loaded()
        let gate = Lock<CheckedContinuation<Void, Never>?>(nil)
        let kept = Task {
            await observed.edit {
                $0[0].name += "!"
            } sending: {
                await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } }
            }
        }
        try #require(try await holds { gate.withLock({ $0 != nil }) })
        await #expect(throws: Refused.self) {
            try await observed.edit {
                $0[0].name = "Soba"
            } sending: { () async throws(Refused) in
                #expect(observed.value?.first?.name == "Soba")
                throw Refused()
            }
        }
        #expect(observed.value?.first?.name == "Ramen!")
        gate.withLock { $0.take() }?.resume()
        await kept.value
        #expect(observed.value?.first?.name == "Ramen!")
    }

    @Test func aValueThatIsReceivedMeanwhileHasTheEdit() async {
        let observed = await loaded()
        await #expect(throws: Refused.self) {
            try await observed.edit {
                $0.append(Dish(id: 9, name: "New"))
            } sending: { () async throws(Refused) in
                let refresh = Task { await observed.refresh() }
                await answers.received(2)
                answers.answer(Self.udon)
                await refresh.value
                #expect(observed.value?.map(\.id) == [2, 9])
                throw Refused()
            }
        }
        #expect(observed.value?.map(\.id) == [2])
    }

    @Test func anEditWithoutAValueIsSent() async {
        let observed = makeObserved()
        let sent = Lock(false)
        await observed.edit { _ in
            Issue.record("there is no value")
        } sending: {
            sent.withLock { $0 = true }
        }
        observed.edit { _ in Issue.record("there is no value") }
        #expect(sent.withLock(\.self) && !observed.isLoaded)
    }

    private struct Weak {
        weak var object: Observed<Shop.Dishes>?
    }

    @Test func aCallEndsWithItsObject() async throws {
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
        try #require(try await holds { ended.withLock({ $0 != nil }) })
        observed = nil
        #expect(known.object != nil, "who waits keeps it")
        refresh.cancel()
        await refresh.value
        try #require(try await holds { known.object == nil && ended.withLock({ $0 == nil }) })
    }

    @Test func changesAreObserved() async {
        let observed = makeObserved()
        let changes = (value: Changes(), error: Changes(), isLoading: Changes())
        changes.value.track { _ = observed.value }
        changes.error.track { _ = observed.error }
        changes.isLoading.track { _ = observed.isLoading }
        let refresh = Task { await observed.refresh() }
        await answers.received(1)
        #expect([changes.value.count, changes.isLoading.count] == [0, 1])
        answers.answer(Self.ramen)
        await refresh.value
        #expect(changes.value.count == 1)
    }
}
