// A client that decodes what it is sent, as an app does it; the length of an answer is the number of its items.

import Foundation
import Hikyaku
import JSONDocuments
import PeerSupport

Peer.run { arguments in
    let client = APIClient(options: ClientOptions(decoder: HikyakuJSONDecoder()))
    guard let url = URL(string: arguments.url) else { throw Peer.Failure.arguments(arguments.url) }
    let environment = APIEnvironment(baseURL: url.deletingLastPathComponent().absoluteString)
    let name = url.lastPathComponent
    switch arguments.mode {
    case "codable":
        return { _ in (200, try await client.send(Items<Item>(environment: environment, name: name)).count) }
    case "direct":
        return { _ in (200, try await client.send(Items<DirectItem>(environment: environment, name: name)).count) }
    default:
        throw Peer.Failure.mode(arguments.mode)
    }
}

struct Items<Element: Decodable & Sendable>: APIRequest {
    typealias Response = [Element]
    let environment: APIEnvironment
    let name: String
    var path: RequestPath { "\(name)" }
}
