import Foundation
import PeerSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

let peer = try Peer(arguments: CommandLine.arguments)
guard let url = URL(string: peer.url) else { throw Peer.Failure.arguments }
let request = URLRequest(url: url)
let configuration = URLSessionConfiguration.default
configuration.httpMaximumConnectionsPerHost = max(peer.width, 6)
let session = URLSession(configuration: configuration)
try await peer.measure {
    let (body, response) = try await session.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, body.count)
}
