import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
