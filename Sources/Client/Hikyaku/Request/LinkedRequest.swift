#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request that is sent to a URL that the service has given; created by ``APIRequest/at(_:)-(WebLink)``.
///
/// It differs from the request inside in its path, and in its query items: the URL has the whole query.
public struct LinkedRequest<Base: APIRequest>: RequestProxy {
    /// The request inside.
    public let request: Base
    private let urlText: Secret<String>

    fileprivate init(request: Base, urlText: String) {
        self.request = request
        self.urlText = Secret(urlText)
    }

    /// The URL, which hides the secrets of the path of the request inside.
    public var path: RequestPath { .url(urlText.reveal(), hiding: request.path.secrets) }
    /// No items: the URL has its own.
    public var query: RequestQuery { RequestQuery() }
    /// Those of the request inside if its method puts them into the body; otherwise no items.
    public var parameters: RequestQuery {
        request.writtenMethod.sendsParametersInQuery ? RequestQuery() : request.writtenParameters
    }
}

extension APIRequest {
    /// The same request, sent to the target of a link: its next page, or another resource of the same type.
    ///
    /// ```swift
    /// let first = try await client.bind(Shop.Dishes()).response()
    /// if let next = first.links["next"] {
    ///     show(try await client.send(Shop.Dishes().at(next)))
    /// }
    /// ```
    /// The link replaces the path and the query items. All else is that of the request: its method, fields, body, level
    /// and response. ``RequestPath/url(_:)-(URL)`` explains what is sent to another origin, and which URLs are
    /// rejected.
    ///
    /// - Parameter link: The link.
    /// - Returns: The request at that URL.
    public func at(_ link: WebLink) -> LinkedRequest<Self> {
        at(urlText: link.urlText)
    }

    /// The same request, sent to a URL from a response; see ``at(_:)-(WebLink)``.
    ///
    /// - Parameter url: The absolute URL.
    /// - Returns: The request at that URL.
    public func at(_ url: URL) -> LinkedRequest<Self> {
        at(urlText: url.absoluteString)
    }

    func at(urlText: String) -> LinkedRequest<Self> {
        LinkedRequest(request: self, urlText: urlText)
    }
}
