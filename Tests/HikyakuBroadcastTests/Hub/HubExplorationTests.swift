import Foundation
import Hikyaku
import HikyakuBroadcast
import TestSupport
import Testing

/// The reference model: what a hub must store and publish.
private struct PlainHub {
    let valuesMax: Int
    /// Ids and names, the one touched last at the end.
    var known: [(id: Int, name: String)] = []
    var pending: [Int: (base: String?, changes: [(number: Int, name: String)])] = [:]
    /// All published updates, by ID.
    var published: [(id: Int, name: String)] = []

    mutating func value(of id: Int) -> String? {
        guard let index = known.firstIndex(where: { $0.id == id }) else { return nil }
        known.append(known.remove(at: index))
        return known.last?.name
    }

    mutating func publish(_ id: Int, _ name: String) {
        pending[id] = nil
        show(id, name)
    }

    private mutating func show(_ id: Int, _ name: String) {
        published.append((id, name))
        known.removeAll { $0.id == id }
        known.append((id, name))
        if known.count > valuesMax { known.removeFirst() }
    }

    mutating func change(_ number: Int, _ id: Int, _ name: String) {
        let base = known.first { $0.id == id }?.name
        pending[id, default: (base, [])].changes.append((number, name))
        show(id, name)
    }

    mutating func rollBack(_ number: Int, _ id: Int) {
        guard let (base, before) = pending[id], let index = before.firstIndex(where: { $0.number == number }) else {
            return
        }
        var changes = before
        changes.remove(at: index)
        pending[id] = changes.isEmpty ? nil : (base, changes)
        guard index == changes.count else { return }
        if let before = changes.last?.name ?? base { show(id, before) } else { known.removeAll { $0.id == id } }
    }

    mutating func confirm(_ number: Int, _ id: Int) {
        guard let (_, changes) = pending[id], let index = changes.firstIndex(where: { $0.number == number }) else {
            return
        }
        let above = Array(changes[(index + 1)...])
        pending[id] = above.isEmpty ? nil : (changes[index].name, above)
    }
}

@Suite struct HubExplorationTests {
    private struct World {
        var hub: ModelHub?
        var plain: PlainHub
        var changes: [(number: Int, id: Int, change: HubChange<Meal>)] = []
        var generator: SeededGenerator

        mutating func take(_ step: Int) {
            let id = Int.random(in: 0..<6, using: &generator)
            let index = changes.indices.randomElement(using: &generator)
            switch (Int.random(in: 0..<10, using: &generator), index) {
            case (0...2, _):
                let ids = (0..<Int.random(in: 0..<4, using: &generator)).map { (id + $0) % 6 }
                hub?.publish(ids.map { Meal(id: $0, name: "\(step)") })
                for id in ids { plain.publish(id, "\(step)") }
            case (3...5, _):
                guard let change = hub?.change(Meal(id: id, name: "\(step)")) else { return }
                plain.change(step, id, "\(step)")
                changes.append((step, id, change))
            case (6...7, let index?):
                changes[index].change.rollBack()
                plain.rollBack(changes[index].number, changes[index].id)
            case (8, let index?):
                changes[index].change.confirm()
                plain.confirm(changes[index].number, changes[index].id)
            case (_, let index?):
                plain.confirm(changes[index].number, changes[index].id)
                changes.remove(at: index)
            default: break
            }
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func anySequenceOfStepsMatchesTheReferenceModel(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let valuesMax = Int.random(in: 1...7, using: &generator)
        var world = World(
            hub: HubDate.hub(valuesMax: valuesMax),
            plain: PlainHub(valuesMax: valuesMax),
            generator: generator,
        )
        let all = try #require(world.hub?.updates(of: Meal.self, .unbounded))
        let ones = (0..<6).compactMap { world.hub?.updates(of: Meal.self, id: $0, .unbounded) }
        for step in 0..<300 {
            world.take(step)
            for id in 0..<6 {
                let known = world.hub?.value(of: Meal.self, id: id)?.value.name
                #expect(known == world.plain.value(of: id), "step \(step), id \(id), seed \(seed)")
            }
        }
        world.changes = []
        world.hub = nil
        let published = try await take(.max, of: all).map { "\($0.value.id) \($0.value.name)" }
        #expect(published == world.plain.published.map { "\($0.id) \($0.name)" }, "seed \(seed)")
        for (id, stream) in ones.enumerated() {
            let own = try await take(.max, of: stream).map(\.value.name)
            #expect(own == world.plain.published.filter { $0.id == id }.map(\.name), "id \(id), seed \(seed)")
        }
    }
}
