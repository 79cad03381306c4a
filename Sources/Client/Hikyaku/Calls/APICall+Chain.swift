public import Dispatch

// Each step returns a new call, which is settled after its closure. So the closures of a chain run in order, and the
// last call ends when the whole chain has ended.
extension APICall {
    /// Calls a closure on the main actor with the model, if the call succeeds.
    ///
    /// - Parameter body: Called with the model.
    /// - Returns: A call with the same outcome, which ends after the closure.
    @discardableResult
    public func success(_ body: @escaping @MainActor @Sendable (Value) -> Void) -> APICall {
        success(on: .main) { value in MainActor.assumeIsolated { body(value) } }
    }

    /// Calls a closure with the model, if the call succeeds.
    ///
    /// - Parameters:
    ///   - queue: The queue that the closure is called on.
    ///   - body: Called with the model.
    /// - Returns: A call with the same outcome, which ends after the closure.
    @discardableResult
    public func success(on queue: CallbackQueue, _ body: @escaping @Sendable (Value) -> Void) -> APICall {
        observing(on: queue) { if case .success(let value) = $0 { body(value) } }
    }

    /// Calls a closure on the main actor with the failure, if the call fails, also if it is cancelled:
    /// ``APIFailure/isCancelled``.
    ///
    /// - Parameter body: Called with the failure.
    /// - Returns: A call with the same outcome, which ends after the closure.
    @discardableResult
    public func failure(_ body: @escaping @MainActor @Sendable (Problem) -> Void) -> APICall {
        failure(on: .main) { problem in MainActor.assumeIsolated { body(problem) } }
    }

    /// Calls a closure with the failure, if the call fails, also if it is cancelled.
    ///
    /// - Parameters:
    ///   - queue: The queue that the closure is called on.
    ///   - body: Called with the failure.
    /// - Returns: A call with the same outcome, which ends after the closure.
    @discardableResult
    public func failure(on queue: CallbackQueue, _ body: @escaping @Sendable (Problem) -> Void) -> APICall {
        observing(on: queue) { if case .failure(let problem) = $0 { body(problem) } }
    }

    /// Calls a closure on the main actor when the call has ended, whatever the outcome.
    ///
    /// - Parameter body: Called once.
    /// - Returns: A call with the same outcome, which ends after the closure.
    @discardableResult
    public func finally(_ body: @escaping @MainActor @Sendable () -> Void) -> APICall {
        finally(on: .main) { MainActor.assumeIsolated { body() } }
    }

    /// Calls a closure when the call has ended, whatever the outcome.
    ///
    /// - Parameters:
    ///   - queue: The queue that the closure is called on.
    ///   - body: Called once.
    /// - Returns: A call with the same outcome, which ends after the closure.
    @discardableResult
    public func finally(on queue: CallbackQueue, _ body: @escaping @Sendable () -> Void) -> APICall {
        observing(on: queue) { _ in body() }
    }

    /// Calls a closure on the main actor with each progress of the call, see ``progress``.
    ///
    /// - Parameter body: Called with the newest progress, and never after the end of the call.
    /// - Returns: A call with the same outcome, which ends after the last progress.
    @discardableResult
    public func progress(_ body: @escaping @MainActor @Sendable (CallProgress) -> Void) -> APICall {
        progress(on: .main) { progress in MainActor.assumeIsolated { body(progress) } }
    }

    /// Calls a closure with each progress of the call, see ``progress``.
    ///
    /// - Parameters:
    ///   - queue: The queue that the closure is called on; the next progress waits until the closure has returned.
    ///   - body: Called with the newest progress, and never after the end of the call.
    /// - Returns: A call with the same outcome, which ends after the last progress.
    @discardableResult
    public func progress(on queue: CallbackQueue, _ body: @escaping @Sendable (CallProgress) -> Void) -> APICall {
        let next = makeNext()
        let progress = progress
        // A task that is started inside another call continues when that one ends, as its call does.
        CallCancellation.$scope.withValue(nil) {
            _ = UnstructuredTask.start { await self.report(progress, on: queue, body, next) }
        }
        return next
    }

    private func report(
        _ progress: AsyncStream<CallProgress>,
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (CallProgress) -> Void,
        _ next: APICall,
    ) async {
        for await progress in progress { await queue.complete { body(progress) } }
        let outcome = await result
        next.settle(next.isCancelled ? .failure(next.makeCancelled()) : outcome)
    }
}

extension APICall {
    /// A call of the same type that cancels this one when it is cancelled.
    private func makeNext() -> APICall {
        let next = APICall(meter: meter, makeCancelled: makeCancelled)
        next.cancelling(by: cancel)
        return next
    }

    private func observing(
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (Result<Value, Problem>) -> Void,
    ) -> APICall {
        let next = makeNext()
        whenSettled { outcome in
            queue.run {
                // The call may be cancelled while the closure waits for its queue.
                let outcome = next.isCancelled ? .failure(next.makeCancelled()) : outcome
                body(outcome)
                next.settle(outcome)
            }
        }
        return next
    }
}

/// The queue that a closure is called on.
///
/// ```swift
/// let indexing = DispatchQueue(label: "search-index")
/// client.call(Shop.Dishes())
///     .success(on: .dispatch(indexing)) { store($0) }
///     .success { show($0) }  // on the main actor, after the other one
/// ```
/// On every queue, the closures of one call are called one after another, in the order of its chain.
public struct CallbackQueue: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates a custom queue.
    ///
    /// - Parameter submit: Called with each work item; it must run the item once, now or later, on any thread.
    public init(_ submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        run = submit
    }

    /// Runs work on the queue, and returns when it has ended.
    package func complete(_ work: @escaping @Sendable () -> Void) async {
        unsafe await withUnsafeContinuation { continuation in
            run {
                work()
                unsafe continuation.resume()
            }
        }
    }

    /// The main actor: never synchronously, even on the main actor.
    ///
    /// The closures wait while the main thread is blocked.
    public static let main = CallbackQueue { work in Task { @MainActor in work() } }

    /// The thread that received the outcome.
    ///
    /// Other calls need that thread too, so the closure must not block.
    public static let immediate = CallbackQueue { work in work() }

    /// A dispatch queue.
    public static func dispatch(_ queue: DispatchQueue) -> CallbackQueue {
        CallbackQueue { work in queue.async(execute: work) }
    }
}
