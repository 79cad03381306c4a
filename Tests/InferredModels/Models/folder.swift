import Foundation
import Hikyaku

/// Inferred from one object, so that all that it has is required.
nonisolated struct Folder: Codable, Hashable, Identifiable, Sendable {
    var id: UUID
    var name: String
    var size: Int
    var children: [Folder]
    var parent: JSONValue?
    var meta: Meta?
    var note: String?
}

nonisolated struct Meta: Codable, Hashable, Sendable {
    var keeper: Keeper
    var labels: Labels
}

nonisolated struct Keeper: Codable, Hashable, Identifiable, Sendable {
    var id: Int
    var name: String
}

nonisolated struct Labels: Codable, Hashable, Sendable {
    var x: Int
}
