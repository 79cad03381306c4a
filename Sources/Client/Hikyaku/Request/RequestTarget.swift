import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RequestPath {
    /// An absolute URL as a path, such as that of an image, a download or a next page, which a response contains.
    ///
    /// ```swift
    /// struct Avatar: Shop.Request {
    ///     typealias Definition = ImageResponse
    ///     var user: User
    ///     var path: RequestPath { .url(user.avatarURL) }
    /// }
    /// ```
    /// The URL's query is sent as it is, before the request's own query items.
    ///
    /// The service has chosen the URL, so its origin decides what is sent:
    /// - At the origin of the request's environment, nothing differs from a path. A client that substitutes the
    ///   environment sends the request to the same place in the other environment.
    /// - At another origin, a request that requires authorization fails as ``FailureReason/otherOrigin``, and nothing
    ///   is sent. Any other is sent without a credential. Of the fields, only those are sent that a redirect to another
    ///   origin would keep, whoever has set them: the client, the environment, the request or a middleware. The
    ///   ``RedirectPolicy`` can keep more, and can forbid to send a body there. Limits, retry budgets and circuits are
    ///   those of the environment.
    ///
    /// These are rejected as ``FailureReason/url`` when the request is built: a relative URL, another scheme than
    /// `http` and `https`, `http` if the environment uses `https`, credentials, a fragment, and what a path may not
    /// contain.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The path.
    public static func url(_ url: URL) -> RequestPath {
        self.url(url.absoluteString)
    }

    /// The text of an absolute URL as a path; see ``url(_:)-(URL)``.
    ///
    /// Bytes that no URL may have are percent-encoded.
    ///
    /// - Parameter text: The text of the URL.
    /// - Returns: The path.
    public static func url(_ text: String) -> RequestPath {
        url(text, hiding: PathSecrets())
    }

    /// An absolute URL that may repeat secrets of another path.
    static func url(_ text: String, hiding secrets: PathSecrets) -> RequestPath {
        do throws(TransportError) {
            let (origin, encoded) = try parts(ofURL: text)
            return RequestPath(absolute: encoded, at: origin, hiding: secrets, problem: nil)
        } catch {
            let problem = Problem(cause: .url, message: error.message)
            return RequestPath(absolute: "", at: nil, hiding: secrets, problem: problem)
        }
    }

    /// The origin of an absolute URL, and its encoded path with the query.
    private static func parts(ofURL text: String) throws(TransportError) -> (HTTPOrigin, String) {
        guard !text.hasByte("#") else { throw problem("has a fragment, which is never sent") }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw problem("has a control character") }
        let original = URLReference(text)
        guard let scheme = original.scheme.map({ String($0).asciiLowercased }) else { throw problem("is relative") }
        guard scheme == "http" || scheme == "https" else { throw problem("has a scheme that is not http or https") }
        guard let authority = original.authority, !authority.isEmpty else { throw problem("has no host") }
        guard !authority.hasByte("@") else {
            throw problem("has credentials: authorize the client, or the request, instead")
        }
        if let fault = URLPath.problem(in: String(original.path)) { throw RequestCause.url.error("the URL: \(fault)") }
        let (host, port) = try hostAndPort(of: authority)
        // It can't fail: the text is absolute, and has no control character.
        let encoded = URLReference(URLReference.text(of: text, from: nil) ?? "")
        let origin = HTTPOrigin(scheme: scheme, host: host, port: port)
        let tail = encoded.path + (encoded.query.map { "?\($0)" } ?? "")
        let whole = "\(origin)\(tail)"
        guard whole.isPlainURL || URL(string: whole, encodingInvalidCharacters: false) != nil else {
            throw problem("can't be parsed")
        }
        return (origin, String(tail))
    }

    private static func hostAndPort(of authority: Substring) throws(TransportError) -> (String, Int?) {
        do {
            return try APIEnvironment.Base.hostAndPort(of: authority)
        } catch {
            throw problem("has a malformed host or port")
        }
    }

    private static func problem(_ text: String) -> TransportError { RequestCause.url.error("the URL \(text)") }
}

