import Foundation
import Hikyaku

/// Inferred from one object, so that all that it has is required.
struct Folder: APIModel, Codable, Hashable, Identifiable {
    var id: UUID
    var name: String
    var size: Int
    var children: [Folder]
    var parent: JSONValue?
    var meta: Meta?
    var note: String?
}

struct Meta: APIModel, Codable, Hashable {
    var keeper: Keeper
    var labels: Labels
}

struct Keeper: APIModel, Codable, Hashable, Identifiable {
    var id: Int
    var name: String
}

struct Labels: APIModel, Codable, Hashable {
    var x: Int
}
