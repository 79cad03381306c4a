import HikyakuBase

/// Counts how a response drifts, for the observers of its call; a call without observers has none.
final class DriftTally: Sendable {
    /// The maximum number of path patterns that are counted separately.
    static let placesMax = 100

    fileprivate struct Place: Hashable {
        let kind: String
        let typeName: String
        let pointer: String?
    }

    fileprivate struct State: Sendable {
        /// In the order in which they were found.
        var drifts: [ResponseDrift] = []
        var indices: [Place: Int] = [:]
        var placesCount = 0
        var isOver = false

        mutating func add(_ count: Int, at place: Place) {
            guard !isOver else { return }
            if let index = indices[place] {
                drifts[index].count += count
            } else if place.pointer != nil, placesCount == placesMax {
                add(count, at: Place(kind: place.kind, typeName: place.typeName, pointer: nil))
            } else {
                if place.pointer != nil { placesCount += 1 }
                indices[place] = drifts.count
                drifts.append(
                    ResponseDrift(kind: place.kind, typeName: place.typeName, pointer: place.pointer, count: count)
                )
            }
        }
    }

    private let state = Lock(State())

    /// The same decoder, which also reports its drift here, if it is able to.
    func counting(_ decoder: any ResponseDecoder) -> any ResponseDecoder {
        guard var decoder = decoder as? HikyakuJSONDecoder else { return decoder }
        let onDrift = decoder.onDrift
        decoder.onDrift = { [self] drift in
            add(drift)
            onDrift?(drift)
        }
        return decoder
    }

    private func add(_ drift: JSONDrift) {
        // A drift that summarizes many has no path.
        let pointer = drift.byteOffset == nil ? nil : Self.pattern(of: drift.pointer)
        let place = Place(kind: drift.kind.rawValue, typeName: drift.typeName, pointer: pointer)
        state.withLock { $0.add(drift.count, at: place) }
    }

    /// Reports the counted drift, and accepts no more: an error keeps a decoder for later.
    func report(to observer: any EventObserver, exchange: UInt64, at instant: ContinuousClock.Instant) {
        let drifts = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.drifts
        }
        guard !drifts.isEmpty else { return }
        // A response that no transport received has no number yet.
        let exchange = exchange > 0 ? exchange : TransportEvent.makeExchange()
        for drift in drifts {
            observer.observe(TransportEvent(exchange: exchange, instant: instant, kind: .drifted(drift)))
        }
    }

    /// The pointer with `*` for each index.
    private static func pattern(of pointer: String) -> String {
        pointer.byteSplit(separator: "/", omittingEmptySubsequences: false)
            .map { !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) ? "*" : $0 }
            .joined(separator: "/")
    }
}

extension CallInformation {
    /// Sends the counted drift to an observer.
    func report(_ drift: DriftTally, to observer: (any EventObserver)?) {
        if let observer { drift.report(to: observer, exchange: recorder?.exchange ?? 0, at: clock.now) }
    }
}
