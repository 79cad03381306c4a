public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One redirect: from which URL, and to which one.
///
/// ```swift
/// let response = try await client.bind(Shop.Dishes()).response()
/// for hop in response.redirects where hop.changesOrigin { log(hop.from, hop.to) }
/// ```
/// Its description hides the query values of the URLs and the secrets in their paths. The URLs themselves contain them,
/// except for items with a credential of the client or of the request.
public struct RedirectHop: Sendable, Hashable {
    /// The status of the redirect.
    public let status: HTTPStatus
    /// The method of the request that was redirected.
    public let method: HTTPMethod
    /// The URL of the redirected request.
    public let from: URL
    /// The method of the next request.
    public let nextMethod: HTTPMethod
    /// The URL of the next request, absolute and without a fragment; before the redirect is followed it may have any
    /// scheme.
    public let to: URL
    /// The secrets that are hidden in both URLs where they are shown.
    var pathSecrets = PathSecrets()

    package init(status: HTTPStatus, method: HTTPMethod, from: URL, nextMethod: HTTPMethod, to: URL) {
        self.status = status
        self.method = method
        self.from = from
        self.nextMethod = nextMethod
        self.to = to
    }

    /// Whether scheme, host or port change, so that credentials are removed.
    public var changesOrigin: Bool { HTTPOrigin(from) != HTTPOrigin(to) }
}

extension RedirectHop: Redacted {
    /// `302 Found: POST https://a.example/login → GET https://a.example/home?page=…`.
    public var description: String {
        "\(status): \(method) \(shown(from)) → \(nextMethod) \(shown(to))"
    }

    /// A URL of the hop, as it is shown.
    func shown(_ url: URL) -> String { Self.text(of: url, without: pathSecrets) }

    static func text(of url: URL, without secrets: PathSecrets) -> String {
        Redaction.printable(Redaction.text(of: url, without: secrets), scalarsMax: 300)
    }
}

extension [RedirectHop] {
    /// `, after 2 redirects`, or nothing without redirects.
    package var afterText: String {
        isEmpty ? "" : ", after \(count == 1 ? "1 redirect" : "\(count) redirects")"
    }
}
