import Hikyaku
import HikyakuBroadcast
import HikyakuTesting
import TestSupport
import Testing

@testable import struct Hikyaku.APIClient
@testable import HikyakuEngine

/// A request from before a change's confirmation never publishes the changed model, whenever its response arrives.
@Suite(.timeLimit(.minutes(5))) struct HubOrderTests {
    struct Cup: HubModel, Codable, Equatable {
        let id: Int
        var content: String
    }

    private struct Cups: APIRequest {
        typealias Response = [Cup]
        var environment: APIEnvironment { "https://cups.example" }
        var path: RequestPath { "/cups" }
    }

    private struct SharedCups: APIRequest {
        typealias Response = [Cup]
        var environment: APIEnvironment { "https://cups.example" }
        var path: RequestPath { "/cups" }
        var sharesExchange: Bool { true }
    }

    enum End: CaseIterable { case isConfirmed, isTakenBack, isPending }

    private let hub = ModelHub()
    private let gate = Gate()
    private let transport: MockTransport

    init() {
        transport = MockTransport { [gate] _ in
            await gate.wait()
            return .json(#"[{"id": 1, "content": "tea"}, {"id": 2, "content": "water"}]"#)
        }
    }

    private func content(_ id: Int) -> String? { hub.value(of: Cup.self, id: id)?.value.content }

    @Test(arguments: End.allCases) func anEarlierQuestionDoesNotUndoAChange(end: End) async throws {
        hub.publish(Cup(id: 1, content: "milk"))
        let client = APIClient(transport: transport).publishing(to: hub)
        let earlier = client.call(Cups())
        try #require(try await holds { !transport.requests.isEmpty })
        let change = hub.change(Cup(id: 1, content: "coffee"))
        switch end {
        case .isConfirmed: change.confirm()
        case .isTakenBack: change.rollBack()
        case .isPending: break
        }
        gate.open()
        _ = try await earlier.value
        #expect(content(1) == (end == .isTakenBack ? "tea" : "coffee"))
        #expect(content(2) == "water")
        withExtendedLifetime(change) {}
    }

    @Test func aQuestionBeforeTheConfirmationMayNotKnowOfTheChange() async throws {
        hub.publish(Cup(id: 1, content: "milk"))
        let client = APIClient(transport: transport).publishing(to: hub)
        let change = hub.change(Cup(id: 1, content: "coffee"))
        let earlier = client.call(Cups())
        try #require(try await holds { !transport.requests.isEmpty })
        change.confirm()
        gate.open()
        _ = try await earlier.value
        #expect(content(1) == "coffee")
    }

    @Test(arguments: End.allCases)
    func anAnswerDuringAChangeIsWhatIsRolledBackToAndIsNotShown(end: End) async throws {
        gate.open()
        hub.publish(Cup(id: 1, content: "milk"))
        let client = APIClient(transport: transport).publishing(to: hub)
        let change = hub.change(Cup(id: 1, content: "coffee"))
        _ = try await client.send(Cups())
        #expect(content(1) == "coffee")
        #expect(content(2) == "water")
        switch end {
        case .isConfirmed: change.confirm()
        case .isTakenBack: change.rollBack()
        case .isPending: break
        }
        #expect(content(1) == (end == .isTakenBack ? "tea" : "coffee"))
        withExtendedLifetime(change) {}
    }

    @Test func aRejectedChangeDoesNotLetAnEarlierQuestionUndoAConfirmedOne() async throws {
        hub.publish(Cup(id: 1, content: "milk"))
        let client = APIClient(transport: transport).publishing(to: hub)
        let earlier = client.call(Cups())
        try #require(try await holds { !transport.requests.isEmpty })
        hub.change(Cup(id: 1, content: "coffee")).confirm()
        hub.change(Cup(id: 1, content: "cocoa")).rollBack()
        #expect(content(1) == "coffee")
        gate.open()
        _ = try await earlier.value
        #expect(content(1) == "coffee")
    }

    /// How the hub comes to have forgotten the model.
    enum Forgetting: CaseIterable { case byEviction, byKeepingNothing }

    @Test(arguments: Forgetting.allCases, [false, true])
    func aForgottenModelsConfirmedChangeIsNotUndone(_ forgetting: Forgetting, anotherIsRejected: Bool) async throws {
        let hub = ModelHub(valuesMax: forgetting == .byEviction ? 1 : 0)
        let updates = hub.updates(of: Cup.self, id: 1, .unbounded)
        let client = APIClient(transport: transport).publishing(to: hub)
        let earlier = client.call(Cups())
        try #require(try await holds { !transport.requests.isEmpty })
        let coffee = Cup(id: 1, content: "coffee")
        hub.change(coffee).confirm()
        hub.publish(Cup(id: 9, content: "takes the place"))
        if anotherIsRejected { hub.change(Cup(id: 1, content: "cocoa"), from: coffee).rollBack() }
        gate.open()
        _ = try await earlier.value
        hub.publish(Cup(id: 1, content: "the end"))
        let seen = anotherIsRejected ? ["coffee", "cocoa", "coffee", "the end"] : ["coffee", "the end"]
        #expect(try await take(seen.count, of: updates).map(\.value.content) == seen)
    }

    @Test(arguments: Forgetting.allCases, End.allCases)
    func anAnswerDuringAForgottenModelsChangeIsNotShown(_ forgetting: Forgetting, end: End) async throws {
        gate.open()
        let hub = ModelHub(valuesMax: forgetting == .byEviction ? 1 : 0)
        let updates = hub.updates(of: Cup.self, id: 1, .unbounded)
        let client = APIClient(transport: transport).publishing(to: hub)
        let change = hub.change(Cup(id: 1, content: "coffee"), from: Cup(id: 1, content: "milk"))
        hub.publish(Cup(id: 9, content: "takes the place"))
        _ = try await client.send(Cups())
        switch end {
        case .isConfirmed: change.confirm()
        case .isTakenBack: change.rollBack()
        case .isPending: break
        }
        hub.publish(Cup(id: 1, content: "the end"))
        let seen = end == .isTakenBack ? ["coffee", "tea", "the end"] : ["coffee", "the end"]
        #expect(try await take(seen.count, of: updates).map(\.value.content) == seen)
        withExtendedLifetime(change) {}
    }

    @Test(arguments: End.allCases)
    func aCallThatJoinsAnExchangeFromBeforeAChangeDoesNotUndoIt(end: End) async throws {
        hub.publish(Cup(id: 1, content: "milk"))
        let client = APIClient(transport: transport).publishing(to: hub)
        let first = client.call(SharedCups())
        try #require(try await holds { !transport.requests.isEmpty })
        let change = hub.change(Cup(id: 1, content: "coffee"))
        switch end {
        case .isConfirmed: change.confirm()
        case .isTakenBack: change.rollBack()
        case .isPending: break
        }
        let second = client.call(SharedCups())
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= 2 })
        gate.open()
        _ = try await (first.value, second.value)
        #expect(transport.requests.count == 1)
        #expect(content(1) == (end == .isTakenBack ? "tea" : "coffee"))
        #expect(content(2) == "water")
        withExtendedLifetime(change) {}
    }

    @Test func aResponseToALaterRequestIsPublished() async throws {
        gate.open()
        hub.publish(Cup(id: 1, content: "milk"))
        let client = APIClient(transport: transport).publishing(to: hub)
        hub.change(Cup(id: 1, content: "coffee")).confirm()
        _ = try await client.send(Cups())
        #expect(content(1) == "tea")
    }
}
