import Hikyaku
import HikyakuTesting
import Testing

/// What was asked before a change tells no news of what it changed, whenever it is answered.
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
        let asked = client.call(Cups())
        while transport.requests.isEmpty { await Task.yield() }
        let change = hub.change(Cup(id: 1, content: "coffee"))
        switch end {
        case .isConfirmed: change.confirm()
        case .isTakenBack: change.rollBack()
        case .isPending: break
        }
        gate.open()
        _ = try await asked.value
        #expect(content(1) == (end == .isTakenBack ? "tea" : "coffee"))
        #expect(content(2) == "water")
        withExtendedLifetime(change) {}
    }

    @Test func aQuestionBeforeTheConfirmationMayNotKnowOfTheChange() async throws {
        hub.publish(Cup(id: 1, content: "milk"))
        let client = APIClient(transport: transport).publishing(to: hub)
        let change = hub.change(Cup(id: 1, content: "coffee"))
        let asked = client.call(Cups())
        while transport.requests.isEmpty { await Task.yield() }
        change.confirm()
        gate.open()
        _ = try await asked.value
        #expect(content(1) == "coffee")
    }

    @Test func whoAsksDuringAChangeAndIsAnsweredThenOvertakesIt() async throws {
        gate.open()
        hub.publish(Cup(id: 1, content: "milk"))
        let client = APIClient(transport: transport).publishing(to: hub)
        let change = hub.change(Cup(id: 1, content: "coffee"))
        _ = try await client.send(Cups())
        #expect(content(1) == "tea")
        change.rollBack()
        #expect(content(1) == "tea")
    }

    @Test func whoAsksBehindAChangeIsHeard() async throws {
        gate.open()
        hub.publish(Cup(id: 1, content: "milk"))
        let client = APIClient(transport: transport).publishing(to: hub)
        hub.change(Cup(id: 1, content: "coffee")).confirm()
        _ = try await client.send(Cups())
        #expect(content(1) == "tea")
    }
}
