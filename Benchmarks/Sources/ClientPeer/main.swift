// A client that decodes what it is sent, as an app does it; the length of a body is the number of its items.

import Foundation
import Hikyaku
import HikyakuWire
import JSONDocuments
import PeerSupport

Peer.report { arguments in
    switch arguments.mode {
    case "shown": try await ShownRequest.text(of: arguments)
    case "waiting": try await WaitingCalls.figures(arguments)
    default: try await Peer.measure(arguments, makeRequest(arguments))
    }
}

func makeRequest(_ arguments: PeerArguments) throws -> Peer.Request {
    var options = WireOptions()
    if !arguments.authorities.isEmpty { options.tls.trustedAuthorities = .file(arguments.authorities) }
    let client = APIClient(transport: WireTransport(options: options))
    let place = try Place(arguments)
    switch arguments.mode {
    case "summary":
        return { _ in (200, try await client.send(Short(place: place)).url.isEmpty ? 0 : 1) }
    case "item":
        return { _ in (200, try await client.send(One(place: place)).url.isEmpty ? 0 : 1) }
    case "post":
        return { _ in (200, try await client.send(NewItem(place: place)).url.isEmpty ? 0 : 1) }
    case "codable":
        return { _ in (200, try await client.send(Items<Item>(place: place)).count) }
    case "file":
        return { url in
            let export = Export(url: url, destination: .resumable(at: arguments.file))
            return (200, try await client.send(export).count)
        }
    case "direct":
        return { _ in (200, try await client.send(Items<DirectItem>(place: place)).count) }
    default:
        throw Peer.Failure.mode(arguments.mode)
    }
}
