/// Answers the requests of one type instead of the network.
struct Stub<R: APIRequest>: Sendable {
    let answer: @Sendable (R) async throws -> R.Response
}

/// Marks a client that sends no request without a stub.
struct NoOtherRequest: Sendable {}

extension ClientCore {
    /// Whether a request without a stub fails.
    var sendsNothing: Bool { parts.stubs[ObjectIdentifier(NoOtherRequest.self)] != nil }

    /// The function that answers a request instead of the network: a stub for its type, or for the request inside it.
    func stub<R: APIRequest>(for request: R) -> (@Sendable () async throws -> R.Response)? {
        guard !parts.stubs.isEmpty else { return nil }
        if let stub = parts.stubs[ObjectIdentifier(R.self)] as? Stub<R> { return { try await stub.answer(request) } }
        guard let proxy = request as? any RequestProxy else { return nil }
        return stub(inside: proxy, for: R.Response.self)
    }

    /// If a proxy has another response type than the request inside, the stub of the inner request can't answer it.
    private func stub<Proxy: RequestProxy, Response>(
        inside proxy: Proxy,
        for response: Response.Type,
    ) -> (@Sendable () async throws -> Response)? {
        guard Proxy.Base.Response.self == Response.self, let answer = stub(for: proxy.request) else { return nil }
        return {
            guard let response = try await answer() as? Response else {
                throw ResponseCause.defect.error("a stub returned another type than \(Response.self)")
            }
            return response
        }
    }
}

extension ClientCore {
    /// Rejects a request that a substitution has missed, since it would be sent to the service itself.
    func checkSubstitution<R: APIRequest>(
        of environment: APIEnvironment,
        in request: R,
    ) throws(TransportError) {
        guard !parts.substitutes.isEmpty, environment.ownTransport == nil else { return }
        let (base, substituted) = (environment.base, parts.substitutes.keys)
        guard base.problem == nil, parts.substitutes[base] == nil, stub(for: request) == nil else { return }
        if let problem = substituted.lazy.compactMap(\.problem).first {
            throw RequestCause.substitution.error("the base URL of a substituted environment is malformed: \(problem)")
        }
        if let other = substituted.filter({ $0.origin == base.origin }).map(\.prefix).min() {
            throw RequestCause.substitution.error("\(base.prefix) has no substitute, but \(other) has one")
        }
        let sharing = parts.sharingCredentials.filter { !parts.credentials.have($0.origin) }
        if !parts.credentials.isEmpty, let other = sharing.map(\.prefix).min() {
            let cause = "the credential for \(other) is to be sent to its substitute, but the client has none for it"
            throw RequestCause.substitution.error(cause)
        }
    }
}
