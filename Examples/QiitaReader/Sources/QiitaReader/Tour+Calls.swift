import Hikyaku
import HikyakuBroadcast

// MARK: - Calls in flight

extension Tour {
    /// So many that the embedded service takes its time.
    private static let manyItems = 66

    func showProgress() async throws {
        output.heading("9. The progress of a call")
        let call = service.client.call(Qiita.Items(perPage: Self.manyItems))
        for await progress in call.progress { output.progress(progress) }
        output.line("Qiita.Items(perPage: \(Self.manyItems)) → \(try await call.value.count) items")
    }

    func showChain() async {
        output.heading("10. Chains of calls")
        output.line("From the newest item to its comments, each link on the main actor:")
        _ = await chain { Qiita.Comments(itemID: $0) }.result
        output.line("The same, to an item that isn't there:")
        _ = await chain { _ in Qiita.ItemByID(id: "00000000000000000000") }.result
    }

    /// Goes on from the newest item with a request that is made of its ID.
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
        output.heading("11. Calls that are cancelled by type and condition")
        let client = service.client
        let calls = (1...6).map { page in client.call(Qiita.Items(page: page, perPage: Self.manyItems)) }
        // All are on their way when the first bytes of each have come.
        for call in calls { for await _ in call.progress { break } }
        output.line("Six pages are on their way.")
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

// MARK: - Who hears of what

extension Tour {
    /// Fetches items, keeps one of them, and fetches that one again, while two subscribers listen.
    func showChanges() async throws {
        output.heading("12. Two subscribers that hear of a change")
        guard service.embedded != nil else {
            return output.line("Left out: it would change what the real service keeps for you.")
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

        output.line("Two items were fetched, one was put in stock and fetched again.")
        output.line("hub.updates(of: Item.self) has heard of")
        for await update in all.prefix(4) { output.update(update) }
        output.line("hub.updates(of: Item.self, id: \"\(item.id)\") of")
        for await update in one.prefix(3) { output.update(update) }
    }
}
