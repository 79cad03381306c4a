#if os(Linux)
/// The exchanges that the loop looks after at the end of its round, whatever number of callbacks put them here.
///
/// The loop's driver alone touches it.
final class LoopAgenda {
    private var exchanges: [Exchange] = []

    func add(_ exchange: Exchange) {
        guard !exchange.isOnAgenda else { return }
        exchange.isOnAgenda = true
        exchanges.append(exchange)
    }

    func next() -> Exchange? {
        guard let exchange = exchanges.popLast() else { return nil }
        exchange.isOnAgenda = false
        return exchange
    }
}
#endif
