import Foundation
import HikyakuHTTP
import HikyakuWire
import PeerSupport

/// Begins requests that get no answer, and returns when they are under way.
func beginSilent(_ arguments: PeerArguments, over transport: any HTTPTransport) async throws {
    guard arguments.silentCount > 0 else { return }
    guard let url = URL(string: arguments.silentURL) else { throw Peer.Failure.arguments(arguments.silentURL) }
    let timeouts = TransportTimeouts(connect: .seconds(600), firstByte: .seconds(600), idle: .seconds(600))
    for _ in 0..<arguments.silentCount {
        Task.detached {
            let request = HTTPRequest(url: url)
            _ = try await transport.send(request, options: TransportOptions(timeouts: timeouts))
        }
    }
    // Connections to a busy server are opened again after a second.
    try await Task.sleep(for: .seconds(4))
}

/// Never answers.
struct Parking: HTTPTransport {
    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        throw CancellationError()
    }
}

/// Returns the bytes that `malloc` allocated for a queued request, for one in flight, and for a task that sends one to
/// a transport without a server.
func waitingFigures(_ arguments: PeerArguments) async throws -> String {
    func bytes(_ transport: any HTTPTransport) async throws -> Double {
        var few = arguments
        few.silentCount = 100
        // What is allocated once is there after the first ones.
        try await beginSilent(few, over: transport)
        let before = ProcessMemory.allocatedBytes()
        try await beginSilent(arguments, over: transport)
        let bytes = Double(ProcessMemory.allocatedBytes() - before) / Double(arguments.silentCount)
        await transport.shutdown(within: .zero)
        return bytes
    }
    let one = WireTransport(options: WireOptions(connectionsPerHostMax: 1, requestsInFlightMax: 1))
    let many = WireTransport(options: WireOptions(connectionsPerHostMax: 8192, requestsInFlightMax: 8192))
    return try await "queued=\(bytes(one)) inflight=\(bytes(many)) task=\(bytes(Parking()))"
}

if CommandLine.arguments.contains("mode=waiting") {
    Peer.report { arguments in try await waitingFigures(arguments) }
}

Peer.run { arguments in
    var options = WireOptions()
    if !arguments.authorities.isEmpty { options.tls.trustedAuthorities = .file(arguments.authorities) }
    if arguments.silentCount > 0 { (options.connectionsPerHostMax, options.requestsInFlightMax) = (8192, 8192) }
    let transport = WireTransport(options: options)
    try await beginSilent(arguments, over: transport)
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
    case "upfile":
        return { url in
            let request = HTTPRequest(method: .post, url: url, body: try .file(at: arguments.file))
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
