import Hikyaku

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
