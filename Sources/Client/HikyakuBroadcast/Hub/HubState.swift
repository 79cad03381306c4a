import Hikyaku

/// The whole state of a hub, protected by one lock, so that every subscriber gets the changes in the same order.
///
/// For each model there is a base, the newest known state of the service, and above it the pending changes in the order
/// in which they began. Subscribers see the newest pending change, or the base. Four things happen to a model:
/// - A change begins: it is published.
/// - A response is received: it becomes the base, unless the base is newer. It is published if no change is pending.
/// - A change is confirmed: it becomes the base, and the changes below it are settled with it. It is unknown whether an
///   exchange from before the confirmation reached the service before the change did, so its response is ignored.
/// - A change is rejected: it is removed, and the base is unchanged.
///
/// Moments order the events: they count exchanges, changes and confirmations. The moment of a response is that of the
/// start of its exchange: the response is the service's state then or later.
struct HubState {
    private var shelves: [ObjectIdentifier: any HubShelfKind] = [:]
    /// All entries of all types.
    private var recency: HubRecency
    private var confirmations: HubConfirmations
    private var lastMoment = 0

    init(valuesMax: Int, confirmationsMax: Int) {
        recency = HubRecency(countMax: valuesMax)
        confirmations = HubConfirmations(countMax: confirmationsMax)
    }

    /// The number of broadcasts.
    var watchedCount: Int { shelves.values.reduce(0) { $0 + $1.watchedCount } }

    /// A moment that is later than all earlier ones.
    mutating func makeMoment() -> Int {
        lastMoment += 1
        return lastMoment
    }

    private mutating func makeVersion<Model>(_ update: HubUpdate<Model>, moment: Int) -> HubVersion<Model> {
        HubVersion(update: update, moment: moment, number: makeMoment())
    }

    mutating func shelf<Model>(of type: Model.Type) -> HubShelf<Model> {
        if let shelf = shelves[ObjectIdentifier(type)] as? HubShelf<Model> { return shelf }
        let shelf = HubShelf<Model>()
        shelves[ObjectIdentifier(type)] = shelf
        return shelf
    }

    mutating func value<Model: HubModel>(of id: Model.ID) -> HubUpdate<Model>? {
        guard let entry = shelf(of: Model.self).entries[id] else { return nil }
        recency.touch(entry.place)
        return entry.update
    }
}

// MARK: - Publishing

extension HubState {
    /// Publishes updates of models: responses of an exchange with a moment, or, without one, models that overtake
    /// pending changes.
    mutating func publish<Model: HubModel>(
        _ updates: [HubUpdate<Model>],
        _ ids: [Model.ID],
        moment: Int?,
    ) -> HubTypeOutcome<Model> {
        let shelf = shelf(of: Model.self)
        var outcome = HubTypeOutcome<Model>()
        if let moment {
            receive(updates, ids, moment: moment, on: shelf, &outcome)
        } else {
            if !shelf.isSettled {
                for id in ids { shelf.overtake(id, &outcome) }
            }
            show(updates, ids, moment: nil, on: shelf, &outcome)
        }
        return outcome
    }

    /// Makes new states the base of their models, and publishes those without pending changes.
    private mutating func receive<Model: HubModel>(
        _ updates: [HubUpdate<Model>],
        _ ids: [Model.ID],
        moment: Int,
        on shelf: HubShelf<Model>,
        _ outcome: inout HubTypeOutcome<Model>,
    ) {
        // Usually no change is pending and nothing newer is known, for any of the models.
        if shelf.isSettled, moment >= shelf.newest {
            shelf.newest = moment
            return show(updates, ids, moment: moment, on: shelf, &outcome)
        }
        shelf.newest = max(shelf.newest, moment)
        var shown: [Int] = []
        for index in updates.indices where shelf.isNews(ids[index], moment: moment) {
            if shelf.hasChanges(of: ids[index]) {
                shelf.hold(makeVersion(updates[index], moment: moment), of: ids[index], &outcome)
            } else {
                shown.append(index)
            }
        }
        show(shown.map { updates[$0] }, shown.map { ids[$0] }, moment: moment, on: shelf, &outcome)
    }

    /// Stores updates and delivers them to all subscribers.
    private mutating func show<Model: HubModel>(
        _ updates: [HubUpdate<Model>],
        _ ids: [Model.ID],
        moment: Int?,
        on shelf: HubShelf<Model>,
        _ outcome: inout HubTypeOutcome<Model>,
    ) {
        let isAnyWatched = !shelf.byID.isEmpty
        // Iterating over two arrays as sequences is slow if their types aren't known.
        var index = 0
        while index < updates.count {
            keep(updates[index], ids[index], moment: moment, on: shelf, &outcome)
            if isAnyWatched, let one = shelf.byID[ids[index]] {
                outcome.add(one.offer(contentsOf: [updates[index]]))
            }
            index += 1
        }
        shelf.lastID = ids.last ?? shelf.lastID
        if let all = shelf.all { outcome.add(all.offer(contentsOf: updates)) }
    }

