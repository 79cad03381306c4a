import Foundation
import JSONDocuments
import PeerSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

Peer.run { arguments in
    let configuration = URLSessionConfiguration.default
    configuration.httpMaximumConnectionsPerHost = max(arguments.width, 6)
    switch arguments.mode {
    case "small":
        let session = URLSession(configuration: configuration)
        return { url in
            let (body, response) = try await session.data(from: url)
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, body.count)
        }
    case "summary", "item", "post", "codable":
        return decodedRequest(arguments, URLSession(configuration: configuration))
    case "down":
        // A delegate is the only way on Linux to get a body piece by piece.
        let counter = ByteCounter()
        let session = URLSession(configuration: configuration, delegate: counter, delegateQueue: nil)
        return { url in try await counter.count(session.dataTask(with: url)) }
    default:
        throw Peer.Failure.mode(arguments.mode)
    }
}

/// Sends the client's fields, and decodes what comes; items are counted rather than bytes, as with the client.
func decodedRequest(_ arguments: PeerArguments, _ session: URLSession) -> Peer.Request {
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    let (mode, fields) = (arguments.mode, arguments.fields)
    return { url in
        var request = URLRequest(url: url)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        if mode == "post" {
            request.httpMethod = "POST"
            request.httpBody = try encoder.encode(Draft())
        }
        let (body, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if mode == "summary" { return (status, try decoder.decode(Summary.self, from: body).url.isEmpty ? 0 : 1) }
        guard mode == "codable" else {
            return (status, try decoder.decode(Item.self, from: body).url.isEmpty ? 0 : 1)
        }
        return (status, try decoder.decode([Item].self, from: body).count)
    }
}

/// Counts the bytes of one body at a time.
///
/// `@unchecked`: the session calls its delegate on one serial queue, and the continuation is set before the task
/// begins.
final class ByteCounter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private var length = 0
    private var continuation: CheckedContinuation<(status: Int, length: Int), any Error>?

    func count(_ task: URLSessionDataTask) async throws -> (status: Int, length: Int) {
        try await withCheckedThrowingContinuation { continuation in
            length = 0
            self.continuation = continuation
            task.resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        length += data.count
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
        if let error {
            continuation?.resume(throwing: error)
        } else {
            continuation?.resume(returning: (status, length))
        }
        continuation = nil
    }
}
