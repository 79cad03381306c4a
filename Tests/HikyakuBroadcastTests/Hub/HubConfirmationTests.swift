import HikyakuTesting
import Testing

@testable import Hikyaku
@testable import HikyakuBroadcast
@testable import HikyakuEngine

/// What a confirmed change leaves, and how long.
@Suite(.timeLimit(.minutes(5))) struct HubConfirmationTests {
    private let hub = ModelHub()

    private func name(_ id: Int = 1) -> String? { hub.value(of: Meal.self, id: id)?.value.name }

    /// Publishes what a client would whose request started at that moment.
    private func answer(_ name: String, _ id: Int = 1, to moment: Int, of hub: ModelHub) {
        hub.resultReceived(Meal(id: id, name: name), of: Decoded<Meal>.self, from: .network, token: moment)
    }

    @Test func whatTheWorkReturnsTakesThePlaceOfTheChange() async throws {
        let updates = hub.updates(of: Meal.self, id: 1)
        let meal = await hub.change(Meal(id: 1, name: "b")) { Meal(id: 1, name: "b, stored") }
        #expect(meal.name == "b, stored")
        _ = await hub.change(Meal(id: 1, name: "c")) { [Meal(id: 1, name: "c, stored"), Meal(id: 2)] }
        let seen = try await take(4, of: updates)
        #expect(seen.map(\.value.name) == ["b", "b, stored", "c", "c, stored"])
        #expect(seen.map(\.source) == [.local, .network, .local, .network])
        #expect(hub.value(of: Meal.self, id: 2) == nil)
    }

    @Test func whatTheWorkReturnsWithoutTheModelLeavesTheChange() async {
        await hub.change(Meal(id: 1, name: "b")) {}
        #expect(name() == "b")
        _ = await hub.change(Meal(id: 1, name: "c")) { Meal(id: 2, name: "other") }
        #expect(name() == "c")
        hub.change(Meal(id: 1, name: "d")).confirm(as: Meal(id: 2, name: "other"))
        #expect(name() == "d")
        #expect(name(2) == nil)
    }

    @Test func aModelThatConfirmsIsNotShownOverALaterChange() {
        let (first, second) = (hub.change(Meal(id: 1, name: "b")), hub.change(Meal(id: 1, name: "c")))
        first.confirm(as: Meal(id: 1, name: "b, stored"))
        #expect(name() == "c")
        second.rollBack()
        #expect(name() == "b, stored")
        second.confirm(as: Meal(id: 1, name: "c, stored"))
        #expect(name() == "b, stored")
    }

    @Test func whatOvertakesAChangeStaysUntilTheChangeEnds() {
        for isConfirmed in [true, false] {
            let change = hub.change(Meal(id: 1, name: "b"))
            hub.publish(Meal(id: 1, name: "c"))
            let token = hub.exchangeWillStart()
            answer("a", to: token, of: hub)
            #expect(name() == "c")
            if isConfirmed { change.confirm(as: Meal(id: 1, name: "b, stored")) } else { change.rollBack() }
            #expect(name() == (isConfirmed ? "c" : "a"))
            answer("a", to: token, of: hub)
            #expect(name() == (isConfirmed ? "c" : "a"))
        }
    }

    @Test func theAnswerToANewerQuestionStays() {
        hub.publish(Meal(id: 1, name: "known before"))
        let (first, second) = (hub.exchangeWillStart(), hub.exchangeWillStart())
        answer("newer", to: second, of: hub)
        answer("older", to: first, of: hub)
        answer("of another model", 2, to: first, of: hub)
        #expect(name() == "newer")
        #expect(name(2) == "of another model")
        let change = hub.change(Meal(id: 1, name: "b"))
        answer("older", to: first, of: hub)
        change.rollBack()
        #expect(name() == "newer")
    }

    @Test(arguments: [0, 1, 99]) func confirmationsThatWereDroppedStillHold(valuesMax: Int) async throws {
        let hub = ModelHub(valuesMax: valuesMax, confirmationsMax: 2)
        let updates = hub.updates(of: Meal.self, .unbounded)
        let token = hub.exchangeWillStart()
        for id in 1...3 { hub.change(Meal(id: id, name: "changed")).confirm() }
        for id in 1...3 { answer("old", id, to: token, of: hub) }
        // Whether the model was changed is not known any more: its answer isn't trusted.
        answer("unknown", 4, to: token, of: hub)
        let cooks = hub.updates(of: Cook.self)
        hub.resultReceived(Cook(id: "a"), of: Decoded<Cook>.self, from: .network, token: token)
        #expect(try await take(1, of: cooks).map(\.value.id) == ["a"])
        for id in 1...4 { answer("new", id, to: hub.exchangeWillStart(), of: hub) }
        let names = try await take(7, of: updates).map(\.value.name)
        #expect(names == ["changed", "changed", "changed", "new", "new", "new", "new"])
    }

    /// A model whose identities are counted while they are alive.
    private struct Counted: HubModel {
        struct ID: Hashable, Sendable {
            let number: CountedValue
            static func == (one: ID, other: ID) -> Bool { one.number.number == other.number.number }
            func hash(into hasher: inout Hasher) { hasher.combine(number.number) }
        }

        let id: ID
    }

    @Test func confirmationsAreBounded() {
        let live = LiveCount()
        let hub = ModelHub(valuesMax: 0, confirmationsMax: 10)
        for number in 0..<1_000 { hub.change(Counted(id: .init(number: CountedValue(number, live)))).confirm() }
        #expect(live.now == 10)
    }
}
