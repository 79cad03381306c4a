import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuBroadcast
@testable import HikyakuEngine

/// A service whose answers wait until they are let go.
private final class HeldService: Sendable {
    private let held = Lock<[CheckedContinuation<String, Never>]>([])

    var count: Int { held.withLock(\.count) }

    func answer() async -> String {
        await withCheckedContinuation { exchange in held.withLock { $0.append(exchange) } }
    }

    func resume(_ index: Int, with json: String) {
        held.withLock { $0[index] }.resume(returning: json)
    }
}

private struct FetchMeals: APIRequest {
    typealias Response = [Meal]
    let ids: [Int]
    let sharesExchange: Bool
    var environment: APIEnvironment { "https://meals.example" }
    var path: RequestPath { "/meals" }
    var query: RequestQuery { ["ids": ids.map(String.init).joined(separator: ",")] }
}

/// A question on its way, and the calls that wait for the answer.
private struct HeldExchange {
    let index: Int
    let ids: [Int]
    let sent: Int
    let isShared: Bool
    var calls: [APICall<[Meal], APIError<ProblemDetails>>]
    /// What the service says, once it has been reached.
    var snapshot: [Int: String]?
}

/// A hub, a client that publishes to it, and what both should know.
private struct HubWorld {
    let hub: ModelHub
    let client: APIClient<Public>
    let service: HeldService
    /// Whether the hub never forgets anything.
    let isComplete: Bool
    let exchangesMax: Int
    /// How many confirmations the hub keeps.
    let confirmationsMax: Int
    var generator: SeededGenerator
    var model = HubServiceModel()
    var handles: [Int: HubChange<Meal>] = [:]
    var exchanges: [HeldExchange] = []
    /// What a watcher has seen last of each model.
    var seen: [Int: String] = [:]
    var updates: BroadcastStream<HubUpdate<Meal>>.AsyncIterator
    var log: [String] = []

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        isComplete = Bool.random(using: &generator)
        let valuesMax = isComplete ? 99 : [0, 1, 2, 3, 99].randomElement(using: &generator) ?? 99
        let confirmationsMax = isComplete ? 99 : [1, 2, 99].randomElement(using: &generator) ?? 99
        // With few at a time, most answers come while they may be news.
        exchangesMax = [4, 20].randomElement(using: &generator) ?? 4
        let (hub, service) = (ModelHub(valuesMax: valuesMax, confirmationsMax: confirmationsMax), HeldService())
        self.hub = hub
        self.confirmationsMax = confirmationsMax
        self.service = service
        self.generator = generator
        client = APIClient(transport: MockTransport { _ in .json(await service.answer()) }).publishing(to: hub)
        updates = hub.updates(of: Meal.self, .unbounded).makeAsyncIterator()
        log.append("seed \(seed), valuesMax \(valuesMax), confirmationsMax \(confirmationsMax)")
    }
}

/// Random runs of questions, changes and forgetting, each step compared with a small model of what the service has.
@Suite(.timeLimit(.minutes(5))) struct HubServiceTests {
    @Test(arguments: 0..<60 as Range<UInt64>)
    func noConfirmedChangeIsLost(run: UInt64) async throws {
        let seed = testSeed() &+ run
        var world = HubWorld(seed: seed)
        let latest = HubServiceModel.ids.map { world.hub.updates(of: Meal.self, id: $0, .latest) }
        for _ in 0..<250 {
            try await world.step()
            let faults = await world.faults()
            try #require(faults.isEmpty, "\(faults), seed \(seed):\n\(world.log.joined(separator: "\n"))")
        }
        try await world.becomeQuiet()
        let faults = await world.faults()
        try #require(faults.isEmpty, "\(faults), seed \(seed):\n\(world.log.joined(separator: "\n"))")
        for (id, stream) in latest.enumerated() {
            #expect(world.seen[id] == world.model.value(of: id), "seed \(seed)")
            #expect(await next(of: stream)?.value.name == world.model.value(of: id), "seed \(seed)")
        }
    }
}

