import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The redirects so far, which must not form a loop.
struct RedirectTrail {
    private struct Visit: Hashable {
        let method: HTTPMethod
        let url: String
        let cookie: ByteText?
    }

    private static let placesShownMax = 12

    private let keepsCookies: Bool
    private(set) var hops: [RedirectHop] = []
    private var visits: Set<Visit> = []
    /// The requests of all hops, in order.
    private var requests: [Visit] = []

    init(keepsCookies: Bool) {
        self.keepsCookies = keepsCookies
    }

    /// Adds a hop, unless it forms a loop.
    ///
    /// With a cookie store, the same method and URL are not a loop if the cookies differ: a service may set one and
    /// redirect back. The cookies are known only when a request was sent, so a loop is detected one request later.
    ///
    /// The URLs are those of the requests, with a credential that the hop doesn't contain: without it, the request
    /// would be a different one.
    ///
    /// - Throws: ``FailureReason/redirectLoop``.
    mutating func add(
        _ hop: RedirectHop,
        from: URL,
        to: URL,
        cookie: String?,
        setsCookie: Bool,
    ) throws(TransportError) {
        let sentCookie = keepsCookies ? cookie.map(ByteText.init) : nil
        let visit = Visit(method: hop.method, url: from.loopKey, cookie: sentCookie)
        let isNew = visits.insert(visit).inserted
        hops.append(hop)
        requests.append(visit)
        let repeated = Visit(method: hop.nextMethod, url: to.loopKey, cookie: nil)
        guard isNew, keepsCookies || !visits.contains(repeated) else {
            let end = isNew ? repeated : visit
            let start = requests.firstIndex { $0.method == end.method && $0.url == end.url } ?? 0
            let places = hops[start...].map(\.from) + (isNew ? [hop.to] : [])
            throw RedirectCause.redirectLoop.error(
                places.prefix(Self.placesShownMax).map(hop.shown).joined(separator: " → ")
                    + (places.count > Self.placesShownMax ? " → …" : "")
                    + (setsCookie && !keepsCookies
                        ? "; a cookie is set on the way, and the client has no cookie store" : "")
            )
        }
    }
}

extension URL {
    /// The URL, normalized so that two are equal if the requests on the wire are.
    fileprivate var loopKey: String {
        let path = path(percentEncoded: true)
        let query = query(percentEncoded: true).map { "?\($0)" } ?? ""
        return (HTTPOrigin(self)?.description ?? "") + (path.isEmpty ? "/" : path) + query
    }
}
