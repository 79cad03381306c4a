import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One redirect: from which URL, and to which one.
///
/// ```swift
/// let response = try await client.response(for: Shop.Dishes())
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

    /// Creates a hop, for tests of code that uses one.
    public init(status: HTTPStatus, method: HTTPMethod, from: URL, nextMethod: HTTPMethod, to: URL) {
        self.status = status
        self.method = method
        self.from = from
        self.nextMethod = nextMethod
        self.to = to
    }

    /// Whether scheme, host or port change, so that credentials are removed.
    public var changesOrigin: Bool { HTTPOrigin(from) != HTTPOrigin(to) }
}

extension RedirectHop {
    /// Rejects a redirect that is never followed, and a downgrade that isn't allowed.
    func check(_ policy: RedirectPolicy, _ target: URL) throws(TransportError) {
        let place = "\(shown(from)) redirects with \(status) to"
        guard let scheme = to.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            let scheme = Redaction.printable(to.scheme ?? "", scalarsMax: 20)
            throw RedirectCause.redirectInvalid.error(
                "\(place) a URL with the scheme \(scheme), which is not http or https"
            )
        }
        do {
            try HTTPRequest(url: target).checkForWire()
        } catch {
            throw RedirectCause.redirectInvalid.error("\(place) a URL that can't be sent: \(error.message)")
        }
        if isDowngrade, !policy.rules.allowsDowngrade {
            throw RedirectCause.redirectInsecure.error("\(place) \(shown(to))")
        }
    }

    private var isDowngrade: Bool { HTTPOrigin(from)?.scheme == "https" && HTTPOrigin(to)?.scheme == "http" }
}

extension RedirectHop: CustomStringConvertible, CustomReflectable {
    /// `302 Found: POST https://a.example/login → GET https://a.example/home?page=…`.
    public var description: String {
        "\(status): \(method) \(shown(from)) → \(nextMethod) \(shown(to))"
    }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["hop": description]) }

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

extension HTTPMethod {
    /// The method with which a redirect is followed (RFC 9110, section 15.4): with 301 and 302, POST may become GET, as
    /// in all clients.
    func redirected(by status: HTTPStatus) -> HTTPMethod {
        switch status.code {
        case 303: self == .head ? .head : .get
        case 301, 302: self == .post ? .get : self
        default: self
        }
    }
}

extension HTTPRequest {
    /// The request that follows a redirect, without the fields for the previous origin and for a dropped body.
    ///
    /// - Parameters:
    ///   - hop: The redirect, as it is reported.
    ///   - target: The target, with everything that the service has put into the query.
    ///   - policy: What is sent to another origin.
    /// - Returns: The request.
    /// - Throws: ``FailureReason/redirectInvalid`` if the body is needed again but is consumed, or must not be sent to
    ///   another origin; ``FailureReason/otherOrigin`` if the URL of another origin contains a credential outside the
    ///   query.
    func following(
        _ hop: RedirectHop,
        to target: URL,
        by policy: RedirectPolicy,
    ) throws(TransportError) -> HTTPRequest {
        var request = self
        request.method = hop.nextMethod
        if hop.status.code == 303 || hop.nextMethod != hop.method {
            request.body = nil
            request.headers.removeAll { $0.name.isAboutBody }
        }
        if let problem = request.body?.problem(with: hop, policy) {
            let place = hop.shown(hop.to)
            throw RedirectCause.redirectBody.error("\(hop.status) requires the body again at \(place), \(problem)")
        }
        try request.lead(to: target, changesOrigin: hop.changesOrigin, by: policy.rules)
        return request
    }

    /// Leads the request to another URL, without its credentials and all fields that could be ones if that has another
    /// origin.
    ///
    /// - Parameters:
    ///   - target: The URL.
    ///   - changesOrigin: Whether it has another origin than the request has, or had before a redirect.
    ///   - rules: What is sent to another origin too.
    /// - Throws: ``FailureReason/otherOrigin`` if the URL of another origin contains a credential outside the query.
    mutating func lead(
        to target: URL,
        changesOrigin: Bool,
        by rules: RedirectPolicy.Rules = RedirectPolicy.Rules(),
    ) throws(TransportError) {
        url = target
        if changesOrigin {
            rules.leaveOrigin(of: &headers)
            try removeCredentials()
        } else {
            try removeReturnedCredentials()
        }
    }

    /// A URL for observers that must not get the credentials.
    func withoutCredentials(_ url: URL) -> URL {
        credentials.reduce(url) { url, credential in (try? credential.removed(from: url)) ?? url }
    }
}

extension HTTPBody {
    /// Why the body can't be sent to the target of a redirect.
    fileprivate func problem(with hop: RedirectHop, _ policy: RedirectPolicy) -> String? {
        if hop.changesOrigin, !policy.rules.sendsBodyToOtherOrigins { return "which is another origin" }
        return canBeRead ? nil : "and the body is a one-shot stream"
    }
}

extension HTTPHeaderName {
    /// Whether a field describes the content, and is meaningless without it.
    var isAboutBody: Bool {
        let name = rawName.lowercased()
        return name.hasPrefix("content-") || Self.othersAboutBody.contains(name)
    }

    private static let othersAboutBody: Set<String> = [
        "digest", "expect", "last-modified", "repr-digest", "trailer", "transfer-encoding",
    ]
}
