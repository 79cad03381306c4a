import Hikyaku
import HikyakuMockServer

/// The endpoints by which a test suite drives the streams.
nonisolated final class ContractService: Sendable {
    /// The optional parts of the contract that the client supports.
    static let capabilities = ["headers", "last-event-id", "post", "read-timeout", "report", "restart"]

    private let server: MockServer
    private let streams = StreamTable()
    private let quits: AsyncStream<Void>
    private let quit: AsyncStream<Void>.Continuation

    /// Starts the service.
    ///
    /// - Parameter port: The port on the loopback address; 0 for any.
    /// - Throws: `MockServerError` if the port is in use.
    init(port: UInt16) throws {
        (quits, quit) = AsyncStream.makeStream()
        // What was received is not looked at again.
        server = try MockServer(options: MockServerOptions(port: port, recordedRequestsMax: 1))
        addRoutes()
    }

    var url: String { server.baseURL }

    /// Returns when a test suite has ended the service.
    func untilStopped() async {
        for await _ in quits { return }
    }

    func stop() {
        server.stop()
        streams.removeAll()
    }

    private func addRoutes() {
        let (streams, quit) = (streams, quit)
        server.route(.get, "/") { _ in try .json(["capabilities": Self.capabilities]) }
        server.route(.delete, "/") { _ in
            quit.yield()
            return .status(.noContent)
        }
        server.route(.post, "/") { request in
            guard let parameters = try? request.json(as: StreamParameters.self) else { return .status(.badRequest) }
            guard let id = streams.add(parameters) else { return .status(.serviceUnavailable) }
            let host = request.headers[.host] ?? ""
            return .status(.created).header("Location", "http://\(host)/streams/\(id)")
        }
        server.route(.post, "/streams/:id") { request in
            guard let stream = streams.stream(request.parameters["id"] ?? "") else { return .status(.notFound) }
            switch try? request.json(as: Command.self).command {
            case "restart": Task { await stream.start() }
            // All events are reported, whatever their type.
            case "listen": break
            default: return .status(.badRequest)
            }
            return .status(.accepted)
        }
        server.route(.delete, "/streams/:id") { request in
            streams.remove(request.parameters["id"] ?? "") ? .status(.noContent) : .status(.notFound)
        }
    }
}
