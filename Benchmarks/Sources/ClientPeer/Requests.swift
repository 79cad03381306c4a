import Foundation
import Hikyaku
import JSONDocuments
import PeerSupport

/// Where the documents are.
struct Place: Sendable {
    let environment: APIEnvironment
    let name: String

    init(_ arguments: PeerArguments) throws {
        guard let url = URL(string: arguments.url) else { throw Peer.Failure.arguments(arguments.url) }
        environment = APIEnvironment(baseURL: url.deletingLastPathComponent().absoluteString)
        name = url.lastPathComponent
    }
}

protocol PlacedRequest: APIRequest {
    var place: Place { get }
}

extension PlacedRequest {
    var environment: APIEnvironment { place.environment }
    var path: RequestPath { "/\(place.name)" }
}

struct One: PlacedRequest {
    typealias Response = Item
    let place: Place
}

struct Short: PlacedRequest {
    typealias Response = Summary
    let place: Place
}

struct NewItem: PlacedRequest {
    typealias Response = Item
    let place: Place
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(Draft()) }
}

struct Items<Element: Decodable & Sendable>: PlacedRequest {
    typealias Response = [Element]
    let place: Place
}

/// A large file, which is kept if its download is cut.
struct Export: FileRequest {
    let url: URL
    let destination: FileDestination
    var environment: APIEnvironment { APIEnvironment(baseURL: url.deletingLastPathComponent().absoluteString) }
    var path: RequestPath { "/\(url.lastPathComponent)" }
}
