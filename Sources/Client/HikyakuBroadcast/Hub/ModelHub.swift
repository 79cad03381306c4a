public import Hikyaku
public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Publishes new states of models to all subscribers, whichever call or screen they come from.
///
/// ```swift
/// let hub = ModelHub()
/// let client = APIClient().publishing(to: hub)
///
/// for await update in hub.updates(of: Dish.self, id: 1, .latest) { show(update.value) }
/// ```
/// A client that publishes to it sends it every ``HubModel`` in a response, whatever the definition: a single model, in
/// an array or a page, or as a part of a combination. So a screen that changes a model doesn't need to know the others.
///
/// The response of an older exchange doesn't replace that of a newer one, nor a change that was confirmed after the
/// exchange started: see ``HubChange``. For changes this also applies to models whose last state was evicted.
///
/// It keeps the last state of a limited number of models of all types, and beyond that nothing about models without
/// subscribers. All subscribers get the changes in the same order.
public final class ModelHub: Sendable {
    private let state: Lock<HubState>
    private let now: @Sendable () -> Date

    /// Creates an empty hub.
    ///
    /// - Parameters:
    ///   - valuesMax: The number of models whose last state is kept for ``value(of:id:)`` and for subscribers that
    ///     begin with the latest; the least recently used ones are evicted first. Below 1, none is kept.
    ///   - now: The time for updates.
    public init(valuesMax: Int = 1_000, now: @escaping @Sendable () -> Date = { Date() }) {
        state = Lock(HubState(valuesMax: valuesMax, confirmationsMax: Self.confirmationsMax))
        self.now = now
    }

    /// Creates one that keeps this number of confirmed changes, at least one.
    init(valuesMax: Int, confirmationsMax: Int) {
        state = Lock(HubState(valuesMax: valuesMax, confirmationsMax: confirmationsMax))
        now = { Date() }
    }

    /// More than are confirmed during one exchange.
    private static let confirmationsMax = 1_024

    /// The updates of all models of a type, from now on.
    ///
    /// The subscriber is removed with the stream, or when the task that iterates is cancelled. The stream doesn't keep
    /// the hub alive, and ends when the hub is released.
    ///
    /// - Parameters:
    ///   - type: The type; models of a subclass or a wrapper have another type.
    ///   - policy: The overflow policy; one that begins with the latest begins with the update that was published last,
    ///     if the hub still has it.
    /// - Returns: The updates, in the order in which they were published.
    public func updates<Model: HubModel>(
        of type: Model.Type,
        _ policy: BroadcastPolicy = .standard,
    ) -> BroadcastStream<HubUpdate<Model>> {
        updates(of: type, \.all, policy) { $0.lastUpdate }
    }

    /// The updates of one model, from now on.
    ///
    /// - Parameters:
    ///   - type: The model's type.
    ///   - id: The model's ID.
    ///   - policy: The overflow policy; one that begins with the latest begins with ``value(of:id:)``, if there is one.
    /// - Returns: The updates, in the order in which they were published.
    public func updates<Model: HubModel>(
        of type: Model.Type,
        id: Model.ID,
        _ policy: BroadcastPolicy = .standard,
    ) -> BroadcastStream<HubUpdate<Model>> {
        updates(of: type, \.byID[id], policy) { $0.entries[id]?.update }
    }

    /// The last update of a model; `nil` if there was none, or it was evicted.
    public func value<Model: HubModel>(of type: Model.Type, id: Model.ID) -> HubUpdate<Model>? {
        state.withLock { $0.value(of: id) }
    }

    /// Publishes the models in a content to all subscribers; they overtake their pending changes.
    ///
    /// It is for states that the app knows to be current. Responses of a client that publishes to the hub overtake no
    /// change.
    ///
    /// - Parameters:
    ///   - content: A model, an array, a page, or anything else that contains models.
    ///   - source: The source of the models.
    public func publish(_ content: some HubContent, source: ResponseSource = .local) {
        let batch = HubBatch()
        content.addModels(to: batch)
        publish(batch, source)
    }
}

extension ModelHub: Redacted {
    /// The number of watched types and single models; the kept models may contain secrets.
    public var description: String { "ModelHub with \(watchedCount) watched" }
}

extension ModelHub: ResultObserver {
    /// The moment of an exchange: later than all earlier exchanges and changes.
    package func exchangeWillStart() -> Int { state.withLock { $0.makeMoment() } }

    /// Publishes the models of a response's result.
    package func resultReceived<Shape: ResponseDefinition>(
        _ result: Shape.Result,
        of shape: Shape.Type,
        from source: ResponseSource,
        token: Int?,
    ) {
        let batch = HubBatch()
        Shape._forEachPart(of: result) { batch.addPart($0) }
        publish(batch, source, moment: token)
    }
}

