import Foundation
import Hikyaku
import HikyakuBroadcast

struct Meal: Codable, HubModel, KeyedModel, Equatable {
    let id: Int
    var name = ""
}

struct Cook: Codable, HubModel, KeyedModel, Equatable {
    let id: String
}

/// No model of a hub.
struct Count: Codable, Equatable, Sendable, KeyedModel {
    let total: Int
}

/// An envelope that says by itself what it has.
struct Kitchen: Codable, HubContent, Equatable, Sendable {
    let cook: Cook
    let meals: [Meal]

    func addModels(to batch: HubBatch) {
        batch.add(cook)
        meals.addModels(to: batch)
    }
}

/// A model that has others inside.
struct Course: Codable, HubModel, KeyedModel, Equatable {
    let id: Int
    let meals: [Meal]

    func addModels(to batch: HubBatch) {
        batch.add(self)
        meals.addModels(to: batch)
    }
}

enum HubDate {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static func hub(valuesMax: Int = 1_000) -> ModelHub {
        ModelHub(valuesMax: valuesMax) { now }
    }
}

/// The models and sources of updates.
func shown<Model>(_ updates: [HubUpdate<Model>]) -> [String] where Model: HubModel {
    updates.map { "\($0.value.id) \($0.source)" }
}