extension CallInformation {
    /// The URL of a request with that path and that encoded query.
    ///
    /// It notes whether that is at another origin than the call's environment.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - query: The text of the request's own query items.
    ///   - own: The request's own environment, which the client may have replaced.
    /// - Returns: A parsed base URL or origin, then only characters that are valid in a path and a query.
    /// - Throws: Why nothing may be sent there.
    func urlText(
        of path: RequestPath,
        _ query: String,
        from own: @autoclosure () -> APIEnvironment,
    ) throws(TransportError) -> String {
        if let problem = environment.problem { throw EnvironmentCause.baseURL.error(problem) }
        if let problem = path.problem { throw problem.error }
        guard let origin = path.origin else {
            let text = environment.prefix + path.encoded
            return query.isEmpty ? text : "\(text)?\(query)"
        }
        return try urlText(of: path, at: origin, query, from: own().base)
    }

    /// The URL of a request that can't be built, as errors show it.
    ///
    /// It is the base URL if there is no valid path, and `nil` if the base URL is malformed.
    func shownURL<R: APIRequest>(of request: R) -> String? {
        guard environment.base.problem == nil else { return nil }
        let (method, path) = (request.writtenMethod, request.path)
        let items =
            method.sendsParametersInQuery
            ? request.writtenQuery + request.writtenParameters : request.writtenQuery
        // A query that can't be written is left out: the reason names its value.
        let query = (try? QueryWriter.text(of: items, encoding: .unreserved)) ?? ""
        guard let text = try? urlText(of: path, query, from: request.environment) else { return environment.baseURL }
        return HTTPRequest(method: method, urlText: text, headers: [:], pathSecrets: path.secrets).shownURL
    }

    /// The URL of a request with an absolute URL as its path.
    @inline(never)
    private func urlText(
        of path: RequestPath,
        at origin: HTTPOrigin,
        _ query: String,
        from own: APIEnvironment.Base,
    ) throws(TransportError) -> String {
        let mark = path.encoded.hasByte("?") ? (path.encoded.hasByteSuffix("?") ? "" : "&") : "?"
        let tail = query.isEmpty ? path.encoded : "\(path.encoded)\(mark)\(query)"
        let base = environment.base
        if origin == base.origin { return "\(origin)\(tail)" }
        if environment.upgradesLinks, origin.isPlain(base.origin) { return "\(base.origin)\(tail)" }
        // The client has replaced the environment that the URL belongs to.
        if origin == own.origin { return base.text(replacing: own, in: tail) }
        guard base.origin.scheme != "https" || origin.scheme == "https" else {
            throw RequestCause.insecureURL.error("the URL would be sent over plain http, and \(base.origin) uses https")
        }
        guard choices.authorizationNeed != .required else {
            throw RequestCause.foreignURL.error(
                "the request needs authorization for \(base.origin), and its URL is at \(origin)"
            )
        }
        noteLeavingOrigin()
        return "\(origin)\(tail)"
    }
}

extension HTTPOrigin {
    /// Whether it is another one without TLS, as a server writes it that doesn't know the proxy before it.
    fileprivate func isPlain(_ other: HTTPOrigin) -> Bool {
        scheme == "http" && other.scheme == "https" && host == other.host && (port == 80 || port == other.port)
    }
}

extension APIEnvironment.Base {
    /// The URL with the path and query that a URL of another environment has there.
    fileprivate func text(replacing other: Self, in tail: String) -> String {
        guard tail.hasBytePrefix(other.path) else { return "\(origin)\(tail)" }
        let rest = Substring(tail.utf8.dropFirst(other.path.utf8.count))
        guard rest.isEmpty || rest.hasBytePrefix("/") || rest.hasBytePrefix("?") else { return "\(origin)\(tail)" }
        return prefix + rest
    }
}
