public import Hikyaku
import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Tells everybody who shows a model of its new states, whichever call or screen they come from.
///
/// ```swift
/// let hub = ModelHub()
/// let client = APIClient().publishing(to: hub)
///
/// for await update in hub.updates(of: Dish.self, id: 1, .latest) { show(update.value) }
/// ```
/// A client that publishes to it tells it of every ``HubModel`` in a response, in whatever shape it comes: by itself,
/// in an array or a page, as a part of a combination. So no screen that changes something has to know the others.
///
/// An answer to an older question doesn't replace the answer to a newer one, nor a change that was confirmed after it
/// was asked: see ``HubChange``. Of models whose last state the hub keeps no more, it still knows that for changes.
///
/// It keeps the last state of so many models, of all types together, as it was made for, and nothing for those whom
/// nobody watches beyond that. All subscribers hear of changes in one order.
public final class ModelHub: Sendable {
    private let state: Lock<HubState>
    private let now: @Sendable () -> Date

    /// Makes a hub that knows nothing.
    ///
    /// - Parameters:
    ///   - valuesMax: How many models' last states are kept for ``value(of:id:)`` and those who begin with the latest;
    ///     what was touched longest ago goes first. Below 1, none is kept.
    ///   - now: The time, as updates have it.
    public init(valuesMax: Int = 1_000, now: @escaping @Sendable () -> Date = { Date() }) {
        state = Lock(HubState(valuesMax: valuesMax, confirmationsMax: Self.confirmationsMax))
        self.now = now
    }

    /// Makes one that remembers so many confirmed changes, at least one.
    init(valuesMax: Int, confirmationsMax: Int) {
        state = Lock(HubState(valuesMax: valuesMax, confirmationsMax: confirmationsMax))
        now = { Date() }
    }

    /// More than are confirmed while one question is on its way.
    private static let confirmationsMax = 1_024

    /// The updates of all models of a type, from now on.
    ///
    /// The subscriber is forgotten with the stream, or when the task that iterates is cancelled; the stream ends with
    /// the hub, which it doesn't keep.
    ///
    /// - Parameters:
    ///   - type: The type; a subclass' or a wrapper's models are of another.
    ///   - policy: How much waits while nobody reads; one that begins with the latest begins with the update that was
    ///     published last, if the hub still has it.
    /// - Returns: The updates, in the order in which they were published.
    public func updates<Model: HubModel>(
        of type: Model.Type,
        _ policy: BroadcastPolicy = .standard,
    ) -> BroadcastStream<HubUpdate<Model>> {
        state.withLock { state in
            let shelf = state.shelf(of: type)
            let broadcast = shelf.all ?? Broadcast { [weak self] in self?.forgetUnwatched(type) }
            shelf.all = broadcast
            return broadcast.subscribe(policy, orKnown: shelf.lastUpdate)
        }
    }

    /// The updates of one model, from now on.
    ///
    /// - Parameters:
    ///   - type: The model's type.
    ///   - id: Which one.
    ///   - policy: How much waits while nobody reads; one that begins with the latest begins with ``value(of:id:)``,
    ///     where there is one.
    /// - Returns: The updates, in the order in which they were published.
    public func updates<Model: HubModel>(
        of type: Model.Type,
        id: Model.ID,
        _ policy: BroadcastPolicy = .standard,
    ) -> BroadcastStream<HubUpdate<Model>> {
        state.withLock { state in
            let shelf = state.shelf(of: type)
            let broadcast = shelf.byID[id] ?? Broadcast { [weak self] in self?.forgetUnwatched(type, id) }
            shelf.byID[id] = broadcast
            return broadcast.subscribe(policy, orKnown: shelf.entries[id]?.update)
        }
    }

    /// The last update of a model; `nil` where there was none, or so many others were touched since that it is
    /// forgotten.
    public func value<Model: HubModel>(of type: Model.Type, id: Model.ID) -> HubUpdate<Model>? {
        state.withLock { $0.value(of: id) }
    }

    /// Tells all who watch of the models in a content, which overtake pending changes of theirs.
    ///
    /// It is for what the app knows to hold from now on. What a client that publishes to the hub reads overtakes no
    /// change.
    ///
    /// - Parameters:
    ///   - content: A model, an array, a page, or anything else that has models.
    ///   - source: Where it comes from.
    public func publish(_ content: some HubContent, source: ResponseSource = .local) {
        let batch = HubBatch()
        content.addModels(to: batch)
        publish(batch, source)
    }
}