extension HubWorld {
    private mutating func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func step() async throws {
        switch random(0..<20) {
        case 0...2: write()
        case 3...4: begin()
        case 5...6: decide()
        case 7...8: end()
        case 9...12: if exchanges.count < exchangesMax { try await fetch(randomIDs(), sharing: random(0..<2) == 0) }
        case 13...15: reach()
        case 16...18: try await deliver()
        default: await cancel()
        }
    }

    private mutating func makeValue(_ prefix: String) -> String { "\(prefix)\(model.tick())" }

    /// Another client changes a model.
    private mutating func write() {
        let id = random(HubServiceModel.ids)
        model.write(makeValue("w"), to: id)
        log.append("\(id) is \(model.value(of: id))")
    }

    private mutating func begin() {
        let id = random(HubServiceModel.ids)
        let value = makeValue("c")
        let before = isComplete || model.pending(id) != nil ? nil : seen[id].map { Meal(id: id, name: $0) }
        let stored = random(0..<2) == 0 ? value : value + " stored"
        let number = model.changes.count
        model.changes.append(HubServiceModel.Change(id: id, number: number, value: value, stored: stored))
        handles[number] = hub.change(Meal(id: id, name: value), from: before)
        log.append("change \(id) to \(value)")
    }

    /// The service accepts or rejects a change; changes of one model in the order in which they started.
    private mutating func decide() {
        let id = random(HubServiceModel.ids)
        guard let index = model.changes.firstIndex(where: { $0.id == id && $0.state == .isUndecided }) else { return }
        let isTaken = random(0..<3) > 0
        model.changes[index].state = isTaken ? .isTaken : .isRefused
        if isTaken { model.write(model.changes[index].stored, to: id) }
        log.append("\(model.changes[index].value) is \(isTaken ? "taken" : "refused")")
    }

    /// The hub receives the outcome of a change.
    private mutating func end() {
        let decided = model.changes.indices.filter { [.isTaken, .isRefused].contains(model.changes[$0].state) }
        guard let index = decided.randomElement(using: &generator) else { return }
        end(index)
    }

    private mutating func end(_ index: Int) {
        let change = model.changes[index]
        let isSeen = model.pending(change.id)?.number == change.number
        log.append("\(change.value) ends, \(change.state)")
        if change.state == .isRefused {
            model.changes[index].state = .isOver
            handles[index]?.rollBack()
            // Nothing is shown where the hub knows nothing.
            if isSeen, model.pending(change.id) == nil { seen[change.id] = nil }
        } else {
            model.confirm(index)
            if change.stored != change.value {
                handles[index]?.confirm(as: Meal(id: change.id, name: change.stored))
            } else if random(0..<2) == 0 {
                handles[index]?.confirm()
            }
        }
        handles[index] = nil
    }

    private mutating func randomIDs() -> [Int] {
        [[0, 1], [1, 2], [0, 1, 2]].randomElement(using: &generator) ?? []
    }

    private mutating func fetch(_ ids: [Int], sharing isShared: Bool) async throws {
        let sent = model.tick()
        let (count, waiters) = (service.count, client.core.parts.exchanges.waiterCount)
        let call = client.call(FetchMeals(ids: ids, sharesExchange: isShared))
        if isShared {
            try #require(try await holds { client.core.parts.exchanges.waiterCount != waiters })
            if let index = exchanges.firstIndex(where: { $0.isShared && $0.ids == ids }) {
                log.append("\(ids) sent at \(sent) joins that at \(exchanges[index].sent)")
                return exchanges[index].calls.append(call)
            }
        }
        try #require(try await holds { service.count != count })
        log.append("\(ids) sent at \(sent)\(isShared ? ", shared" : "")")
        exchanges.append(HeldExchange(index: count, ids: ids, sent: sent, isShared: isShared, calls: [call]))
    }

