#if os(Linux)
import Foundation
import Testing

@testable import HikyakuCurl

@Suite(.timeLimit(.minutes(1))) struct ExitGateTests {
    /// As OpenSSL's, the hook is there before the gate's, and so has its turn after it.
    @Test func noLoopGoesOnOnceTheProcessEnds() async {
        await #expect(processExitsWith: .exitCode(7)) {
            atexit {
                Thread.detachNewThread {
                    ExitGate.enter()
                    _exit(1)
                }
                usleep(200_000)
                _exit(7)
            }
            #expect(CurlLibrary.isReady)
            ExitGate.enter()
            ExitGate.leave()
            exit(0)
        }
    }
}
#endif
