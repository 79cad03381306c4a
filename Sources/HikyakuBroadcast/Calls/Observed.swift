public import Hikyaku
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
    /// The last received value; it is kept when a later call fails.
    public private(set) var value: R.Response?
    /// Why the last call failed; `nil` after a success.
    ///
    /// A cancellation changes nothing: it is not an error.
    public var error: APIError<R.Failure>? { call.error }
    /// Whether a call is in flight.
    public var isLoading: Bool { call.isLoading }

    @ObservationIgnored private let makeRequest: @MainActor () -> BoundRequest<R>
    @ObservationIgnored private let call = ObservedCall<R.Failure>()

    /// Observes a request; nothing is sent yet.
    public convenience init(_ request: BoundRequest<R>) {
        self.init { request }
    }

    /// Observes a request that is created again for each call, for example for a search term; nothing is sent yet.
    ///
    /// - Parameter makeRequest: Returns the request to send now. The closure lives as long as the object: if it
    ///   captures the object, it must do so weakly.
    public init(_ makeRequest: @escaping @MainActor () -> BoundRequest<R>) {
        self.makeRequest = makeRequest
    }

    /// Loads the value unless there is one, or waits for the call in flight.
    public func load() async {
        guard value == nil else { return }
        await refresh()
    }

    /// Loads the value again, or waits for the call in flight: there is never a second one at the same time.
    ///
    /// To send another request instead, call ``cancel()`` first. Returns when the call has ended, or at once when the
    /// waiting task is cancelled, while the call continues.
    public func refresh() async {
        if !call.isRunning {
            let request = makeRequest()
            call.start { () async throws(APIError<R.Failure>) in
                try await request.send()
            } succeed: { [weak self] value in
                self?.value = value
                return nil
            }
        }
        await call.wait()
    }

    /// Cancels the call in flight; value and error are kept.
    public func cancel() {
        call.cancel()
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

    deinit {
        task?.cancel()
    }

    var isRunning: Bool { task != nil }

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
        try? await Race<Void>().run { await task.value }
    }
}
