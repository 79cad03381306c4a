#if os(Linux)
import Foundation
import Testing

@testable import HikyakuWire

@Suite(.timeLimit(.minutes(1))) struct ExitGateTests {
    /// As OpenSSL's, the hook is there before the gate's, and so has its turn after it.
    @Test func noLoopGoesOnOnceTheProcessEnds() async {
        await #expect(processExitsWith: .exitCode(7)) {
            atexit {
                Thread.detachNewThread {
                    ExitGate.passing {}
                    _exit(1)
                }
                usleep(200_000)
                _exit(7)
            }
            ExitGate.install()
            ExitGate.passing {}
            exit(0)
        }
    }

    /// A client that goes just before its process ends leaves a thread that ends at the same time.
    @Test func aThreadThatEndsLeavesNothingToOpenSSL() async {
        await #expect(processExitsWith: .exitCode(7)) {
            typealias Fill = @convention(c) (UnsafeMutablePointer<UInt8>, Int32) -> Int32
            typealias Undo = @convention(c) () -> Void
            ExitGate.install()
            let fill = unsafeBitCast(try #require(dlsym(nil, "RAND_bytes")), to: Fill.self)
            let undo = unsafeBitCast(try #require(dlsym(nil, "OPENSSL_cleanup")), to: Undo.self)
            let (hasLeft, isUndone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                var bytes: [UInt8] = [0]
                // Has OpenSSL keep something for the thread.
                _ = fill(&bytes, 1)
                ExitGate.dropThreadState()
                hasLeft.signal()
                isUndone.wait()
            }
            hasLeft.wait()
            undo()
            isUndone.signal()
            usleep(200_000)
            _exit(7)
        }
    }
}
#endif
