import Dispatch

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
