public import Hikyaku
import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Time that passes only when nothing can run, so that pauses, timeouts and deadlines of hours take microseconds.
///
/// ```swift
/// try await VirtualTime.run { time in
///     let transport = MockTransport(clock: time.clock)
///     transport.enqueue(.never)
///     let client = APIClient(transport: transport, options: time.options())
///     _ = try? await client.send(Shop.Dishes())
///     #expect(time.elapsed == .seconds(60))
/// }
/// ```
/// The operation and its child tasks run on one thread, in an order that the seed chooses: the same seed always gives
/// the same order of events at the same instants, another seed another order. So a failure that depends on the order of
/// tasks is found by trying seeds, and found again by its seed.
///
/// Everything that the operation waits for must be part of it:
/// - Give ``clock`` to all that takes a clock (``options(_:)`` gives it to a client), and ``date`` to what takes a wall
///   clock only, such as `MemoryCookieStore(now: { time.date })`.
/// - Give a generator to what is random by itself: `RequestBody.multipart(parts, using: time.makeGenerator())`.
/// - Sleep by ``sleep(for:)`` or by the clock. `Task.sleep(for:)` without a clock waits in real time, and the runtimes
///   of older systems let `Task.yield()` use other threads: `sleep(for: .zero)` doesn't.
/// - Use child tasks (`async let`, task groups), or make your own tasks by `Task(executorPreference: time.executor)`. A
///   plain `Task { }`, an actor with an executor of its own, and the main actor run on other threads, as do sockets and
///   files. The clock does not wait for them, and their order is not that of the seed: ``outsideEventCount`` is not 0
///   then. The client's own tasks run on the executor.
/// - A set or a dictionary has another order in each process, whatever the seed, unless the environment variable
///   `SWIFT_DETERMINISTIC_HASHING` is set.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct VirtualTime: Sendable {
    /// What ends an operation that does not end by itself.
    ///
    /// ```swift
    /// try await VirtualTime.run(limits: VirtualTime.Limits(stepsMax: 10_000)) { time in
    ///     let client = APIClient(transport: MockTransport(clock: time.clock), options: time.options())
    ///     _ = try? await client.send(Shop.Dishes())
    /// }
    /// ```
    /// A loop that never suspends has no limit.
    public struct Limits: Sendable, Hashable {
        /// The number of tasks and timers that may run without time passing; more are ``VirtualTimeError/Kind/busy``.
        ///
        /// Default: 1,000,000.
        public var stepsMax: Int
        /// How long to wait, in real time, for another thread when nothing can run and no timer is left.
        ///
        /// Then the operation is ``VirtualTimeError/Kind/stalled``.
        ///
        /// Default: 5 seconds.
        public var patience: Duration

        /// Makes limits; each has a default.
        public init(stepsMax: Int = 1_000_000, patience: Duration = .seconds(5)) {
            self.stepsMax = stepsMax
            self.patience = patience
        }
    }

    /// The seed of all that is random.
    public let seed: UInt64
    /// The clock, for everything that takes one.
    public let clock: VirtualClock
    private let ownExecutor: VirtualExecutor

    private init(seed: UInt64) {
        self.seed = seed
        clock = VirtualClock()
        ownExecutor = VirtualExecutor(clock: clock, seed: seed)
    }

    /// Runs an operation in a new virtual time.
    ///
    /// What the operation has started and left behind continues for at most 10,000 steps after its end, before this
    /// function returns. Don't call it within another virtual time: that one would not know when it returns.
    ///
    /// - Parameters:
    ///   - seed: The seed of the order of tasks, and of random numbers.
    ///   - limits: What ends an operation that does not end by itself.
    ///   - operation: The operation. It inherits task-local values, priority and cancellation, and no actor.
    /// - Returns: The operation's return value.
    /// - Throws: The operation's error; ``VirtualTimeError`` if it does not end. It was cancelled then, and left behind
    ///   if it did not end by that.
    public static func run<Value: Sendable>(
        seed: UInt64 = 0,
        limits: Limits = Limits(),
        _ operation: @escaping @Sendable (VirtualTime) async throws -> Value,
    ) async throws -> Value {
        let time = VirtualTime(seed: seed)
        let outcome = Lock<Result<Value, any Error>?>(nil)
        let executor = time.ownExecutor
        let task = UnstructuredTask.$executor.withValue(executor) {
            UnstructuredTask.start {
                let result: Result<Value, any Error>
                do { result = .success(try await operation(time)) } catch { result = .failure(error) }
                outcome.withLock { $0 = result }
                executor.noteEnd()
            }
        }
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let loop = { @Sendable in continuation.resume(returning: executor.run(limits, cancel: task.cancel)) }
                // A thread of its own, since the main actor or others may be needed meanwhile.
                if !BackgroundThread.start(name: "virtual-time", loop) { loop() }
            }
        } onCancel: {
            task.cancel()
        }
        if let failure { throw failure }
        guard let result = outcome.withLock(\.self) else { throw CancellationError() }
        return try result.get()
    }

    /// The time since the start of the operation.
    public var elapsed: Duration { clock.elapsed }

    /// The wall clock's time: the first second of 2026 in UTC, and what has passed since.
    public var date: Date { clock.date }

    /// The executor, for your own unstructured tasks: `Task(executorPreference: time.executor) { … }`.
    public var executor: any TaskExecutor { ownExecutor }

    /// How often another thread has made a task continue; if it isn't 0, another run may differ.
    public var outsideEventCount: Int { ownExecutor.outsideCount }

    /// Waits.
    ///
    /// - Parameter duration: How long; zero lets the other tasks run that can.
    /// - Throws: `CancellationError` if the task is cancelled before.
    public func sleep(for duration: Duration) async throws {
        try await clock.sleep(until: clock.now.advanced(by: min(duration, .farFuture)))
    }

    /// Options by which a client uses this clock and its date, and random numbers of the seed for the jitter of its
    /// pauses and for random idempotency keys.
    ///
    /// - Parameter options: The other options.
    /// - Returns: The changed options.
    public func options(_ options: ClientOptions = ClientOptions()) -> ClientOptions {
        var options = options
        let generator = Lock(SplitMix64(seed: seed, stream: 1))
        options.clock = clock
        options.random = { generator.withLock { $0.unit() } }
        options.givesCallsTasks = true
        return options
    }

    /// A generator of random numbers by the seed, for the operation's own choices; each has the same sequence.
    public func makeGenerator() -> some RandomNumberGenerator & Sendable {
        SplitMix64(seed: seed, stream: 2)
    }
}

/// Why an operation in ``VirtualTime`` was ended from outside.
public struct VirtualTimeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong; a version may add cases, so a switch needs a `default`.
    public enum Kind: Sendable, Hashable {
        /// Nothing could run, and no timer was left.
        case stalled
        /// Tasks and timers ran on and on, without time passing.
        case busy
    }

    /// What went wrong.
    public let kind: Kind
    /// The virtual time since the start of the operation.
    public let elapsed: Duration
    /// How often another thread had made a task continue.
    public let outsideEventCount: Int

    init(_ kind: Kind, elapsed: Duration, outsideEventCount: Int) {
        self.kind = kind
        self.elapsed = elapsed
        self.outsideEventCount = outsideEventCount
    }

    /// What went wrong, when, and what causes it.
    public var description: String {
        switch kind {
        case .stalled:
            """
            stalled after \(elapsed): no task can run, and no timer of the virtual clock is left. The operation waits \
            for an event that never comes, or that comes from outside: a real clock (Task.sleep), a socket, a file, \
            or a task that is not a child task
            """
        case .busy:
            "busy after \(elapsed): tasks and timers run on and on, without time passing"
        }
    }
}