    /// A question reaches the service.
    private mutating func reach() {
        let waiting = exchanges.indices.filter { exchanges[$0].snapshot == nil }
        guard let place = waiting.randomElement(using: &generator) else { return }
        reach(place)
    }

    private mutating func reach(_ place: Int) {
        let values = exchanges[place].ids.map { ($0, model.value(of: $0)) }
        exchanges[place].snapshot = Dictionary(uniqueKeysWithValues: values)
        log.append("\(exchanges[place].ids) sent at \(exchanges[place].sent) reaches \(values.map(\.1))")
    }

    /// Its answer comes back.
    private mutating func deliver() async throws {
        let reached = exchanges.indices.filter { exchanges[$0].snapshot != nil }
        guard let place = reached.randomElement(using: &generator) else { return }
        try await deliver(place)
    }

    private mutating func deliver(_ place: Int) async throws {
        let exchange = exchanges.remove(at: place)
        let values = exchange.snapshot ?? [:]
        log.append("the answer to \(exchange.ids) sent at \(exchange.sent)")
        let meals = values.map { Meal(id: $0.key, name: $0.value) }
        let json = String(decoding: try JSONEncoder().encode(meals), as: UTF8.self)
        service.resume(exchange.index, with: json)
        for call in exchange.calls { #expect(try await call.value.count == values.count) }
        let news = values.filter { model.isNews($0.key, sent: exchange.sent, confirmationsMax: confirmationsMax) }
        model.answer(values, sent: exchange.sent)
        await hear()
        for (id, value) in news {
            #expect(seen[id] == value, "\(id) is not new:\n\(log.joined(separator: "\n"))")
        }
    }

    /// The call that began an exchange is cancelled, while another still waits for it.
    private mutating func cancel() async {
        guard let place = exchanges.indices.first(where: { exchanges[$0].calls.count > 1 }) else { return }
        let call = exchanges[place].calls.removeFirst()
        call.cancel()
        guard case .failure(let error) = await call.result else { return #expect(Bool(false), "it wasn't cancelled") }
        #expect(error.isCancelled)
        log.append("the call of \(exchanges[place].sent) gives up")
    }

    /// All requests get responses, all changes end, and then everything is requested once more.
    mutating func becomeQuiet() async throws {
        while let index = model.changes.firstIndex(where: { $0.state != .isOver }) {
            if model.changes[index].state == .isUndecided { model.changes[index].state = .isRefused }
            end(index)
        }
        while !exchanges.isEmpty {
            if exchanges[0].snapshot == nil { reach(0) }
            try await deliver(0)
        }
        let faults = await faults()
        #expect(faults.isEmpty, "\(log.joined(separator: "\n"))")
        try await fetch(Array(HubServiceModel.ids), sharing: false)
        reach(0)
        try await deliver(0)
    }

    /// Receives all that was published so far.
    private mutating func hear() async {
        let mark = Meal(id: -1, name: makeValue("mark"))
        hub.publish(mark)
        while let update = await updates.next(), update.value != mark {
            if update.value.id >= 0 { seen[update.value.id] = update.value.name }
        }
    }

    /// What is wrong with what is seen.
    mutating func faults() async -> [String] {
        await hear()
        return HubServiceModel.ids.compactMap { id -> String? in
            if let pending = model.pending(id) {
                return seen[id] == pending.value ? nil : "\(id): \(seen[id] ?? "none") instead of \(pending.value)"
            }
            guard let shown = seen[id] else {
                return isComplete && model.base(of: id) != nil ? "\(id): nothing is shown" : nil
            }
            if let fault = model.fault(of: shown, id) { return "\(id): \(fault)" }
            guard isComplete else { return nil }
            let kept = hub.value(of: Meal.self, id: id)?.value.name
            let base = model.base(of: id)
            return [shown, kept] == [base, base] ? nil : "\(id): \(shown), kept \(kept ?? "-"), not \(base ?? "-")"
        }
    }
}