extension ModelHub {
    /// The number of watched types and single models.
    package var watchedCount: Int { state.withLock { $0.watchedCount } }

    private func publish(_ batch: HubBatch, _ source: ResponseSource, moment: Int? = nil) {
        guard !batch.isEmpty else { return }
        for group in batch.groups { group.prepare() }
        let date = now()
        let outcomes = state.withLock { state in
            batch.groups.map { $0.publish(to: &state, source, date, moment: moment) }
        }
        for settle in outcomes { settle() }
    }

    /// Begins a change: publishes it at once.
    func begin<Model: HubModel>(_ model: Model, _ id: Model.ID, before: Model?) -> Int {
        let date = now()
        let update = HubUpdate(value: model, source: .local, date: date)
        let before = before.map { HubUpdate(value: $0, source: .local, date: date) }
        let (number, outcome) = state.withLock { $0.change(update, id, before: before) }
        outcome.settle()
        return number
    }

    func rollBack<Model: HubModel>(_ number: Int, of id: Model.ID, _ type: Model.Type) {
        state.withLock { $0.rollBack(number, of: id, type) }.settle()
    }

    /// Confirms a change, as the given model if there is one.
    func confirm<Model: HubModel>(_ number: Int, of id: Model.ID, as model: Model?, _ source: ResponseSource) {
        let response = model.map { HubUpdate(value: $0, source: source, date: now()) }
        state.withLock { $0.confirm(number, of: id, as: response) }.settle()
    }

    /// Where a shelf has the broadcast of all models, or of one.
    private typealias Slot<Model: HubModel> =
        any ReferenceWritableKeyPath<HubShelf<Model>, Broadcast<HubUpdate<Model>>?> & Sendable

    private func updates<Model: HubModel>(
        of type: Model.Type,
        _ slot: Slot<Model>,
        _ policy: BroadcastPolicy,
        latest: (HubShelf<Model>) -> HubUpdate<Model>?,
    ) -> BroadcastStream<HubUpdate<Model>> {
        state.withLock { state in
            let shelf = state.shelf(of: type)
            let broadcast = shelf[keyPath: slot] ?? Broadcast { [weak self] in self?.forgetUnwatched(type, slot) }
            shelf[keyPath: slot] = broadcast
            return broadcast.subscribe(policy, orKnown: latest(shelf))
        }
    }

    private func forgetUnwatched<Model: HubModel>(_ type: Model.Type, _ slot: Slot<Model>) {
        // Values that are removed with it are released after unlocking.
        _ = state.withLock { state -> Broadcast<HubUpdate<Model>>? in
            let shelf = state.shelf(of: type)
            guard let broadcast = shelf[keyPath: slot], broadcast.subscriberCount == 0 else { return nil }
            shelf[keyPath: slot] = nil
            return broadcast
        }
    }
}

/// An update of a model: its new state, its source, and the time.
///
/// ```swift
/// for await update in hub.updates(of: Dish.self, id: 1) where update.source != .local {
///     show(update.value, update.date)       // what the service has sent
/// }
/// ```
public struct HubUpdate<Model: Sendable>: Sendable {
    /// The current state of the model.
    public let value: Model
    /// The source: `ResponseSource.network`, `.local` and so on.
    public let source: ResponseSource
    /// When the hub was updated; of two simultaneous updates, the later one may have the earlier date.
    public let date: Date

    /// Creates an update, for tests and previews.
    public init(value: Model, source: ResponseSource = .local, date: Date) {
        self.value = value
        self.source = source
        self.date = date
    }
}

extension HubUpdate: Equatable where Model: Equatable {}
extension HubUpdate: Hashable where Model: Hashable {}

extension HubUpdate: CustomStringConvertible, CustomReflectable {
    /// The model's type and the source; the model may contain secrets.
    public var description: String { "a \(Model.self) from \(source)" }

    /// The source and the date, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["update": description, "date": date]) }
}

extension APIClient {
    /// A client that publishes every ``HubModel`` in its responses to a hub, whatever the definition.
    ///
    /// ```swift
    /// let client = APIClient().publishing(to: hub)
    /// ```
    /// The models are published before the call returns, with the `APIResponse.source` of the response; a failed call
    /// publishes nothing. A call that returns the fallback of its request has failed: its value is for its caller only,
    /// since it may be older than what other screens show. A second hub replaces the first.
    ///
    /// - Parameter hub: The hub.
    /// - Returns: The client that publishes.
    public func publishing(to hub: ModelHub) -> APIClient {
        reportingResults(to: hub)
    }
}
