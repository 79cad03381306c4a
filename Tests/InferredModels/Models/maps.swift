import Hikyaku

/// Inferred from one object, so that all that it has is required.
nonisolated struct Map: Codable, Hashable, Sendable {
    var rates: [String: Double]
    var members: [String: Member]
    var byNumber: [String: [String]]
    var days: [String: Int]
    var words: Words

    private enum CodingKeys: String, CodingKey {
        case rates, members
        case byNumber = "by_number"
        case days, words
    }
}

nonisolated struct Member: Codable, Hashable, Sendable {
    var name: String
    var joinedOn: CalendarDate

    private enum CodingKeys: String, CodingKey {
        case name
        case joinedOn = "joined_on"
    }
}

nonisolated struct Words: Codable, Hashable, Sendable {
    var one: Int
    var two: Int
}
