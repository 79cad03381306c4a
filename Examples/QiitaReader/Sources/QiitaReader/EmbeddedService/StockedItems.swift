/// The items that the token's owner keeps, as the embedded service was told.
nonisolated final class StockedItems: Sendable {
    private let ids = Guarded<Set<String>>([])

    func add(_ id: String) {
        ids.withLock { _ = $0.insert(id) }
    }

    func contains(_ id: String) -> Bool {
        ids.withLock { $0.contains(id) }
    }
}