extension ModelHub: CustomStringConvertible, CustomReflectable {
    /// How many types and single models are watched; what the hub keeps may hold secrets.
    public var description: String { "ModelHub with \(watchedCount) watched" }

    /// How much is watched, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["watched": watchedCount]) }
}

extension ModelHub: ResultObserver {
    /// The moment of a question: later than all questions and changes before.
    package func exchangeBegins() -> Int { state.withLock { $0.makeMoment() } }

    /// Publishes the models of a response's result.
    package func resultCame<Shape: ResponseDefinition>(
        _ result: Shape.Result,
        of shape: Shape.Type,
        from source: ResponseSource,
        token: Int?,
    ) {
        let batch = HubBatch()
        Shape.forEachPart(of: result) { batch.addPart($0) }
        publish(batch, source, asked: token)
    }
}

extension ModelHub {
    /// How many types and single models are watched.
    package var watchedCount: Int { state.withLock { $0.watchedCount } }

    private func publish(_ batch: HubBatch, _ source: ResponseSource, asked: Int? = nil) {
        guard !batch.isEmpty else { return }
        for group in batch.groups { group.prepare() }
        let date = now()
        let outcomes = state.withLock { state in
            batch.groups.map { $0.publish(to: &state, source, date, asked: asked) }
        }
        for outcome in outcomes { outcome.settle() }
    }

    /// What a change of the hub does: publishes it at once.
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

    /// Confirms a change, as the model where one is given.
    func confirm<Model: HubModel>(_ number: Int, of id: Model.ID, as model: Model?, _ source: ResponseSource) {
        let answer = model.map { HubUpdate(value: $0, source: source, date: now()) }
        state.withLock { $0.confirm(number, of: id, as: answer) }.settle()
    }

    private func forgetUnwatched<Model: HubModel>(_ type: Model.Type) {
        // What goes with it goes after unlocking.
        _ = state.withLock { state -> Broadcast<HubUpdate<Model>>? in
            let shelf = state.shelf(of: type)
            guard let all = shelf.all, all.subscriberCount == 0 else { return nil }
            shelf.all = nil
            return all
        }
    }

    private func forgetUnwatched<Model: HubModel>(_ type: Model.Type, _ id: Model.ID) {
        _ = state.withLock { state -> Broadcast<HubUpdate<Model>>? in
            let shelf = state.shelf(of: type)
            guard let one = shelf.byID[id], one.subscriberCount == 0 else { return nil }
            return shelf.byID.removeValue(forKey: id)
        }
    }
}

/// What a hub tells of a model: its new state, where it came from, and when.
public struct HubUpdate<Model: Sendable>: Sendable {
    /// The model as it is now.
    public let value: Model
    /// Where it came from: `ResponseSource.network`, `.local` and so on.
    public let source: ResponseSource
    /// When the hub was told; of two who tell it at the same moment, the later one may have the earlier date.
    public let date: Date

    /// Makes an update, for tests and previews.
    public init(value: Model, source: ResponseSource = .local, date: Date) {
        self.value = value
        self.source = source
        self.date = date
    }
}

extension HubUpdate: Equatable where Model: Equatable {}
extension HubUpdate: Hashable where Model: Hashable {}

extension HubUpdate: CustomStringConvertible, CustomReflectable {
    /// The model's type and the source; the model may hold secrets.
    public var description: String { "a \(Model.self) from \(source)" }

    /// The source and the date, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["update": description, "date": date]) }
}

extension APIClient {
    /// A client that tells a hub of every ``HubModel`` that its responses bring, in whatever shape.
    ///
    /// ```swift
    /// let client = APIClient().publishing(to: hub)
    /// ```
    /// Published before the call returns, with the `APIResponse.source` of the response; what a call throws publishes
    /// nothing. A second hub takes the place of the first.
    ///
    /// - Parameter hub: Who is told.
    /// - Returns: The client that publishes.
    public func publishing(to hub: ModelHub) -> APIClient {
        telling(hub)
    }
}
