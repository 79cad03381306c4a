/// The transport of all clients that were given none.
enum DefaultTransport {
    static let shared: any HTTPTransport = NoTransport()
}

/// Says that a transport has to be given, until the platforms' own are here.
private struct NoTransport: HTTPTransport {
    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        throw TransportError(.transportFailed, "there is no default transport yet: make the client with one")
    }
}
