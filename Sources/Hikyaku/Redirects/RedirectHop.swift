import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
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

extension HTTPMethod {
    /// The method with which a redirect is followed (RFC 9110, section 15.4): 301 and 302 say that POST may become GET,
    /// which all clients do.
    func redirected(by status: HTTPStatus) -> HTTPMethod {
        switch status.code {
        case 303: self == .head ? .head : .get
        case 301, 302: self == .post ? .get : self
        default: self
        }
    }
}

extension HTTPRequest {
    /// The request that follows a redirect, without what belongs to the origin before and to a body that is left out.
    ///
    /// - Parameters:
    ///   - hop: The redirect, as it is told of.
    ///   - target: Where it leads, with all that the service has put into the query.
    ///   - policy: What goes along to another origin.
    /// - Returns: The request.
    /// - Throws: ``FailureReason/redirectInvalid`` when the body has to be sent again and is gone, or may not go to
    ///   another origin; ``FailureReason/otherOrigin`` when the URL of another origin holds a credential, and not in
    ///   the query.
    func following(
        _ hop: RedirectHop,
        to target: URL,
        by policy: RedirectPolicy,
    ) throws(TransportError) -> HTTPRequest {
        var request = self
        request.method = hop.nextMethod
        request.url = target
        if hop.status.code == 303 || hop.nextMethod != hop.method {
            request.body = nil
            request.headers.removeAll { $0.name.isAboutBody }
        }
        if let problem = request.body?.problem(with: hop, policy) {
            let place = hop.shown(hop.to)
            throw TransportError(.redirectInvalid, "\(hop.status) requires the body again at \(place), \(problem)")
        }
        if hop.changesOrigin {
            request.headers.leaveOrigin(keeping: policy.fieldsKept)
            try request.leaveCredentialsBehind()
        } else {
            try request.removeCredentialsLeftBehind()
        }
        return request
    }

    /// A URL as those are told of it who aren't told the credentials.
    func telling(of url: URL) -> URL {
        credentials.reduce(url) { url, credential in (try? credential.removed(from: url)) ?? url }
    }
}

extension HTTPBody {
    /// Why the body can't go where a redirect leads.
    fileprivate func problem(with hop: RedirectHop, _ policy: RedirectPolicy) -> String? {
        if hop.changesOrigin, !policy.sendsBodyToOtherOrigins { return "which is another origin" }
        return isReplayable ? nil : "and the body is a one-shot stream"
    }
}

extension HTTPHeaders {
    /// Drops all fields that are for one origin: those that aren't known to cross, and those that are marked.
    fileprivate mutating func leaveOrigin(keeping names: Set<HTTPHeaderName>) {
        // By name: a field that was added to one that is marked is of its kind.
        let credentials = Set(filter(\.isCredential).map(\.name))
        removeAll { field in
            let crosses = field.name.crossesOrigins || names.contains(field.name)
            return !crosses || credentials.contains(field.name)
        }
    }
}

extension HTTPHeaderName {
    /// Whether a field says something of the content, and nothing without it.
    fileprivate var isAboutBody: Bool {
        let name = rawName.lowercased()
        return name.hasPrefix("content-") || Self.othersAboutBody.contains(name)
    }

    private static let othersAboutBody: Set<String> = [
        "digest", "expect", "last-modified", "repr-digest", "trailer", "transfer-encoding",
    ]
}
