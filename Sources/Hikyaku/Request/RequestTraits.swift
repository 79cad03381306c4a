import HikyakuBase

/// The properties of a type of request.
final class RequestTraits: Sendable {
    let type: any Any.Type
    /// Whether it contains another request.
    let isProxy: Bool
    /// Why its definition is invalid.
    let definitionProblem: String?
    /// The fields that a client adds to each of its requests, if the client's decoder reads the response.
    let headers: HTTPHeaders
    /// Whether its response is a stream of events, which has no end.
    let isEventStream: Bool
    /// Whether its response becomes a file.
    let writesFile: Bool
    /// Whether the caller gets nothing of the response.
    let returnsNothing: Bool
    /// Whether a GET request with only these fields is valid on the wire.
    let headersAreChecked: Bool
    /// Shared by all clients that use the type.
    private let reads: Lock<Bool>

    private static let readsByType = TypeCache<Lock<Bool>>()

    /// Whether its responses are read from memory without suspending.
    ///
    /// That is the case if the default of ``APIRequest/response(from:)`` reads them. A request may implement its own,
    /// which is visible only when it is called. So the first call finds it out.
    var readsSynchronously: Bool { reads.withLock(\.self) }

    /// Records that the default has read a response of the type.
    func noteDefaultReading() {
        reads.withLock { $0 = true }
    }

    init<R: APIRequest>(_ request: R.Type, _ options: ClientOptions) {
        type = R.self
        isProxy = R.self is any RequestProxy.Type
        reads = Self.readsByType.value(for: ObjectIdentifier(request)) { Lock(false) }
        definitionProblem = R.Definition.definitionProblem
        isEventStream = R.Definition.self is any UncachedDefinition.Type
        writesFile = R.Definition.self == FileResponse.self
        returnsNothing = R.Response.self == Void.self
        headers = R.Definition.clientHeaders(options)
        let request = HTTPRequest(method: .get, urlText: "", headers: headers)
        headersAreChecked = (try? request.checkForWire()) != nil
    }
}
