/// Sends each hop's cookies along, and keeps what its response sets.
struct CookieStep: HTTPMiddleware {
    let store: any CookieStore

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        var scope = CookieScope(
            url: request.url,
            method: request.method,
            earlierURLs: context.redirects.map(\.from),
        )
        scope.pathSecrets = request.pathSecrets
        var request = request
        request.headers.add(try await asked { try await store.cookies(for: scope) })
        let response = try await next(request)
        let setCookies = response.headers.values(for: .setCookie)
        if !setCookies.isEmpty {
            try await asked { try await store.store(setCookies, from: scope) }
        }
        return response
    }

    /// The cookies that would go along if the request were sent now.
    func pairs(for request: HTTPRequest) async throws -> [String] {
        var scope = CookieScope(url: request.url, method: request.method, earlierURLs: [])
        scope.pathSecrets = request.pathSecrets
        return try await asked { try await store.cookies(for: scope).map(\.pair) }
    }

    private func asked<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch  where error is CancellationError || error is TransportError {
            throw error
        } catch {
            // Of an error that isn't the package's own, only the type: its text may hold secrets.
            let text = (error as? CookieFileError)?.description ?? "the cookie store threw a \(type(of: error))"
            throw TransportError(.cookieStore, text, underlyingError: error)
        }
    }
}

extension HTTPHeaders {
    /// Adds cookies to those that the request has of its own, which stand first and above stored ones of their names.
    ///
    /// Of more than fit, the first go along, each whole.
    fileprivate mutating func add(_ cookies: [Cookie]) {
        guard !cookies.isEmpty else { return }
        let own = values(for: .cookie)
        let ownNames = Set(own.flatMap { $0.byteSplit(separator: ";") }.map { ByteText($0.nameOfPair) })
        var pairs = own.filter { !$0.isEmpty }
        var byteCount = pairs.reduce(0) { $0 + $1.utf8.count + 2 }
        for cookie in cookies where !ownNames.contains(ByteText(cookie.nameAsSent)) {
            let pair = cookie.pair
            byteCount += pair.utf8.count + 2
            // The last has no separator behind it.
            guard byteCount - 2 <= CookieRules.fieldBytesMax else { break }
            pairs.append(pair)
        }
        guard !pairs.isEmpty else { return }
        setSecret(.cookie, pairs.joined(separator: "; "))
    }
}
