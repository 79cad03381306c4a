import Foundation
import Hikyaku

enum Kind: String, QueryValue, Codable { case soup, noodles }

struct Add: APIRequest {
    typealias Response = Void
    var id: Int
    var name: String
    var note: String?
    var kind = Kind.soup
    var token = Secret("t0ken")
    var environment: APIEnvironment { "https://api.example" }
    var method: HTTPMethod { .post }
    var path: RequestPath { "/hooks/\(secret: token)/\(secret: name)/dishes/\(id)" }
    var query: RequestQuery { ["tags": .list(["a", kind, 1]), "ids": .list([1, 2], .commaSeparated)] }
    var body: RequestBody? {
        .json(["id": id, "name": name, "note": note, "kind": kind, "since": Date.now, "none": nil])
    }
}

struct OneType: APIRequest {
    typealias Response = Void
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/dishes" }
    var body: RequestBody? { .json(["name": "Ramen", "note": nil]) }
}

nonisolated final class Box { var name = "" }

struct NotEncodable: APIRequest {
    typealias Response = Void
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/dishes" }
    var body: RequestBody? { .json(["name": "Ramen", "box": Box()]) }
    // error: cannot convert value of type 'Box'
}
