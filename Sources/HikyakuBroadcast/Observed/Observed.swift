import Hikyaku
import Observation

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
