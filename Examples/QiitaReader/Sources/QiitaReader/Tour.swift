import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Shows the library's features step by step.
struct Tour {
    private static let perPage = 5
    private static let callsAtOnce = 50

    let service: Service
    let output: Output

    func run() async throws {
        output.line("A tour of Hikyaku. Its calls go over HTTP to")
        output.line("\(service.environment)\(service.embedded == nil ? "" : ", a service in this process").")
        let items = try await showPages()
        try await showItem(from: items)
        try await showServiceError()
        try await showMissingAuthorization()
        try await showAuthorizedCall()
        try await showOneRefresh()
        try await showDecodingFailure()
        try await showRequestWithoutSending()
        try await showProgress()
        await showChain()
        await showCancelling()
        try await showChanges()
        try await showSurvival()
        try await showDownload()
        try await showEvents()
        try await showUpload()
        try await showWalk()
        try await showGenerated()
        try await showStubs()
        try await showSpeed()
        showEnd()
        output.line()
    }
}

// MARK: - Successful calls

extension Tour {
    /// Lists the first page, and the next one according to its `Link` header.
    private func showPages() async throws -> [Item] {
        output.heading("1. Pages of typed items")
        let first = try await service.client.bind(Qiita.Items(perPage: Self.perPage)).response()
        output.line("Qiita.Items(page: 1, perPage: \(Self.perPage)) → [Item], \(first.status)")
        output.items(first.value, firstNumber: 1)
        output.pages(PageInfo(first))

        guard let next = first.links["next"] else { return first.value }
        output.line()
        let second = try await service.client.send(Qiita.Items(perPage: Self.perPage).at(next))
        output.line("Qiita.Items(perPage: \(Self.perPage)).at(first.links[\"next\"]) → [Item]")
        output.items(second, firstNumber: Self.perPage + 1)
        return first.value + second
    }

    private func showItem(from items: [Item]) async throws {
        output.heading("2. One item with its comments")
        guard let id = (items.first { $0.commentsCount > 1 } ?? items.first)?.id else {
            return output.line("There is no item to show.")
        }
        let item = try await service.client.send(Qiita.ItemByID(id: id))
        let comments = try await service.client.send(Qiita.Comments(itemID: id))
        output.item(item)
        output.comments(comments)
    }

    private func showAuthorizedCall() async throws {
        output.heading("5. An authorized call that works")
        guard service.embedded != nil else {
            return output.line("Left out: QiitaReader me sends it to the real service with your token.")
        }
        let user = try await service.client(authorizedBy: EmbeddedService.token).send(Qiita.AuthenticatedUser())
        output.line("Qiita.AuthenticatedUser() → User")
        output.user(user)
    }

    /// Sends many concurrent calls with an expired token.
    private func showOneRefresh() async throws {
        output.heading("6. One refresh for many calls (single-flight)")
        guard let embedded = service.embedded else {
            return output.line("Left out: the real service issues no refresh tokens.")
        }
        let ended = IssuedToken(
            token: Secret("ended"),
            refreshToken: Secret(EmbeddedService.refreshToken),
            expiresAt: .distantPast,
        )
        let (received, issued) = (embedded.requestCount, embedded.issuedTokenCount)
        let client = service.client(refreshing: ended)
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<Self.callsAtOnce { group.addTask { try await client.send(Qiita.AuthenticatedUser()).id } }
            var names: Set<String> = []
            for try await name in group { names.insert(name) }
            return names
        }
        output.line("\(Self.callsAtOnce) concurrent calls found an expired token:")
        output.fields([
            ("answered", "all, for \(names.sorted().joined(separator: ", "))"),
            ("refreshes", "\(embedded.issuedTokenCount - issued)"),
            ("requests", "\(embedded.requestCount - received)"),
        ])
    }

    private func showRequestWithoutSending() async throws {
        output.heading("8. A request as a cURL line, without sending it")
        let request = Qiita.Items(page: 2, perPage: Self.perPage, search: "tag:Swift 非同期")
        output.line("For a log, with possible secrets hidden:")
        let bound = service.client.bind(request)
        output.line("  " + (try await bound.curlCommand()))
        output.line("With secrets, so that it can be run:")
        output.line("  " + (try await bound.curlCommand(revealingSecrets: true)))
    }
}

// MARK: - Failures

extension Tour {
    private func showServiceError() async throws {
        output.heading("3. A typed error of the service")
        let request = Qiita.ItemByID(id: "00000000000000000000")
        do {
            let item = try await service.client.send(request)
            output.line("Unexpected: there is an item with that ID, \(item.title).")
        } catch .service(let error, let response) {
            output.line("Qiita.ItemByID(id: \"\(request.id)\") → QiitaError, \(response.status)")
            output.fields([("message", error.message), ("type", error.type)])
        } catch {
            throw error
        }
    }

    /// Counts the requests that the embedded service has received before and after, which shows that none was sent.
    private func showMissingAuthorization() async throws {
        output.heading("4. An authorization error before a request is sent")
        // service.client.send(Qiita.AuthenticatedUser()) doesn't compile. The compiler reports:
        // error: 'send' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
        output.line("client.send(Qiita.AuthenticatedUser()) compiles only on an authorized client.")
        output.line("With an empty token, it fails before anything is sent:")
        let receivedBefore = service.embedded?.requestCount
        do {
            let user = try await service.client(authorizedBy: "").send(Qiita.AuthenticatedUser())
            output.line("Unexpected: the service accepted an empty token for \(user.id).")
        } catch let error where error.phase == .unauthorized {
            output.failure(error, indent: 2)
        } catch {
            throw error
        }
        guard let receivedBefore, let receivedAfter = service.embedded?.requestCount else { return }
        output.fields([("server", "received \(receivedBefore) requests before, and \(receivedAfter) after")])
    }

    private func showDecodingFailure() async throws {
        output.heading("7. A decoding failure with its position")
        output.line("Qiita.MisreadItems assumes that every author has a GitHub account:")
        do {
            let items = try await service.client.send(Qiita.MisreadItems())
            output.line("All \(items.count) authors had one this time.")
        } catch .decoding(let failure) {
            let diagnosis = failure.diagnosis
            output.fields([
                ("pointer", diagnosis.pointer),
                ("expected", diagnosis.expected),
                ("found", diagnosis.found),
                ("position", diagnosis.byteOffset.map { "line \(diagnosis.line ?? 0), byte \($0)" }),
                ("snippet", diagnosis.snippet.map { $0 + (diagnosis.isSnippetMasked ? " (values masked)" : "") }),
                ("reason", "\(failure.reason)"),
                ("response", "\(failure.response)"),
                ("call", "\(failure.context)"),
            ])
        } catch {
            throw error
        }
    }
}
