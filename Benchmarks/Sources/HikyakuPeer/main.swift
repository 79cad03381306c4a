import Foundation
import HikyakuCurl
import HikyakuHTTP
import PeerSupport

let peer = try Peer(arguments: CommandLine.arguments)
guard let url = URL(string: peer.url) else { throw Peer.Failure.arguments }
let request = HTTPRequest(url: url)
let transport = CurlTransport()
try await peer.measure {
    let response = try await transport.send(request, options: TransportOptions())
    return (response.status.code, response.body.count ?? 0)
}
