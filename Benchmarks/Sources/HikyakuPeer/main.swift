import Foundation
import HikyakuCurl
import HikyakuHTTP
import PeerSupport

Peer.run { arguments in
    guard let url = URL(string: arguments.url) else { throw Peer.Failure.arguments(arguments.url) }
    switch arguments.mode {
    case "small":
        let request = HTTPRequest(url: url)
        let transport = CurlTransport()
        return {
            let response = try await transport.send(request, options: TransportOptions())
            return (response.status.code, response.body.count ?? 0)
        }
    default:
        throw Peer.Failure.mode(arguments.mode)
    }
}
