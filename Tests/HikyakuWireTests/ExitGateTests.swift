#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

@Suite(.timeLimit(.minutes(5))) struct ExitGateTests {
    /// A thread, as the system lists it for as long as it lives.
    private struct ListedThread: Sendable {
        private let folder: String

        /// The thread that this is called on.
        static func current() throws -> ListedThread {
            let name = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            return ListedThread(folder: "/proc/" + name)
        }

        /// Whether it waits for something, such as a lock.
        var isWaiting: Bool {
            get throws {
                let text = try String(contentsOfFile: folder + "/stat", encoding: .utf8)
                // Its number, its name in parentheses, its state.
                return text.split(separator: ")").last?.hasPrefix(" S") == true
            }
        }

        var hasEnded: Bool { !FileManager.default.fileExists(atPath: folder) }
    }

    /// The thread that comes to the gate, for a hook that can't capture anything.
    private static let loop = Lock<ListedThread?>(nil)

    /// As OpenSSL's, the hook is there before the gate's, and so has its turn after it.
    @Test func noLoopGoesOnOnceTheProcessEnds() async {
        await #expect(processExitsWith: .exitCode(7)) {
            atexit {
                Thread.detachNewThread {
                    let thread = try? ListedThread.current()
                    ExitGateTests.loop.withLock { $0 = thread }
                    ExitGate.passing {}
                    _exit(1)
                }
                let isHeldUp = try? holdsBlocking { try ExitGateTests.loop.withLock(\.self)?.isWaiting == true }
                _exit(isHeldUp == true ? 7 : 2)
            }
            ExitGate.install()
            ExitGate.passing {}
            exit(0)
        }
    }

    /// A client that goes just before its process ends leaves a thread that ends at the same time.
    @Test func aThreadThatEndsLeavesNothingToOpenSSL() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            typealias Fill = @convention(c) (UnsafeMutablePointer<UInt8>, Int32) -> Int32
            typealias Undo = @convention(c) () -> Void
            ExitGate.install()
            let fill = unsafeBitCast(try #require(dlsym(nil, "RAND_bytes")), to: Fill.self)
            let undo = unsafeBitCast(try #require(dlsym(nil, "OPENSSL_cleanup")), to: Undo.self)
            let (hasLeft, isUndone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let thread = Lock<ListedThread?>(nil)
            Thread.detachNewThread {
                thread.withLock { $0 = try? ListedThread.current() }
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
            let listed = try #require(thread.withLock { $0 })
            try #require(try await holds { listed.hasEnded })
            _exit(7)
        }
    }
}
#endif
