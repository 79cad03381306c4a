import Hikyaku

/// Inferred from one object, so that all that it has is required.
struct Map: APIModel, Codable, Hashable {
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

struct Member: APIModel, Codable, Hashable {
    var name: String
    var joinedOn: CalendarDate

    private enum CodingKeys: String, CodingKey {
        case name
        case joinedOn = "joined_on"
    }
}

struct Words: APIModel, Codable, Hashable {
    var one: Int
    var two: Int
}
