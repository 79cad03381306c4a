#if os(Linux)
import Glibc

/// Keeps SIGPIPE away from a thread that isn't ours while it drives the loop.
///
/// libcurl sends without that signal over plain TCP, but not with every version over TLS; as a rule it ends the
/// process.
enum BrokenPipe {
    static func isolated(_ body: () -> Void) {
        var signal = sigset_t()
        var before = sigset_t()
        sigemptyset(&signal)
        sigaddset(&signal, SIGPIPE)
        guard pthread_sigmask(SIG_BLOCK, &signal, &before) == 0, sigismember(&before, SIGPIPE) == 0 else {
            return body()
        }
        body()
        // One that came meanwhile would be delivered as soon as it is let through.
        var noTime = timespec()
        while sigtimedwait(&signal, nil, &noTime) == -1, errno == EINTR {}
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
#endif
