public import Dispatch

// Each link gives a further call, which is settled behind its closure: so a chain's closures run in its order, and what
// stands at its end is over when all of it is.
extension APICall {
    /// Calls a closure on the main actor with the model, if there is one.
    ///
    /// - Parameter body: Gets the model.
    /// - Returns: A call with the same outcome, behind the closure.
    @discardableResult
    public func success(_ body: @escaping @MainActor @Sendable (Value) -> Void) -> APICall {
        success(on: .main) { value in MainActor.assumeIsolated { body(value) } }
    }

    /// Calls a closure with the model, if there is one.
    ///
    /// - Parameters:
    ///   - queue: Where it is called.
    ///   - body: Gets the model.
    /// - Returns: A call with the same outcome, behind the closure.
    @discardableResult
    public func success(on queue: CallbackQueue, _ body: @escaping @Sendable (Value) -> Void) -> APICall {
        observing(on: queue) { if case .success(let value) = $0 { body(value) } }
    }

    /// Calls a closure on the main actor with what ended the call, if something did; also when it was cancelled:
    /// ``APIFailure/isCancelled``.
    ///
    /// - Parameter body: Gets the failure.
    /// - Returns: A call with the same outcome, behind the closure.
    @discardableResult
    public func failure(_ body: @escaping @MainActor @Sendable (Problem) -> Void) -> APICall {
        failure(on: .main) { problem in MainActor.assumeIsolated { body(problem) } }
    }

    /// Calls a closure with what ended the call, if something did; also when it was cancelled.
    ///
    /// - Parameters:
    ///   - queue: Where it is called.
    ///   - body: Gets the failure.
    /// - Returns: A call with the same outcome, behind the closure.
    @discardableResult
    public func failure(on queue: CallbackQueue, _ body: @escaping @Sendable (Problem) -> Void) -> APICall {
        observing(on: queue) { if case .failure(let problem) = $0 { body(problem) } }
    }

    /// Calls a closure on the main actor when the call is over, however it ended.
    ///
    /// - Parameter body: Is called once.
    /// - Returns: A call with the same outcome, behind the closure.
    @discardableResult
    public func finally(_ body: @escaping @MainActor @Sendable () -> Void) -> APICall {
        finally(on: .main) { MainActor.assumeIsolated { body() } }
    }

    /// Calls a closure when the call is over, however it ended.
    ///
    /// - Parameters:
    ///   - queue: Where it is called.
    ///   - body: Is called once.
    /// - Returns: A call with the same outcome, behind the closure.
    @discardableResult
    public func finally(on queue: CallbackQueue, _ body: @escaping @Sendable () -> Void) -> APICall {
        observing(on: queue) { _ in body() }
    }

    /// Calls a closure on the main actor with each progress of the call, see ``progress``.
    ///
    /// - Parameter body: Gets the newest progress; never behind the end of the call.
    /// - Returns: A call with the same outcome, behind the last progress.
    @discardableResult
    public func progress(_ body: @escaping @MainActor @Sendable (CallProgress) -> Void) -> APICall {
        progress(on: .main) { progress in MainActor.assumeIsolated { body(progress) } }
    }

    /// Calls a closure with each progress of the call, see ``progress``.
    ///
    /// - Parameters:
    ///   - queue: Where it is called; the next progress waits until the closure has returned.
    ///   - body: Gets the newest progress; never behind the end of the call.
    /// - Returns: A call with the same outcome, behind the last progress.
    @discardableResult
    public func progress(on queue: CallbackQueue, _ body: @escaping @Sendable (CallProgress) -> Void) -> APICall {
        let next = makeNext()
        let progress = progress
        // One that is begun inside of another call goes on when that one ends, as its call does.
        CallCancellation.$current.withValue(nil) {
            _ = Task { await tell(progress, on: queue, body, next) }
        }
        return next
    }

    private func tell(
        _ progress: AsyncStream<CallProgress>,
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (CallProgress) -> Void,
        _ next: APICall,
    ) async {
        for await progress in progress {
            unsafe await withUnsafeContinuation { continuation in
                queue.run {
                    body(progress)
                    unsafe continuation.resume()
                }
            }
        }
        let outcome = await result
        next.settle(next.isCancelled ? .failure(next.makeCancelled()) : outcome)
    }
}

extension APICall {
    /// A call of the same kind that ends this one when it is cancelled.
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
                // Whoever cancels while the closure waits for its turn is heard.
                let outcome = next.isCancelled ? .failure(next.makeCancelled()) : outcome
                body(outcome)
                next.settle(outcome)
            }
        }
        return next
    }
}

/// Where a closure is called.
///
/// Whatever it is, one call's closures are called one after the other, in the order of its chain.
public struct CallbackQueue: Sendable {
    private let submit: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Makes a queue of one's own.
    ///
    /// - Parameter submit: Gets each piece of work; has to run it once, now or later, on any thread.
    public init(_ submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.submit = submit
    }

    /// The main actor: never at once, even where one is on it already.
    ///
    /// Its work waits as long as something blocks the main thread.
    public static let main = CallbackQueue { work in Task { @MainActor in work() } }

    /// Wherever the outcome became known: on a thread that other calls need too, so that it must not block.
    public static let immediate = CallbackQueue { work in work() }

    /// A dispatch queue.
    public static func dispatch(_ queue: DispatchQueue) -> CallbackQueue {
        CallbackQueue { work in queue.async(execute: work) }
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        submit(work)
    }
}
