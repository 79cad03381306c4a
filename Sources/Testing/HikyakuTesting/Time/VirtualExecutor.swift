import Hikyaku
import HikyakuBase

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Runs the tasks of one virtual time on one thread, and moves its clock when none of them can run.
///
/// States: running → ended → closed, or running → given up. After the operation has ended, what is left behind
/// runs on for some steps. A job that arrives when the executor is closed goes to the executor of the process. One
/// that arrives after the operation was given up is dropped.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class VirtualExecutor: TaskExecutor {
    private enum Phase {
        case running, ended, closed, givenUp
    }

    private struct State {
        var phase = Phase.running
        /// The jobs that can run.
        var ready: [UnownedJob] = []
        /// Chooses the next of them.
        var generator: SplitMix64
        /// The jobs and timers that have run since the clock has moved, or since the operation has ended.
        var stepCount = 0
        var outsideCount = 0
        var thread: UInt?
    }

    private enum Step {
        case job(UnownedJob)
        case timer(@Sendable () -> Void)
        /// Nothing can run.
        case none
        /// Too many steps at one instant.
        case tooMany
        case close
    }

    /// The steps of what the operation has left behind.
    private static let leftStepsMax = 10_000

    private let state: Lock<State>
    private let clock: VirtualClock

    init(clock: VirtualClock, seed: UInt64) {
        self.clock = clock
        state = Lock(State(generator: SplitMix64(seed: seed)))
    }

    /// How many jobs other threads have added.
    var outsideCount: Int { state.withLock(\.outsideCount) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Self.currentThread
        let phase = state.withLock { state in
            guard state.phase == .running || state.phase == .ended else { return state.phase }
            state.ready.append(job)
            // The first job comes before the thread has started.
            if let own = state.thread, own != thread { state.outsideCount += 1 }
            return state.phase
        }
        if phase == .closed { globalConcurrentExecutor.enqueue(job) }
    }

    /// Records the end of the operation.
    func noteEnd() {
        state.withLock { state in
            guard state.phase == .running else { return }
            (state.phase, state.stepCount) = (.ended, 0)
        }
    }

    /// Runs until the operation has ended, on the current thread.
    ///
    /// - Parameters:
    ///   - limits: What ends an operation that does not end by itself.
    ///   - cancel: Cancels the operation.
    /// - Returns: Why the operation was cancelled; `nil` if it has ended by itself.
    func run(_ limits: VirtualTime.Limits, cancel: () -> Void) -> VirtualTimeError? {
        state.withLock { $0.thread = Self.currentThread }
        var failure: VirtualTimeError?
        var waitEnd: ContinuousClock.Instant?
        while true {
            let kind: VirtualTimeError.Kind
            switch next(limits) {
            case .job(let job):
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
                waitEnd = nil
                continue
            case .timer(let action):
                UnstructuredTask.$executor.withValue(self) { action() }
                waitEnd = nil
                continue
            case .close:
                clock.removeAll()
                return failure
            case .none:
                let end = waitEnd ?? .now + min(limits.patience, .farFuture)
                waitEnd = end
                guard end <= .now else {
                    // What another thread adds, a job or a timer, is found a millisecond later.
                    _ = poll(nil, 0, 1)
                    continue
                }
                kind = .stalled
            case .tooMany:
                kind = .busy
            }
            guard failure == nil else {
                giveUp()
                return failure
            }
            failure = VirtualTimeError(kind, elapsed: clock.elapsed, outsideEventCount: outsideCount)
            state.withLock { $0.stepCount = 0 }
            waitEnd = nil
            cancel()
        }
    }

    private func next(_ limits: VirtualTime.Limits) -> Step {
        let step: Step? = state.withLock { state in
            let isOver = state.phase == .ended
            guard state.stepCount < (isOver ? Self.leftStepsMax : limits.stepsMax) else {
                if isOver { state.phase = .closed }
                return isOver ? .close : .tooMany
            }
            guard !state.ready.isEmpty else { return nil }
            state.stepCount += 1
            let index = Int(state.generator.next() % UInt64(state.ready.count))
            state.ready.swapAt(index, state.ready.count - 1)
            return .job(state.ready.removeLast())
        }
        return step ?? nextTimer()
    }

    private func nextTimer() -> Step {
        let timer = clock.takeNext()
        return state.withLock { state in
            if let timer {
                state.stepCount = timer.hasMoved && state.phase == .running ? 0 : state.stepCount + 1
                return .timer(timer.action)
            }
            // Another thread may have added a job meanwhile.
            guard state.phase == .ended, state.ready.isEmpty else { return .none }
            state.phase = .closed
            return .close
        }
    }

    /// Leaves the operation behind, which does not even end by its cancellation.
    private func giveUp() {
        state.withLock { ($0.phase, $0.ready) = (.givenUp, []) }
        clock.removeAll()
    }

    private static var currentThread: UInt {
        #if canImport(Darwin)
        unsafe UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }
}

/// Random numbers by a seed: a counter whose values are mixed.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// The generator of one of several sequences with the same seed.
    init(seed: UInt64, stream: UInt64) {
        var mixer = SplitMix64(seed: seed ^ stream &* 0xD1B5_4A32_D192_ED03)
        state = mixer.next()
    }

    mutating func next() -> UInt64 {
        state = state &+ 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number from 0 up to 1, without 1.
    mutating func unit() -> Double { Double(next() >> 11) / 0x1p53 }
}
