public import Hikyaku
public import Observation

/// What a screen shows of one request: its value, what went wrong, and whether it is being loaded.
///
/// ```swift
/// @MainActor final class MenuModel {
///     let dishes: Observed<Shop.Dishes>
///     init(client: APIClient<Public>) { dishes = Observed(client.bind(Shop.Dishes())) }
/// }
/// // a view:  .task { await model.dishes.load() }  .refreshable { await model.dishes.refresh() }
/// ```
/// SwiftUI, and whatever else tracks observation, sees each property that it reads change, on the main actor.
///
/// At most one call is under way. It goes on when the task that asked for it is cancelled, since a screen's tasks come
/// and go with what it shows, and ends when the object goes: a task that waits for it keeps the object no longer than
/// it waits.
@MainActor
@Observable
public final class Observed<R: APIRequest> {
    /// The last value that came; it stays when a later call fails.
    public private(set) var value: R.Response?
    /// Why the last call gave no value; `nil` after one that did.
    ///
    /// A cancellation changes nothing: it is no error.
    public private(set) var error: APIError<R.Failure>?
    /// Whether a call is under way.
    public private(set) var isLoading = false

    @ObservationIgnored private let makeRequest: @MainActor () -> BoundRequest<R>
    @ObservationIgnored private let call = ObservedCall()

    /// Observes a request; nothing is sent yet.
    public convenience init(_ request: BoundRequest<R>) {
        self.init { request }
    }

    /// Observes a request that is made anew for each call, of a text that is searched for, say; nothing is sent yet.
    ///
    /// - Parameter makeRequest: Gives what is to be sent now. What it holds lives as long as the object: hold it weakly
    ///   if it has the object.
    public init(_ makeRequest: @escaping @MainActor () -> BoundRequest<R>) {
        self.makeRequest = makeRequest
    }

    /// Loads the value unless there is one, or waits for the call that is under way.
    public func load() async {
        guard value == nil else { return }
        await refresh()
    }

    /// Loads the value anew, or waits for the call that is under way: a second one isn't begun beside it.
    ///
    /// To send something else instead, ``cancel()`` first. Returns when the call is over; when the task that waits is
    /// cancelled, at once, while the call goes on.
    public func refresh() async {
        if !call.isRunning { begin() }
        await call.wait()
    }

    /// Ends the call that is under way; value and error stay as they are.
    public func cancel() {
        guard call.isRunning else { return }
        call.cancel()
        isLoading = false
    }

    private func begin() {
        call.start(makeRequest()) { [weak self] in self?.finish($0) }
        isLoading = true
    }

    private func finish(_ outcome: Result<R.Response, APIError<R.Failure>>) {
        switch outcome {
        case .success(let value):
            self.value = value
            error = nil
        case .failure(let error) where !error.isCancelled: self.error = error
        case .failure: break
        }
        isLoading = false
    }
}

/// The call that an observed model has under way: at most one, which ends when the model goes.
@MainActor
final class ObservedCall {
    private var task: Task<Void, Never>?
    /// Which call is the last one; what an earlier one brings is dropped.
    private var number = 0

    deinit {
        task?.cancel()
    }

    var isRunning: Bool { task != nil }

    /// Sends a request in the place of what is under way.
    ///
    /// - Parameters:
    ///   - request: What is sent.
    ///   - finish: Gets the outcome; isn't called once another call has taken the place of this one, or ``cancel()``
    ///     has ended it. It must not keep the model.
    func start<R: APIRequest>(
        _ request: BoundRequest<R>,
        finish: @escaping @MainActor (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) {
        cancel()
        let number = number
        task = Task { [weak self] in
            let outcome: Result<R.Response, APIError<R.Failure>>
            do throws(APIError<R.Failure>) {
                outcome = .success(try await request.send())
            } catch {
                outcome = .failure(error)
            }
            guard let self, self.number == number else { return }
            task = nil
            finish(outcome)
        }
    }

    func cancel() {
        task?.cancel()
        task = nil
        number += 1
    }

    /// Waits until the call that is under way is over, or the caller is cancelled, which the call outlives.
    func wait() async {
        guard let task else { return }
        try? await Race<Void>().run { await task.value }
    }
}
