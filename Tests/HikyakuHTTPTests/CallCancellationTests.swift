import HikyakuBase
import HikyakuHTTP
import Testing

@Suite(.timeLimit(.minutes(10))) struct CallCancellationTests {
    private struct Deadline: Error, Equatable {
        var number = 1
    }

    private let stop = CallStop()

    private func handler(_ count: Lock<Int>) -> @Sendable () -> Void {
        { count.withLock { $0 += 1 } }
    }

    @Test func stoppingCallsEachHandlerOnce() {
        let counts = (0..<4).map { _ in Lock(0) }
        for count in counts { _ = stop.add(handler(count)) }
        #expect(stop.error == nil)
        #expect(stop.stop(with: Deadline()))
        #expect(stop.error as? Deadline == Deadline())
        #expect(counts.map { $0.withLock(\.self) } == [1, 1, 1, 1])
        #expect(!stop.stop(with: Deadline(number: 2)), "it was stopped before")
        #expect(stop.error as? Deadline == Deadline(), "the first error stays")
        #expect(counts.map { $0.withLock(\.self) } == [1, 1, 1, 1])
    }

    @Test func aHandlerThatComesAfterTheStopIsCalledAtOnce() {
        stop.stop(with: Deadline())
        let count = Lock(0)
        let id = stop.add(handler(count))
        #expect(count.withLock(\.self) == 1)
        stop.remove(id)
        #expect(count.withLock(\.self) == 1)
    }

    /// The first handler is kept apart from the others.
    @Test(arguments: 0..<3) func aRemovedHandlerIsNotCalledAndTheOthersAre(_ removed: Int) {
        let counts = (0..<3).map { _ in Lock(0) }
        let ids = counts.map { stop.add(handler($0)) }
        #expect(Set(ids).count == 3)
        stop.remove(ids[removed])
        stop.remove(ids[removed])
        stop.stop(with: Deadline())
        let expected = (0..<3).map { $0 == removed ? 0 : 1 }
        #expect(counts.map { $0.withLock(\.self) } == expected)
    }

    @Test func nothingStopsACallThatIsOver() {
        let count = Lock(0)
        _ = stop.add(handler(count))
        #expect(stop.end() == nil)
        #expect(!stop.stop(with: Deadline()))
        #expect(stop.error == nil)
        #expect(count.withLock(\.self) == 0)
    }

    @Test func theEndRemovesTheErrorSoLaterTasksAreNotStopped() {
        stop.stop(with: Deadline())
        #expect(stop.end() as? Deadline == Deadline())
        #expect(stop.error == nil)
        let count = Lock(0)
        _ = stop.add(handler(count))
        #expect(count.withLock(\.self) == 0)
    }

    @Test func aStoppedCallIsCancelledAndItsTaskIsNot() async {
        await CallCancellation.$scope.withValue(CallScope(stop: stop, deadline: nil)) {
            #expect(!CallCancellation.isCancelled)
            stop.stop(with: Deadline())
            #expect(CallCancellation.isCancelled)
            #expect(!Task.isCancelled)
            let isDetachedCancelled = await Task.detached { CallCancellation.isCancelled }.value
            #expect(!isDetachedCancelled)
        }
        #expect(!CallCancellation.isCancelled)
    }

    /// Waits until its handler is called.
    private func wait(_ hasBegun: @escaping @Sendable () -> Void = {}) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        await CallCancellation.withHandler {
            hasBegun()
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }

    @Test func aCallThatIsStoppedEndsWhatWaitsInIt() async {
        await CallCancellation.$scope.withValue(CallScope(stop: stop, deadline: nil)) {
            await wait { [stop] in stop.stop(with: Deadline()) }
            await wait()
        }
    }

    @Test(arguments: [true, false]) func cancellingATaskEndsWhatWaitsInIt(_ isInCall: Bool) async {
        await CallCancellation.$scope.withValue(isInCall ? CallScope(stop: stop, deadline: nil) : nil) {
            await Task {
                await wait { withUnsafeCurrentTask { $0?.cancel() } }
            }.value
        }
        #expect(stop.error == nil, "the call goes on")
    }

    @Test func theHandlerIsForgottenWithTheOperation() async {
        let count = Lock(0)
        await CallCancellation.$scope.withValue(CallScope(stop: stop, deadline: nil)) {
            let value = await CallCancellation.withHandler({ 7 }, onCancel: handler(count))
            #expect(value == 7)
            await #expect(throws: Deadline(number: 3)) {
                try await CallCancellation.withHandler({ throw Deadline(number: 3) }, onCancel: handler(count))
            }
        }
        stop.stop(with: Deadline())
        #expect(count.withLock(\.self) == 0)
    }

    @Test func nothingIsPromisedByDefault() {
        struct Own: HTTPTransport {
            func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
                HTTPResponse(status: .ok)
            }
        }
        #expect(!Own().endsOnCancellation)
    }
}
