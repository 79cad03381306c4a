public import Hikyaku
import HikyakuBase
public import Observation

/// The state of one request for a screen: its value, its error, and whether it is loading.
///
/// ```swift
/// @MainActor final class MenuModel {
///     let dishes: Observed<Shop.Dishes>
///     init(client: APIClient<Public>) { dishes = Observed(client.bind(Shop.Dishes())) }
/// }
/// // a view:  .task { await model.dishes.load() }  .refreshable { await model.dishes.refresh() }
/// ```
/// SwiftUI, and everything else that tracks observation, sees changes of each property that it reads, on the main
/// actor.
///
/// At most one call is in flight. It continues when the task that started it is cancelled, since a screen's tasks are
/// short-lived. It ends when the object is released: a task that waits for it keeps the object only while it waits.
@MainActor
@Observable
public final class Observed<R: APIRequest> {
    /// The last received value with the edits since; it is kept when a later call fails.
    public private(set) var value: R.Response?
    /// Whether a value was received: an empty list is one, also before anything is shown.
    public var isLoaded: Bool { value != nil }
    /// Why the last call failed; `nil` after a success.
    ///
    /// A cancellation changes nothing: it is not an error.
    public var error: APIError<R.Failure>? { call.error }
    /// Whether a call is in flight.
    public var isLoading: Bool { call.isLoading }

    @ObservationIgnored private let makeRequest: @MainActor () -> BoundRequest<R>
    /// Whether each call may have another request.
    @ObservationIgnored private let isMadeAnew: Bool
    @ObservationIgnored private let call = ObservedCall<R.Failure>()
    /// The value without the edits that are being sent.
    @ObservationIgnored private var received: R.Response?
    /// The edits that are being sent, in order.
    @ObservationIgnored private var edits: [(number: Int, change: @MainActor (inout R.Response) -> Void)] = []
    @ObservationIgnored private var editCount = 0

    /// Observes a request; nothing is sent yet.
    public init(_ request: BoundRequest<R>) {
        makeRequest = { request }
        isMadeAnew = false
    }

    /// Observes a request that is created again for each call, for example for a search term; nothing is sent yet.
    ///
    /// - Parameter makeRequest: Returns the request to send now. The closure lives as long as the object: if it
    ///   captures the object, it must do so weakly.
    public init(_ makeRequest: @escaping @MainActor () -> BoundRequest<R>) {
        self.makeRequest = makeRequest
        isMadeAnew = true
    }

    /// Loads the value unless there is one, or waits for the call in flight.
    public func load() async {
        guard !isLoaded else { return }
        if !call.isRunning { begin() }
        await call.wait()
    }

    /// Loads the value again, or waits for the call in flight: there is never a second one at the same time.
    ///
    /// If the request is created again for each call, one in flight is replaced once nobody waits for it any more. So
    /// a view that searches shows no result for an earlier text:
    /// ```swift
    /// @MainActor final class SearchModel {
    ///     var text = ""
    ///     private(set) lazy var results = Observed { [unowned self] in client.bind(Shop.Search(text: text)) }
    /// }
    /// // a view:  .task(id: model.text) { await model.results.refresh() }
    /// ```
    /// To send another request instead of one that a task waits for, call ``cancel()`` first. Returns when the call has
    /// ended, or at once when the waiting task is cancelled, while the call continues.
    public func refresh() async {
        if !call.isRunning || isMadeAnew && call.isAbandoned { begin() }
        await call.wait()
    }

    /// Cancels the call in flight; value and error are kept.
    public func cancel() {
        call.cancel()
    }

    private func begin() {
        let request = makeRequest()
        call.start { () async throws(APIError<R.Failure>) in
            try await request.send()
        } succeed: { [weak self] value in
            self?.receive(value)
            return nil
        }
    }

    // MARK: Edits

    /// Changes the value now, for example by what another screen has learned.
    ///
    /// - Parameter change: Changes the value. It is not called if there is none.
    public func edit(_ change: @MainActor (inout R.Response) -> Void) {
        guard var value = received else { return }
        change(&value)
        received = value
        show()
    }

