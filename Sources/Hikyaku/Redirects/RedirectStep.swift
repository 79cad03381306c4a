import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Goes where a service sends it, as ``RedirectPolicy`` says.
///
/// It stands inside authorization, so that the credential is its to drop, and outside cookies, which each hop has of
/// its own.
struct RedirectStep {
    let policy: RedirectPolicy
    /// Whether two requests to the same URL can differ by what servers have set in between.
    let keepsCookies: Bool

    /// Follows a redirect, and those that come after it.
    ///
    /// - Parameters:
    ///   - first: The redirect.
    ///   - request: What it answers.
    ///   - attempt: The context of the attempt, whose trail it is.
    ///   - send: Sends the requests that follow.
    /// - Returns: The response that the steps outside see.
    /// - Throws: What keeps a redirect from being followed; what `send` throws.
    func response(
        after first: consuming HTTPResponse,
        to request: HTTPRequest,
        _ attempt: RequestContext,
        _ send: (HTTPRequest, RequestContext) async throws -> HTTPResponse,
    ) async throws -> HTTPResponse {
        var request = request
        var response = consume first
        var trail = RedirectTrail(keepsCookies: keepsCookies)
        while let following = try await self.request(after: response, to: request, attempt, &trail) {
            attempt.call.log?.receives(response)
            // The body that comes with a redirect is dropped, which closes it where it is a stream.
            response.body = .empty
            attempt.follow(trail.hops)
            request = following
            response = try await send(request, attempt)
        }
        return response
    }

    /// The request that goes on; `nil` when the response is what the caller gets.
    private func request(
        after response: HTTPResponse,
        to request: HTTPRequest,
        _ context: RequestContext,
        _ trail: inout RedirectTrail,
    ) async throws -> HTTPRequest? {
        guard response.status.isRedirection else { return nil }
        let policy = context.call.choices.redirectPolicy ?? policy
        if case .never = policy.choice { return nil }
        guard let url = try RedirectTarget.url(of: response, to: request) else { return nil }
        var hop = RedirectHop(
            status: response.status,
            method: request.method,
            from: request.telling(of: request.url),
            nextMethod: request.method.redirected(by: response.status),
            to: request.telling(of: url),
        )
        hop.pathSecrets = request.pathSecrets
        if case .ask(let decide) = policy.choice, try await decide(hop) == .stop { return nil }
        try hop.check(policy, url)
        guard trail.hops.count < policy.limit else {
            throw TransportError(.tooManyRedirects, "more than \(policy.limit) redirects; the last was \(hop)")
        }
        try trail.add(
            hop,
            from: request.url,
            to: url,
            cookie: context.sent?.headers[.cookie],
            setsCookie: response.headers.contains(.setCookie),
        )
        return try request.following(hop, to: url, by: policy)
    }
}

extension RedirectHop {
    /// Refuses what is never followed, and a downgrade that isn't allowed.
    fileprivate func check(_ policy: RedirectPolicy, _ target: URL) throws(TransportError) {
        let place = "\(shown(from)) redirects with \(status) to"
        guard let scheme = to.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            let scheme = Redaction.printable(to.scheme ?? "", scalarsMax: 20)
            throw TransportError(
                .redirectInvalid,
                "\(place) a URL with the scheme \(scheme), which is not http or https",
            )
        }
        do {
            try HTTPRequest(url: target).checkForWire()
        } catch {
            throw TransportError(.redirectInvalid, "\(place) a URL that can't be sent: \(error.message)")
        }
        if isDowngrade, !policy.allowsDowngrade {
            throw TransportError(.redirectInsecure, "\(place) \(shown(to))")
        }
    }
}

extension URL {
    /// The URL in a spelling that differs only where the request on the wire does.
    fileprivate var loopKey: String {
        let path = path(percentEncoded: true)
        let query = query(percentEncoded: true).map { "?\($0)" } ?? ""
        return (HTTPOrigin(self)?.description ?? "") + (path.isEmpty ? "/" : path) + query
    }
}

/// The way so far, which must not come back to itself.
private struct RedirectTrail {
    private struct Visit: Hashable {
        let method: HTTPMethod
        let url: String
        let cookie: ByteText?
    }

    private static let placesShownMax = 12

    private let keepsCookies: Bool
    private(set) var hops: [RedirectHop] = []
    private var visits: Set<Visit> = []
    /// What was asked of each hop, in order.
    private var asked: [Visit] = []

    init(keepsCookies: Bool) {
        self.keepsCookies = keepsCookies
    }

    /// Adds a hop, unless it makes a loop.
    ///
    /// With a cookie store, the same method and URL are no loop as long as the cookies differ that went along: a
    /// service may set one and ask the client to come back. What will go along is known only when it was sent, so there
    /// a loop is noticed one request later.
    ///
    /// The URLs are those of the requests, with a credential that the hop isn't told of: without it, a request is
    /// another.
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
        asked.append(visit)
        let asksAgain = Visit(method: hop.nextMethod, url: to.loopKey, cookie: nil)
        guard isNew, keepsCookies || !visits.contains(asksAgain) else {
            let end = isNew ? asksAgain : visit
            let start = asked.firstIndex { $0.method == end.method && $0.url == end.url } ?? 0
            let places = hops[start...].map(\.from) + (isNew ? [hop.to] : [])
            throw TransportError(
                .redirectLoop,
                places.prefix(Self.placesShownMax).map(hop.shown).joined(separator: " → ")
                    + (places.count > Self.placesShownMax ? " → …" : "")
                    + (setsCookie && !keepsCookies
                        ? "; a cookie is set on the way, and the client has no cookie store" : ""),
            )
        }
    }
}
