import Hikyaku
import HikyakuBroadcast

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// MARK: - Calls in flight

extension Tour {
    /// For this number of items the embedded service takes a second.
    private static let manyItems = 66

    func showProgress() async throws {
        output.heading("9. The progress of a call")
        let call = service.client.call(Qiita.Items(perPage: Self.manyItems))
        for await progress in call.progress { output.progress(progress) }
        output.line("Qiita.Items(perPage: \(Self.manyItems)) → \(try await call.value.count) items")
    }

    func showChain() async {
        output.heading("10. Chains of calls")
        output.line("From the newest item to its comments, each step on the main actor:")
        _ = await chain { Qiita.Comments(itemID: $0) }.result
        output.line("The same with an item that doesn't exist:")
        _ = await chain { _ in Qiita.ItemByID(id: "00000000000000000000") }.result
    }

    /// Continues from the newest item with a request that contains its ID.
    private func chain<R: Qiita.Request>(
        _ next: @escaping @MainActor @Sendable (String) -> R
    ) -> APICall<R.Response, APIError<QiitaError>> where R.Access == Public {
        let (client, output) = (service.client, output)
        return client.call(Qiita.Items(perPage: 1))
            .progress { output.line("  .progress  \($0)") }
            .then { items in
                output.line("  .then      \(R.self)")
                return client.call(next(items.first?.id ?? ""))
            }
            .success { _ in output.line("  .success   \(R.Response.self)") }
            .failure { error in output.line("  .failure   \(error.localizedDescription)") }
            .finally { output.line("  .finally") }
    }

    func showCancelling() async {
        output.heading("11. Cancelling calls by type and condition")
        let client = service.client
        let calls = (1...6).map { page in client.call(Qiita.Items(page: page, perPage: Self.manyItems)) }
        // All calls are in flight when the first bytes of each were received.
        for call in calls { for await _ in call.progress { break } }
        output.line("Six pages are in flight.")
        let count = client.cancelAll(Qiita.Items.self) { $0.page > 3 }
        output.line("client.cancelAll(Qiita.Items.self) { $0.page > 3 } → \(count)")
        for (index, call) in calls.enumerated() {
            let outcome =
                switch await call.result {
                case .success(let items): "\(items.count) items"
                case .failure(let error) where error.isCancelled: "cancelled"
                case .failure(let error): error.localizedDescription
                }
            output.line("  page \(index + 1)  \(outcome)")
        }
    }
}

// MARK: - A service that fails

extension Tour {
    /// Sends a call while the service fails, and shows what the client did about it, and when.
    func showSurvival() async throws {
        output.heading("13. A call that survives a failing service")
        guard let embedded = service.embedded else {
            return output.line("Left out: only the embedded service can be made to fail.")
        }
        embedded.failTwice()
        let response = try await service.client.bind(Qiita.Items(perPage: 1)).response()
        output.line("The service responded with 503, then broke a response off, and then worked:")
        output.line("Qiita.Items(perPage: 1) → \(response.value.count) item")
        output.line("response.explanation says what was sent, and when each attempt began and ended:")
        let tree = response.explanation.map { "\($0)" } ?? ""
        output.lines(tree.split(separator: "\n").map(String.init), indent: 2)
    }
}

// MARK: - Event streams

extension Tour {
    /// Follows an event stream whose first connection is lost, and shows when the client connects again.
    func showEvents() async throws {
        output.heading("15. An event stream through a dropped connection")
        guard service.embedded != nil else {
            return output.line("Left out: the real service has no event stream.")
        }
        let output = output
        let client = service.client.observing { event in
            guard case .reconnecting(let reason, _) = event.kind else { return }
            output.line("  \(reason.map { "the connection was lost: \($0)" } ?? "the service closed the stream")")
        }
        output.line("client.bind(Qiita.NewItems()).eventStream():")
        var events = client.bind(Qiita.NewItems()).eventStream().makeAsyncIterator()
        while let item = try await events.next() { output.line("  event \(events.lastEventID)  \(item.title)") }
        output.line("The service ended it with 204. Each item came once: Last-Event-ID names the last one received.")
    }
}

// MARK: - Lists

extension Tour {
    /// Reads some pages of a list, and continues later from the position of the next one.
    func showWalk() async throws {
        output.heading("17. A list, walked page by page")
        let (client, list) = (service.client, Qiita.Items(perPage: 5))
        var saved: PageCursor?
        output.line("client.bind(Qiita.Items(perPage: 5)).pages().prefetching(1) gives, as far as it is read:")
        for try await page in client.bind(list).pages().prefetching(1).prefix(3) {
            let next = page.next.map { "\($0)" } ?? "nothing"
            output.line("  page \(page.number)  \(page.items.count) items, then \(next)")
            saved = page.next
        }
        guard let saved else { return }
        let json = String(decoding: try JSONEncoder().encode(saved), as: UTF8.self)
        output.line("The next position can be saved: \(json.replacing(#"\/"#, with: "/"))")
        output.line("items(from:) continues there, without the items that came before:")
        for try await item in client.bind(list).items(from: saved).droppingRepeats().prefix(2) {
            output.line("  \(item.title)")
        }
    }
}

// MARK: - Changes and subscribers

extension Tour {
    /// Fetches items, adds one of them to the stock, and fetches that one again, with two subscribers.
    func showChanges() async throws {
        output.heading("12. Two subscribers that receive a change")
        guard service.embedded != nil else {
            return output.line("Left out: it would change your stock at the real service.")
        }
        let hub = ModelHub()
        let client = service.client(authorizedBy: EmbeddedService.token).publishing(to: hub)
        guard let item = try await client.send(Qiita.Items(perPage: 1)).first else { return }
        let all = hub.updates(of: Item.self)
        let one = hub.updates(of: Item.self, id: item.id)

        _ = try await client.send(Qiita.Items(perPage: 2))
        var kept = item
        kept.stocksCount += 1
        try await hub.change(kept, from: item) { try await client.send(Qiita.Stock(id: item.id)) }
        _ = try await client.send(Qiita.ItemByID(id: item.id))

        output.line("Two items were fetched. One was added to the stock and fetched again.")
        output.line("hub.updates(of: Item.self) received")
        for await update in all.prefix(4) { output.update(update) }
        output.line("hub.updates(of: Item.self, id: \"\(item.id)\") received")
        for await update in one.prefix(3) { output.update(update) }
    }
}
