#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A detached thread for loops that block in the system, which Swift's own threads must not.
package enum BackgroundThread {
    /// Runs `body` on a thread of its own; the thread ends when `body` returns.
    ///
    /// Signals are blocked there, SIGPIPE among them: a peer that closed shows as an error of the write.
    ///
    /// - Returns: `false` when the system gives no thread; `body` is then not run.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
        var thread: pthread_t?
        let code = pthread_create(&thread, &attributes, { Start.run($0) }, start.toOpaque())
        #else
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, { Start.run($0) }, start.toOpaque())
        #endif
        if code != 0 { start.release() }
        return code == 0
    }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let pointer else { return nil }
            let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            nameThread(String(start.name.prefix(15)))  // the longest that the system takes
            start.body()
            return nil
        }
    }

    private static func nameThread(_ name: String) {
        #if canImport(Darwin)
        _ = pthread_setname_np(name)
        #else
        // `pthread_setname_np` is hidden from Swift here, and the kernel takes the name as a file's content too.
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, name, name.utf8.count)
        close(file)
        #endif
    }
}
