/// The stock of the signed-in user in the embedded service.
nonisolated final class StockedItems: Sendable {
    private let ids = Guarded<Set<String>>([])

    func add(_ id: String) {
        ids.withLock { _ = $0.insert(id) }
    }

    func contains(_ id: String) -> Bool {
        ids.withLock { $0.contains(id) }
    }
}
