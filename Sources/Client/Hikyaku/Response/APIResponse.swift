#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A model together with the response that contained it.
///
/// ```swift
/// let response = try await client.bind(Shop.Dishes()).response()
/// show(response.value, response.headers["Total-Count"])
/// log(response.status, response.timings.total, response.source)
/// ```
public struct APIResponse<Value: Sendable>: Sendable {
    /// The model: what `send` returns.
    public let value: Value
    /// The response's status.
    public let status: HTTPStatus
    /// The response's fields.
    public let headers: HTTPHeaders
    /// The fields after the body (RFC 9110, section 6.5), if the transport keeps them; those of a streamed body are
    /// ``HTTPBody/trailers``.
    public let trailers: HTTPHeaders
    /// How long the call took.
    public let timings: CallTimings
    /// The source of the value.
    public let source: ResponseSource
    /// The redirects that led to the response, in order.
    public let redirects: [RedirectHop]
    private let urlText: Secret<String>?
    private var explained: Explained?

    /// It is a reference, since an explanation is much larger than a response.
    private final class Explained: Sendable {
        let explanation: CallExplanation

        init(_ explanation: CallExplanation) {
            self.explanation = explanation
        }
    }

    /// The URL of the request that the response is for, after all redirects; `nil` if it is unknown.
    ///
    /// A credential that the client has put into the query is left out. The query may contain other secrets.
    public var url: URL? { urlText.flatMap { URL(string: $0.reveal(), encodingInvalidCharacters: false) } }

    /// The links in the fields `Link`, such as that to the next page: `response.links["next"]`.
    ///
    /// Relative targets are resolved against ``url``.
    public var links: WebLinks { headers.links(relativeTo: urlText?.reveal()) }

    /// What was sent, who set it, which policies applied, and when each attempt began and ended; `nil` if nothing was
    /// sent, for a page of a list, and for a response that a test has created.
    public internal(set) var explanation: CallExplanation? {
        get { explained?.explanation }
        set { explained = newValue.map { Explained($0) } }
    }

    /// Creates a response, for tests of code that uses one.
    public init(
        value: Value,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        trailers: HTTPHeaders = [:],
        timings: CallTimings = CallTimings(total: .zero),
        source: ResponseSource = .stub,
        redirects: [RedirectHop] = [],
        url: URL? = nil,
    ) {
        self.value = value
        self.status = status
        self.headers = headers
        self.trailers = trailers
        self.timings = timings
        self.source = source
        self.redirects = redirects
        urlText = url.map { Secret($0.absoluteString) }
    }

    /// What a call returned.
    init(
        _ returned: (value: Value, response: HTTPResponse, source: ResponseSource),
        timings: CallTimings,
        redirects: [RedirectHop],
    ) {
        value = returned.value
        status = returned.response.status
        headers = returned.response.headers
        trailers = returned.response.trailers
        self.timings = timings
        source = returned.source
        self.redirects = redirects
        urlText = returned.response.requestURLText
    }
}

extension APIResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the type of the model; the model may contain secrets.
    public var description: String { "\(status), a \(Value.self)" }

    /// The redacted parts, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["response": description, "headers": headers]) }
}
