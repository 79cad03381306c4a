#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One redirect: who sent the client away, and where to.
///
/// It prints without the values of the URLs' queries and the secrets in their paths. The URLs themselves have them, but
/// for the items that hold a credential of the client's or the request's own.
public struct RedirectHop: Sendable, Hashable {
    /// The status that said so.
    public let status: HTTPStatus
    /// The method of the request that was redirected.
    public let method: HTTPMethod
    /// The URL that was asked.
    public let from: URL
    /// The method with which it goes on.
    public let nextMethod: HTTPMethod
    /// The URL to ask instead, absolute and without a fragment; before it is followed it may have any scheme.
    public let to: URL
    /// What is left out of both URLs where they are shown.
    var pathSecrets = PathSecrets()

    /// Makes a hop, for tests of what takes them.
    public init(status: HTTPStatus, method: HTTPMethod, from: URL, nextMethod: HTTPMethod, to: URL) {
        self.status = status
        self.method = method
        self.from = from
        self.nextMethod = nextMethod
        self.to = to
    }

    /// Whether scheme, host or port change, so that credentials stay behind.
    public var changesOrigin: Bool { HTTPOrigin(from) != HTTPOrigin(to) }

    var isDowngrade: Bool { HTTPOrigin(from)?.scheme == "https" && HTTPOrigin(to)?.scheme == "http" }
}

extension RedirectHop: CustomStringConvertible, CustomReflectable {
    /// `302 Found: POST https://a.example/login → GET https://a.example/home?page=…`.
    public var description: String {
        "\(status): \(method) \(shown(from)) → \(nextMethod) \(shown(to))"
    }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["hop": description]) }

    /// A URL on the way, as texts show it.
    func shown(_ url: URL) -> String { Self.text(of: url, without: pathSecrets) }

    static func text(of url: URL, without secrets: PathSecrets) -> String {
        Redaction.printable(Redaction.text(of: url, without: secrets), scalarsMax: 300)
    }
}

extension [RedirectHop] {
    /// `, after 2 redirects`, and nothing where there were none.
    var afterText: String {
        isEmpty ? "" : ", after \(count == 1 ? "1 redirect" : "\(count) redirects")"
    }
}
