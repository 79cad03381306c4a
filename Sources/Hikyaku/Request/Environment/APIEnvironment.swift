/// Where a service is: production, staging, one's own machine.
///
/// ```swift
/// extension APIEnvironment { static let qiita: Self = "https://qiita.com/api/v2" }
/// ```
/// Declared as static members, environments are shared by all requests of a service; stored in the request, each
/// instance has its own. A client puts one in the place of another by ``APIClient/substituting(_:for:)``.
///
/// One may bring a transport of its own, so that a program runs without a network by changing one value:
/// ``stubbed(baseURL:headers:answer:)``.
///
/// The base URL has the scheme `http` or `https`, a host, and may have a port and a path; anything else, credentials
/// and a query among it, is refused as ``FailureReason/baseURL`` when a request is built.
public struct APIEnvironment: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The URL below which all paths are.
    public let baseURL: String
    /// Headers that all requests to this environment carry; a request's own headers stand above them.
    public let headers: HTTPHeaders
    /// Whether a client's credential may go there although all on the way can read it, as they can by plain `http` to
    /// another machine.
    let allowsCredentialsOverPlainHTTP: Bool

    let base: Base
    let ownTransport: EnvironmentTransport?

    /// Makes an environment; a malformed base URL is reported when it is used.
    ///
    /// - Parameters:
    ///   - baseURL: The URL below which all paths are.
    ///   - headers: Headers that all requests to this environment carry.
    ///   - allowingCredentialsOverPlainHTTP: Whether a client's credential may go to a base URL of the scheme `http` on
    ///     another machine, where all on the way can read it. Where it may not, the call ends as
    ///     ``FailureReason/insecureOrigin``, and nothing is sent. Loopback needs no leave.
    ///   - transport: What moves the bytes of these requests, redirected ones too, whatever client sends them; `nil`, the
    ///     default, for the client's. The client's ``APIClient/shutdown(within:)`` leaves it alone.
    public init(
        baseURL: String,
        headers: HTTPHeaders = [:],
        allowingCredentialsOverPlainHTTP: Bool = false,
        transport: (any HTTPTransport)? = nil,
    ) {
        self.baseURL = baseURL
        self.headers = headers
        allowsCredentialsOverPlainHTTP = allowingCredentialsOverPlainHTTP
        base = Base(baseURL)
        ownTransport = transport.map { EnvironmentTransport($0) }
    }

    /// Makes an environment of a base URL without headers.
    public init(stringLiteral value: String) {
        self.init(baseURL: value)
    }
}

extension APIEnvironment {
    /// Refuses to send a credential where all on the way can read it.
    ///
    /// - Parameter other: What else may allow it: the environment that the credential was given for.
    /// - Throws: ``FailureReason/insecureOrigin``.
    func checkConfidentiality(or other: APIEnvironment) throws(TransportError) {
        let isAllowed = allowsCredentialsOverPlainHTTP || other.allowsCredentialsOverPlainHTTP
        guard !isAllowed, !other.base.origin.isConfidential else { return }
        throw TransportError(
            .insecureOrigin,
            "the credential for \(other.base.origin) would go over plain http, where all on the way can read it; "
                + "use https, or allow it by APIEnvironment(baseURL:allowingCredentialsOverPlainHTTP: true)",
        )
    }
}

extension APIEnvironment: CustomStringConvertible {
    /// The base URL, unless it is malformed: then it may hold credentials.
    public var description: String {
        base.problem == nil ? baseURL : "a malformed base URL"
    }
}

extension APIEnvironment: CustomReflectable {
    /// The base URL and the headers as they are shown.
    public var customMirror: Mirror {
        Mirror(self, children: ["baseURL": description, "headers": headers])
    }
}
