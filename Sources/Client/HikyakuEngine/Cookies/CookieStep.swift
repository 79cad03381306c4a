/// Sends the cookies of each hop, and stores those that its response sets.
package struct CookieStep: CallStep {
    package let store: any CookieStore

    /// `nil` without a store.
    package init?(_ store: (any CookieStore)?) {
        guard let store else { return nil }
        self.store = store
    }

    package var endsOnCancellation: Bool { store.endsOnCancellation }

    package var stage: CallStage { .hop }

    nonisolated(nonsending) package func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        // Its response repeats the request (RFC 9110, section 9.3.8).
        guard request.method != .trace else { return try await next(request, context) }
        var scope = CookieScope(
            url: request.url,
            method: request.method,
            earlierURLs: context.redirects.map(\.from),
        )
        scope.pathSecrets = request.pathSecrets
        var request = request
        request.headers.add(try await withStoreErrors(context) { try await store.cookies(for: scope) })
        let response = try await next(request, context)
        let setCookies = response.headers.values(for: .setCookie)
        if !setCookies.isEmpty {
            try await withStoreErrors(context) { try await store.store(setCookies, from: scope) }
        }
        return response
    }

    package func foresee(
        _ request: inout HTTPRequest,
        _ context: RequestContext,
        _ explanation: inout ExplainedSteps,
    ) async throws {
        let pairs = try await pairs(for: request, context)
        let own = request.headers.values(for: .cookie)
        if !pairs.isEmpty { request.headers.setSecret(.cookie, (own + pairs).joined(separator: "; ")) }
    }

    /// The cookies that would be sent with the request now.
    package func pairs(for request: HTTPRequest, _ context: RequestContext) async throws -> [String] {
        var scope = CookieScope(url: request.url, method: request.method, earlierURLs: [])
        scope.pathSecrets = request.pathSecrets
        return try await withStoreErrors(context) { try await store.cookies(for: scope).map(\.pair) }
    }

    private func withStoreErrors<Value>(
        _ context: RequestContext,
        _ work: () async throws -> Value,
    ) async throws -> Value {
        do {
            return try await work()
        } catch  where error is CancellationError || error is TransportError {
            throw error
        } catch let error as StoreFileError {
            throw CookieCause.cookieStore.error(error.description, underlyingError: error)
        } catch {
            let words = context.call.questions.words(of: error, by: "the cookie store")
            throw CookieCause.cookieStore.error(words.text, underlyingError: error, hint: words.hint)
        }
    }
}

extension HTTPHeaders {
    /// Adds cookies after the request's own, which come first and override stored ones with the same names.
    ///
    /// If not all fit, the first ones are sent, each complete.
    fileprivate mutating func add(_ cookies: [Cookie]) {
        guard !cookies.isEmpty else { return }
        let own = values(for: .cookie)
        let ownNames = Set(own.flatMap { $0.byteSplit(separator: ";") }.map { ByteText($0.nameOfPair) })
        var pairs = own.filter { !$0.isEmpty }
        var byteCount = pairs.reduce(0) { $0 + $1.utf8.count + 2 }
        for cookie in cookies where !ownNames.contains(ByteText(cookie.nameAsSent)) {
            let pair = cookie.pair
            byteCount += pair.utf8.count + 2
            // The last one has no separator after it.
            guard byteCount - 2 <= CookieRules.fieldBytesMax else { break }
            pairs.append(pair)
        }
        guard !pairs.isEmpty else { return }
        setSecret(.cookie, pairs.joined(separator: "; "))
    }
}