    /// Changes the value at once, sends the change to the service, and takes the change back if that fails.
    ///
    /// ```swift
    /// let dish = Observed(client.bind(Shop.DishByID(id: 1)))
    /// try await dish.edit { $0.isLiked = true } sending: { try await client.send(Shop.Like(id: 1)) }
    /// ```
    /// Other edits stay, and a value that is received meanwhile gets the change as well, so that the screen doesn't
    /// flicker.
    ///
    /// - Parameters:
    ///   - change: Changes the value. It is called again for each value that is shown until `send` has ended, so it
    ///     should set what the service will have, not count. It is not called while there is no value.
    ///   - send: Sends the change to the service.
    /// - Returns: What `send` returns.
    /// - Throws: The error of `send`, after the change was taken back.
    @discardableResult
    public func edit<Output, Failure: Error>(
        _ change: @escaping @MainActor (inout R.Response) -> Void,
        sending send: @MainActor () async throws(Failure) -> Output,
    ) async throws(Failure) -> Output {
        editCount += 1
        let number = editCount
        edits.append((number, change))
        show()
        do throws(Failure) {
            let output = try await send()
            edits.removeAll { $0.number == number }
            edit(change)
            return output
        } catch {
            edits.removeAll { $0.number == number }
            show()
            throw error
        }
    }

    private func receive(_ value: R.Response) {
        received = value
        show()
    }

    /// Shows what was received, with the edits that are being sent.
    private func show() {
        guard var value = received else { return }
        for edit in edits { edit.change(&value) }
        self.value = value
    }
}

/// The call in flight of an observed model: at most one, which ends when the model is released.
@MainActor
@Observable
final class ObservedCall<Failure: ServiceFailure> {
    /// Why the last call failed; kept by a call that is cancelled.
    private(set) var error: APIError<Failure>?
    private(set) var isLoading = false

    @ObservationIgnored private var task: Task<Void, Never>?
    /// The number of the last call; the result of an earlier one is dropped.
    @ObservationIgnored private var number = 0
    @ObservationIgnored private var waiters = Waiters()

    deinit {
        task?.cancel()
    }

    var isRunning: Bool { task != nil }

    /// Whether all who waited for the call in flight were cancelled.
    var isAbandoned: Bool { isRunning && waiters.haveLeft }

    /// Makes a call instead of the one in flight.
    ///
    /// - Parameters:
    ///   - send: Makes the call.
    ///   - succeed: Called with what it returns, unless another call has replaced this one, or ``cancel()`` has ended
    ///     it. It returns the error if the value can't be used, and must not keep the model alive.
    func start<Value: Sendable>(
        _ send: @escaping @Sendable () async throws(APIError<Failure>) -> Value,
        succeed: @escaping @MainActor (Value) -> APIError<Failure>?,
    ) {
        end()
        let number = number
        waiters = Waiters()
        task = Task { [weak self] in
            let outcome: Result<Value, APIError<Failure>>
            do throws(APIError<Failure>) {
                outcome = .success(try await send())
            } catch {
                outcome = .failure(error)
            }
            guard let self, self.number == number else { return }
            task = nil
            switch outcome {
            case .success(let value): error = succeed(value)
            case .failure(let error): if !error.isCancelled { self.error = error }
            }
            isLoading = false
        }
        isLoading = true
    }

    func cancel() {
        guard isRunning else { return }
        end()
        isLoading = false
    }

    private func end() {
        task?.cancel()
        task = nil
        number += 1
    }

    /// Waits until the call in flight has ended, or the caller is cancelled; then the call continues.
    func wait() async {
        guard let task else { return }
        let leave = waiters.enter()
        await withTaskCancellationHandler {
            try? await Race<Void>().run { await task.value }
        } onCancel: {
            // At once: another task may be started before the one that is cancelled goes on.
            leave()
        }
        leave()
    }
}

/// Those who wait for a call.
private final class Waiters: Sendable {
    private let counts = Lock((entered: 0, left: 0))

    /// Whether there were any, and none is left.
    var haveLeft: Bool { counts.withLock { $0.entered > 0 && $0.entered == $0.left } }

    /// Adds one, which leaves by the function that is returned, however often that is called.
    func enter() -> @Sendable () -> Void {
        counts.withLock { $0.entered += 1 }
        let hasLeft = Lock(false)
        return { [self] in
            let isFirst = hasLeft.withLock { state in
                defer { state = true }
                return !state
            }
            if isFirst { counts.withLock { $0.left += 1 } }
        }
    }
}
