import Hikyaku

/// What httpbin says that it received.
struct Received: Decodable, Sendable {
    var method: String
    var url: String
    var args: [String: Values]
    var form: [String: Values]
    var files: [String: Values]
    var data: String
    var json: Article?
    var headers: [String: String]
}

/// One value or several under a name: httpbin writes one without the brackets.
enum Values: Decodable, Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    case one(String)
    case several([String])

    init(stringLiteral value: String) { self = .one(value) }
    init(arrayLiteral elements: String...) { self = .several(elements) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .one(value)
        } else {
            self = .several(try container.decode([String].self))
        }
    }
}

struct Article: Codable, Sendable, Equatable {
    var title: String
    var tags: [String]
    var rating: Double?
}

/// The sample document of `/json`.
struct Sample: Decodable, Sendable {
    struct Slideshow: Decodable, Sendable {
        var title: String
        var slides: [Slide]
    }
    struct Slide: Decodable, Sendable {
        var title: String
        var items: [String]?
    }
    var slideshow: Slideshow
}

/// One line of `/stream/:n`.
struct Line: Decodable, Sendable {
    var id: Int
    var url: String
}

struct Token: Decodable, Sendable, Equatable {
    var authenticated: Bool
    var token: String
}

struct BasicUser: Decodable, Sendable, Equatable {
    var authenticated: Bool
    var user: String
}

/// The failure that `/status/418` answers with.
struct Teapot: ServiceFailure, Equatable {
    var moreInformation: String

    init?(response: BufferedResponse) {
        guard let information = response.headers["x-more-info"] else { return nil }
        moreInformation = information
    }
}
