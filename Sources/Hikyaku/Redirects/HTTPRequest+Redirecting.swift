#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
    /// - Returns: The request.
    /// - Throws: ``FailureReason/redirectInvalid`` when the body has to be sent again and is gone;
    ///   ``FailureReason/otherOrigin`` when the URL of another origin holds a credential, and not in the query.
    func following(_ hop: RedirectHop, to target: URL) throws(TransportError) -> HTTPRequest {
        var request = self
        request.method = hop.nextMethod
        request.url = target
        if hop.status.code == 303 || hop.nextMethod != hop.method {
            request.body = nil
            request.headers.removeAll { $0.name.isAboutBody }
        }
        if let body = request.body, !body.isReplayable {
            throw TransportError(
                .redirectInvalid,
                "\(hop.status) asks for the body once more at \(RedirectHop.text(of: hop.to)), and it is a stream that "
                    + "can be read once",
            )
        }
        if hop.changesOrigin {
            // By name: a field that was added to one that is marked is of its kind.
            let names = Set(request.headers.filter(\.isCredential).map(\.name))
            request.headers.removeAll { names.contains($0.name) || $0.name == .host }
            for index in request.credentials.indices { request.credentials[index].isLeftBehind = true }
        }
        for credential in request.credentials where credential.isLeftBehind {
            request.url = try credential.removed(from: request.url)
        }
        return request
    }

    /// A URL as those are told of it who aren't told the credentials.
    func telling(of url: URL) -> URL {
        credentials.reduce(url) { url, credential in (try? credential.removed(from: url)) ?? url }
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