    private mutating func keep<Model: HubModel>(
        _ update: HubUpdate<Model>,
        _ id: Model.ID,
        moment: Int?,
        on shelf: HubShelf<Model>,
        _ outcome: inout HubTypeOutcome<Model>,
    ) {
        if let entry = shelf.entries[id] {
            outcome.keep(entry.update)
            entry.update = update
            entry.moment = moment ?? entry.moment
            return recency.touch(entry.place)
        }
        guard recency.countMax > 0 else { return }
        if let evicted = recency.evictIfFull() { outcome.keep(evicted) }
        let entry = HubEntry(id, update, moment: moment ?? 0, on: shelf)
        entry.place = recency.insert(entry)
        shelf.entries[id] = entry
    }
}

// MARK: - Changes

extension HubState {
    /// Adds a change above the current state; `before` is the state to roll back to if the hub doesn't know it.
    mutating func change<Model: HubModel>(
        _ update: HubUpdate<Model>,
        _ id: Model.ID,
        before: HubUpdate<Model>?,
    ) -> (number: Int, outcome: HubTypeOutcome<Model>) {
        let shelf = shelf(of: Model.self)
        var pending = shelf.pending[id] ?? HubPending(base: base(of: id, on: shelf, or: before))
        let version = makeVersion(update, moment: 0)
        pending.changes.append(version)
        shelf.pending[id] = pending
        var outcome = HubTypeOutcome<Model>()
        show([update], [id], moment: nil, on: shelf, &outcome)
        return (version.number, outcome)
    }

    /// The known state of a model without pending changes.
    private mutating func base<Model: HubModel>(
        of id: Model.ID,
        on shelf: HubShelf<Model>,
        or before: HubUpdate<Model>?,
    ) -> HubVersion<Model>? {
        let entry = shelf.entries[id]
        guard let update = entry?.update ?? before else { return nil }
        return makeVersion(update, moment: entry?.moment ?? 0)
    }

    /// Rolls a change back; the state below it is published if the change is the current state.
    mutating func rollBack<Model: HubModel>(
        _ number: Int,
        of id: Model.ID,
        _ type: Model.Type,
    ) -> HubTypeOutcome<Model> {
        let shelf = shelf(of: Model.self)
        var outcome = HubTypeOutcome<Model>()
        if var pending = shelf.pending[id], let index = pending.index(of: number) {
            let seen = pending.seen
            outcome.keep(pending)
            pending.changes.remove(at: index)
            replace(seen, by: pending, of: id, on: shelf, &outcome)
        } else {
            endOvertaken(id, on: shelf, &outcome) { $0 == number }
        }
        return outcome
    }

    /// Makes a change the base, and drops those below it; `response` is the service's current version of the model.
    mutating func confirm<Model: HubModel>(
        _ number: Int,
        of id: Model.ID,
        as response: HubUpdate<Model>?,
    ) -> HubTypeOutcome<Model> {
        let shelf = shelf(of: Model.self)
        var outcome = HubTypeOutcome<Model>()
        // The response of an exchange that started before the confirmation may lack the change.
        let moment = makeMoment()
        if var pending = shelf.pending[id], let index = pending.index(of: number) {
            let seen = pending.seen
            outcome.keep(pending)
            pending.base = pending.changes[index]
            pending.base?.moment = moment
            if let response { pending.base = makeVersion(response, moment: moment) }
            pending.changes.removeSubrange(...index)
            replace(seen, by: pending, of: id, on: shelf, &outcome)
        } else if shelf.isOvertaken(number, of: id) {
            shelf.entries[id]?.moment = moment
            shelf.pending[id]?.base?.moment = moment
        } else {
            return outcome
        }
        if let dropped = confirmations.note(moment, of: id, on: shelf) { outcome.keep(dropped) }
        shelf.dropWithheld(of: id, &outcome)
        endOvertaken(id, on: shelf, &outcome) { $0 <= number }
        return outcome
    }

    /// Ends overtaken changes of a model; after the last one, the withheld response is published.
    private mutating func endOvertaken<Model: HubModel>(
        _ id: Model.ID,
        on shelf: HubShelf<Model>,
        _ outcome: inout HubTypeOutcome<Model>,
        where isOver: (Int) -> Bool,
    ) {
        guard let withheld = shelf.endOvertaken(of: id, where: isOver) else { return }
        if shelf.pending[id] != nil {
            shelf.hold(withheld, of: id, &outcome)
        } else {
            show([withheld.update], [id], moment: withheld.moment, on: shelf, &outcome)
        }
    }

    /// Stores a model's remaining changes, and publishes the current state unless it was already published.
    private mutating func replace<Model: HubModel>(
        _ before: HubVersion<Model>?,
        by pending: HubPending<Model>,
        of id: Model.ID,
        on shelf: HubShelf<Model>,
        _ outcome: inout HubTypeOutcome<Model>,
    ) {
        shelf.pending[id] = pending.changes.isEmpty ? nil : pending
        if let seen = pending.seen {
            if seen.number != before?.number { show([seen.update], [id], moment: nil, on: shelf, &outcome) }
        } else if let entry = shelf.entries.removeValue(forKey: id) {
            recency.remove(entry.place)
            outcome.keep(entry)
        }
        guard pending.changes.isEmpty, let base = pending.base else { return }
        if let entry = shelf.entries[id] {
            entry.moment = base.moment
        } else if base.moment > shelf.confirmations[id]?.moment ?? 0,
            let dropped = confirmations.note(base.moment, of: id, on: shelf)
        {
            // Without a kept state, the age of the response that was rolled back to is unknown.
            outcome.keep(dropped)
        }
    }
}
