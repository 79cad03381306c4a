import Foundation
import HikyakuHTTP
import HikyakuWire
import PeerSupport

Peer.run { arguments in
    var options = WireOptions()
    if !arguments.authorities.isEmpty { options.tls.trustedAuthorities = .file(arguments.authorities) }
    let transport = WireTransport(options: options)
    switch arguments.mode {
    case "small", "http2":
        var headers = HTTPHeaders()
        for (name, value) in arguments.fields { headers.append(HTTPHeaderName(name), value) }
        let (fields, body) = (headers, arguments.body.isEmpty ? nil : HTTPBody(arguments.body))
        return { url in
            let request = HTTPRequest(method: body == nil ? .get : .post, url: url, headers: fields, body: body)
            let response = try await transport.send(request, options: TransportOptions())
            return (response.status.code, response.body.count ?? 0)
        }
    case "down":
        return { url in
            let response = try await transport.send(
                HTTPRequest(url: url),
                options: TransportOptions(streamsBody: true),
            )
            var length = 0
            for try await piece in response.body { length += piece.count }
            return (response.status.code, length)
        }
    case "up":
        let count = arguments.bytes
        return { url in
            let body = HTTPBody(Repeated(piece: Peer.piece, count: count), count: count)
            let request = HTTPRequest(method: .post, url: url, body: body)
            let response = try await transport.send(request, options: TransportOptions())
            let text = String(decoding: try await response.body.collect(), as: UTF8.self)
            return (response.status.code, Int(text) ?? 0)
        }
    default:
        throw Peer.Failure.mode(arguments.mode)
    }
}

/// The same piece again and again.
struct Repeated: AsyncSequence, Sendable {
    let piece: Data
    let count: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        let piece: Data
        var rest: Int

        mutating func next() async -> Data? {
            guard rest > 0 else { return nil }
            defer { rest -= piece.count }
            return rest >= piece.count ? piece : piece.prefix(rest)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(piece: piece, rest: count) }
}
