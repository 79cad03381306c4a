#if os(Linux)
import Glibc

/// Where the loop's thread waits while it has nothing to do.
///
/// It only wakes the thread: what that may touch afterwards, it finds under the mailbox's lock.
final class Parking: Sendable {
    // The compiler can't see that a semaphore is made to be used by several threads at once; it is freed with the last
    // reference, when nobody can use it any more.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Lets one ``wait()`` return: the present or else the next one.
    func wakeUp() {
        sem_post(semaphore)
    }

    func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
#endif
