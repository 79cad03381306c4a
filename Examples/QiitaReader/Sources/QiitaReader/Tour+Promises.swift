import Hikyaku

// MARK: - Without the service, and in a hurry

extension Tour {
    /// Replaces the service for one type of request, and lets all others fail before anything is sent.
    func showStubs() async throws {
        output.heading("19. Stubs in place of the service")
        let stubbed = service.client.stubbing(Qiita.Items.self) { _ in [] }.stubbingOnly
        let items = try await stubbed.send(Qiita.Items(perPage: 3))
        output.line("Qiita.Items(perPage: 3), answered by a closure: \(items.count) items")
        do {
            let item = try await stubbed.send(Qiita.ItemByID(id: "1"))
            output.line("Unexpected: the item \(item.title).")
        } catch {
            output.line("Qiita.ItemByID(id: \"1\") → \(error.reason), and nothing was sent")
            output.fields([("hint", error.hint)])
        }
    }

    /// Sends many small calls, one after another.
    func showSpeed() async throws {
        output.heading("20. A thousand calls, one at a time")
        guard service.embedded != nil else {
            return output.line("Left out: the real service would have to answer them.")
        }
        guard let id = try await service.client.send(Qiita.Items(perPage: 1)).first?.id else { return }
        let start = ContinuousClock.now
        for _ in 0..<1_000 { _ = try await service.client.send(Qiita.ItemByID(id: id)) }
        output.line("Qiita.ItemByID(id: …) → Item, 1,000 times: \(start.duration(to: .now).rounded)")
        output.line("This build isn't optimized, and the server is in the same process: see scripts/bench.")
    }

    /// Says where each promise of the README was kept, and what to read next.
    func showEnd() {
        output.heading("What you have seen")
        output.fields([
            ("errors say what to do", "3, 4 and 7"),
            ("networks do no harm", "13 to 16"),
            ("it is fast", "20"),
            ("parts are replaced", "19, and the service itself: a MockServer"),
            ("the rest", "typed calls (1, 2, 5, 6, 8), calls in flight (9 to 12), lists (17), generated code (18)"),
        ])
    }
}

extension Duration {
    /// In milliseconds.
    fileprivate var rounded: String { "\(Int(self / .milliseconds(1))) ms" }
}
