import Hikyaku

/// Inferred from 15 objects; what is missing or null in one of them is Optional.
struct Event: APIModel, Codable, Hashable, Identifiable {
    var id: Int
    var kind: EventKind
    var actor: EventActor
    var payload: Payload?
    var `class`: String
    var `default`: Int
    var selfValue: Bool
    var initValue: Int

    private enum CodingKeys: String, CodingKey {
        case id, kind, actor, payload, `class`, `default`
        case selfValue = "self"
        case initValue = "init"
    }
}

/// The values of the samples; others are kept as they are.
struct EventKind: OpenValue {
    var rawValue: String

    static let push = Self(rawValue: "push")
    static let fork = Self(rawValue: "fork")
    static let star = Self(rawValue: "star")
}

struct EventActor: APIModel, Codable, Hashable, Identifiable {
    var login: String
    var id: Int
}

struct Payload: APIModel, Codable, Hashable {
    var size: Int
}
