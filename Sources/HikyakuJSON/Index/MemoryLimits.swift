#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How far the running thread's stack reaches, whose end ends the process.
///
/// Types inside of each other are read and written by calls inside of calls, and how much of the stack each takes is
/// theirs to say. A thread of Swift's own has 512 KB on Apple's platforms, and 8 MB elsewhere.
enum ThreadStack {
    /// How deep values may stand inside of each other before anybody looks: those of ordinary documents cost nothing.
    static let trustedDepth = 16

    /// What is left to the levels until somebody looks, and to what the innermost value does.
    private static let marginMax: UInt = 128 << 10

    /// Whether so little is left that no further level should be begun.
    @inline(never)
    static var isAtEnd: Bool {
        var mark: UInt8 = 0
        let place = withUnsafePointer(to: &mark) { UInt(bitPattern: $0) }
        let end = knownEnd
        // What is farther away is another stack than the thread's own.
        return place < end && end - place <= marginMax
    }

    /// Where the margin begins; below all stacks where nobody can say.
    private static var knownEnd: UInt {
        guard let key else { return 0 }
        if let known = pthread_getspecific(key) { return UInt(bitPattern: known) }
        // No stack has this address, and "no pointer" is what a thread has that wasn't asked yet.
        let end = bounds.map { $0.low + min(marginMax, $0.size / 4) } ?? 1
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: end))
        return end
    }

    /// Under which each thread keeps where its stack ends: to ask for it takes microseconds, and for the first thread a
    /// look into a file.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    #if canImport(Darwin)
    private static var bounds: (low: UInt, size: UInt)? {
        let thread = pthread_self()
        let size = UInt(pthread_get_stacksize_np(thread))
        return (UInt(bitPattern: pthread_get_stackaddr_np(thread)) - size, size)
    }
    #elseif canImport(Glibc)
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt

    /// `pthread_getattr_np`, which is hidden from Swift.
    private static let getAttributes = dlsym(nil, "pthread_getattr_np").map {
        unsafeBitCast($0, to: GetAttributes.self)
    }

    private static var bounds: (low: UInt, size: UInt)? {
        var attributes = pthread_attr_t()
        guard let getAttributes, getAttributes(pthread_self(), &attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(&attributes) }
        var (low, size): (UnsafeMutableRawPointer?, Int) = (nil, 0)
        guard pthread_attr_getstack(&attributes, &low, &size) == 0, let low else { return nil }
        return (UInt(bitPattern: low), UInt(size))
    }
    #else
    /// Musl tells of the first thread only what that has used so far.
    private static var bounds: (low: UInt, size: UInt)? { nil }
    #endif
}

/// Checks that the system has memory before Swift allocates it: Swift ends the process where there is none.
///
/// It is for memory whose size a document decides. Another thread may take the memory in between, so that it is a check
/// and no reservation.
@usableFromInline
enum HeapRoom {
    /// Smaller blocks aren't checked: those are what the rest of a program allocates too.
    @usableFromInline static var bytesMin: Int { 1 << 20 }

    /// Refuses an allocation for which there is no memory.
    ///
    /// - Throws: ``JSONSyntaxError`` of the kind `noMemory`.
    @inlinable
    @inline(__always)
    static func check<Element>(_ count: Int, of type: Element.Type) throws {
        if count > bytesMin / max(1, MemoryLayout<Element>.stride) { try find(count, MemoryLayout<Element>.stride) }
    }

    @usableFromInline
    @inline(never)
    static func find(_ count: Int, _ stride: Int) throws {
        let (bytes, overflows) = count.multipliedReportingOverflow(by: stride)
        // What it gives is never written to, so that it costs two calls of the system.
        guard !overflows, let memory = malloc(bytes) else { throw JSONSyntaxError(.noMemory, at: 0) }
        free(memory)
    }
}
