import Foundation
import Hikyaku
import JSONDocuments
import PeerSupport

/// What the client sends, for those that are to send the same.
enum ShownRequest {
    /// The header fields, one a line, then an empty line and the body; of a POST where the arguments have a body.
    static func text(of arguments: PeerArguments) async throws -> String {
        let place = try Place(arguments)
        let transport = ShowingTransport(response: .json(String(decoding: Document.small().bytes, as: UTF8.self)))
        let client = APIClient(transport: transport)
        if arguments.body.isEmpty {
            _ = try await client.send(One(place: place))
        } else {
            _ = try await client.send(NewItem(place: place))
        }
        var requests = transport.requests.makeAsyncIterator()
        guard let request = await requests.next() else { throw Peer.Failure.mode(arguments.mode) }
        let body = try await request.body?.collect() ?? Data()
        let lines = request.headers.map { "\($0.name): \($0.value)" } + ["", String(decoding: body, as: UTF8.self)]
        return lines.joined(separator: "\n")
    }
}

/// Answers at once, and hands out the requests that came.
private struct ShowingTransport: HTTPTransport {
    let response: HTTPResponse
    let requests: AsyncStream<HTTPRequest>
    private let continuation: AsyncStream<HTTPRequest>.Continuation

    init(response: HTTPResponse) {
        self.response = response
        (requests, continuation) = AsyncStream.makeStream()
    }

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        continuation.yield(request)
        return response
    }
}
