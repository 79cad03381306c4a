import Foundation
import PeerSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

Peer.run { arguments in
    guard let url = URL(string: arguments.url) else { throw Peer.Failure.arguments(arguments.url) }
    let configuration = URLSessionConfiguration.default
    configuration.httpMaximumConnectionsPerHost = max(arguments.width, 6)
    let session = URLSession(configuration: configuration)
    switch arguments.mode {
    case "small":
        let request = URLRequest(url: url)
        return {
            let (body, response) = try await session.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, body.count)
        }
    default:
        throw Peer.Failure.mode(arguments.mode)
    }
}
