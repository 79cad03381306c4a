import Foundation
import Hikyaku
import PeerSupport

/// The memory of calls that wait for their responses, beside tasks that wait in the transport alone.
enum WaitingCalls {
    /// Gives the bytes a call, allocated by `malloc`: before and after the first response of its type was read.
    static func figures(_ arguments: PeerArguments) async throws -> String {
        let transport = ParkingTransport()
        let client = APIClient(transport: transport)
        let one = Count(place: try Place(arguments))
        guard let url = URL(string: arguments.url) else { throw Peer.Failure.arguments(arguments.url) }
        let request = HTTPRequest(url: url)
        let call: @Sendable () async throws -> Void = { _ = try await client.send(one) }
        let bare: @Sendable () async throws -> Void = {
            _ = try await transport.send(request, options: TransportOptions())
        }
        // What is allocated once is there after the first ones.
        for operation in [call, bare] { _ = try await bytes(of: 100, transport, operation) }
        let transportBytes = try await bytes(of: arguments.requests, transport, bare)
        let firstBytes = try await bytes(of: arguments.requests, transport, call)
        let answering = client.substituting(
            .stubbed { _ in HTTPResponse(status: .ok, body: HTTPBody("1")) },
            for: one.environment,
        )
        _ = try await answering.send(one)
        _ = try await bytes(of: 100, transport, call)
        let callBytes = try await bytes(of: arguments.requests, transport, call)
        return "call=\(callBytes) first=\(firstBytes) transport=\(transportBytes)"
    }

    private static func bytes(
        of count: Int,
        _ transport: ParkingTransport,
        _ operation: @escaping @Sendable () async throws -> Void,
    ) async throws -> Double {
        var tasks: [Task<Void, any Error>] = []
        tasks.reserveCapacity(count)
        let before = ProcessMemory.allocatedBytes()
        for _ in 0..<count { tasks.append(Task.detached(operation: operation)) }
        var arrivals = transport.arrivals.makeAsyncIterator()
        for _ in 0..<count { await arrivals.next() }
        // The last ones have arrived, and suspend now.
        try await Task.sleep(for: .milliseconds(200))
        let bytes = Double(ProcessMemory.allocatedBytes() - before) / Double(count)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        return bytes
    }
}

private struct Count: PlacedRequest {
    typealias Response = Int
    let place: Place
}

/// Never answers; says when a request has come.
private struct ParkingTransport: HTTPTransport {
    var endsOnCancellation: Bool { true }
    let arrivals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (arrivals, continuation) = AsyncStream.makeStream()
    }

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        let (never, end) = AsyncStream<Void>.makeStream()
        continuation.yield()
        await CallCancellation.withHandler {
            for await _ in never {}
        } onCancel: {
            end.finish()
        }
        throw CancellationError()
    }
}
