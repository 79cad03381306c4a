import Foundation
import Hikyaku
import HikyakuBroadcast
import Testing

@Suite struct HubChangeTests {
    /// One thing that happens to the model with id 1.
    enum Step: Sendable {
        /// Somebody publishes a state.
        case publish(String)
        /// A change begins; it is known by its name.
        case change(String)
        case rollBack(String)
        case confirm(String)
        /// The change goes without a word.
        case drop(String)
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        /// The names of all states that a subscriber sees.
        let seen: [String]

        init(_ description: String, _ steps: [Step], seen: [String]) {
            (testDescription, self.steps, self.seen) = (description, steps, seen)
        }
    }

    static let examples: [Example] = [
        Example("a change is seen at once", [.publish("a"), .change("b")], seen: ["a", "b"]),
        Example("and taken back", [.publish("a"), .change("b"), .rollBack("b")], seen: ["a", "b", "a"]),
        Example("once", [.publish("a"), .change("b"), .rollBack("b"), .rollBack("b")], seen: ["a", "b", "a"]),
        Example(
            "a confirmed one stays",
            [.publish("a"), .change("b"), .confirm("b"), .rollBack("b")],
            seen: ["a", "b"],
        ),
        Example("a dropped one stays", [.publish("a"), .change("b"), .drop("b")], seen: ["a", "b"]),
        Example(
            "what is published later overtakes it",
            [.publish("a"), .change("b"), .publish("c"), .rollBack("b")],
            seen: ["a", "b", "c"],
        ),
        Example(
            "and all changes before",
            [.publish("a"), .change("b"), .change("c"), .publish("d"), .rollBack("c"), .rollBack("b")],
            seen: ["a", "b", "c", "d"],
        ),
        Example(
            "a later change stands on what overtook",
            [.change("b"), .publish("c"), .change("d"), .rollBack("b"), .rollBack("d")],
            seen: ["b", "c", "d", "c"],
        ),
        Example(
            "two, the later one first",
            [.publish("a"), .change("b"), .change("c"), .rollBack("c"), .rollBack("b")],
            seen: ["a", "b", "c", "b", "a"],
        ),
        Example(
            "two, the earlier one first",
            [.publish("a"), .change("b"), .change("c"), .rollBack("b"), .rollBack("c")],
            seen: ["a", "b", "c", "a"],
        ),
        Example(
            "the one below confirmed",
            [.publish("a"), .change("b"), .change("c"), .confirm("b"), .rollBack("c")],
            seen: ["a", "b", "c", "b"],
        ),
        Example(
            "the one above confirmed",
            [.publish("a"), .change("b"), .change("c"), .confirm("c"), .rollBack("b")],
            seen: ["a", "b", "c"],
        ),
        Example(
            "the one below dropped",
            [.publish("a"), .change("b"), .change("c"), .drop("b"), .rollBack("c")],
            seen: ["a", "b", "c", "b"],
        ),
        Example(
            "three, the middle one first",
            [.publish("a"), .change("b"), .change("c"), .change("d"), .rollBack("c"), .rollBack("d"), .rollBack("b")],
            seen: ["a", "b", "c", "d", "b", "a"],
        ),
        Example("nothing was known before", [.change("b"), .rollBack("b")], seen: ["b"]),
        Example(
            "and known after",
            [.change("b"), .confirm("b"), .change("c"), .rollBack("c")],
            seen: ["b", "c", "b"],
        ),
    ]

    @Test(arguments: examples)
    func changesAreShownAndTakenBack(example: Example) async throws {
        var hub: ModelHub? = HubDate.hub()
        let all = try #require(hub?.updates(of: Meal.self))
        let one = try #require(hub?.updates(of: Meal.self, id: 1))
        var changes: [String: HubChange<Meal>] = [:]
        for step in example.steps {
            switch step {
            case .publish(let name): hub?.publish(Meal(id: 1, name: name), source: .network)
            case .change(let name): changes[name] = hub?.change(Meal(id: 1, name: name))
            case .rollBack(let name): changes[name]?.rollBack()
            case .confirm(let name): changes[name]?.confirm()
            case .drop(let name): changes[name] = nil
            }
        }
        let last = hub?.value(of: Meal.self, id: 1)?.value.name
        changes = [:]
        hub = nil
        #expect(try await take(99, of: all).map(\.value.name) == example.seen)
        #expect(try await take(99, of: one).map(\.value.name) == example.seen)
        let isForgotten = example.testDescription == "nothing was known before"
        #expect(last == (isForgotten ? nil : example.seen.last))
    }

    @Test func whatIsRolledBackToIsAsItWas() {
        let hub = HubDate.hub()
        hub.publish(Meal(id: 1, name: "a"), source: .network)
        let before = hub.value(of: Meal.self, id: 1)
        let change = hub.change(Meal(id: 1, name: "b"))
        #expect(hub.value(of: Meal.self, id: 1)?.source == .local)
        change.rollBack()
        #expect(hub.value(of: Meal.self, id: 1) == before)
    }

    @Test func anEvictedModelIsRolledBackToTheGivenOriginal() async throws {
        let hub = HubDate.hub(valuesMax: 1)
        let stream = hub.updates(of: Meal.self, id: 1)
        let change = hub.change(Meal(id: 1, name: "b"), from: Meal(id: 1, name: "a"))
        hub.publish(Meal(id: 2))
        change.rollBack()
        #expect(try await take(2, of: stream).map(\.value.name) == ["b", "a"])
        #expect(hub.value(of: Meal.self, id: 1)?.value.name == "a")
    }

    @Test func theStoredModelOverridesTheGivenOriginal() async throws {
        let hub = HubDate.hub()
        hub.publish(Meal(id: 1, name: "newer"))
        hub.change(Meal(id: 1, name: "b"), from: Meal(id: 1, name: "older")).rollBack()
        #expect(hub.value(of: Meal.self, id: 1)?.value.name == "newer")
    }

    @Test func newSubscribersNeverStartWithARolledBackChange() async throws {
        let hub = HubDate.hub()
        let watching = hub.updates(of: Meal.self, id: 1)
        hub.change(Meal(id: 1, name: "b")).rollBack()
        let stream = hub.updates(of: Meal.self, id: 1, .newest(2).beginningWithLatest)
        hub.publish(Meal(id: 1, name: "c"))
        #expect(try await take(1, of: stream).map(\.value.name) == ["c"])
        #expect(watching.lostCount == 0)
    }

    private struct Refused: Error, Equatable {}

    @Test func aChangeIsSeenWhileTheWorkGoesOn() async throws {
        let hub = HubDate.hub()
        hub.publish(Meal(id: 1, name: "a"))
        let answer = await hub.change(Meal(id: 1, name: "b")) {
            #expect(hub.value(of: Meal.self, id: 1)?.value.name == "b")
            return 7
        }
        #expect(answer == 7)
        await #expect(throws: Refused()) {
            try await hub.change(Meal(id: 1, name: "c")) { () async throws(Refused) in
                #expect(hub.value(of: Meal.self, id: 1)?.value.name == "c")
                throw Refused()
            }
        }
        #expect(hub.value(of: Meal.self, id: 1)?.value.name == "b")
    }
}
