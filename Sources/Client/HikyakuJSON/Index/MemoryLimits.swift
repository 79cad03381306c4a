#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The limits of the current thread's stack, whose overflow ends the process.
///
/// Nested types are read and written recursively, and each type decides how much stack it needs. A thread of Swift's
/// pool has 512 KB on Apple's platforms, and 8 MB elsewhere.
enum ThreadStack {
    /// The maximum number of open objects and arrays that are written; a cycle of references would overflow the stack.
    static var depthMax: Int { 512 }

    /// The nesting depth below which the stack is not checked, so that ordinary documents cost nothing.
    static let trustedDepth = 16

    /// The space for unchecked levels and for the innermost value.
    private static let marginMax: UInt = 128 << 10

    /// Whether too little is left for another level.
    @inline(never)
    static var isAtEnd: Bool {
        var mark: UInt8 = 0
        let place = withUnsafePointer(to: &mark) { UInt(bitPattern: $0) }
        let end = knownEnd
        // An address farther away is on another stack than the thread's own.
        return place < end && end - place <= marginMax
    }

    /// The address at which the margin begins; 0 if it is unknown.
    private static var knownEnd: UInt {
        guard let key else { return 0 }
        if let known = pthread_getspecific(key) { return UInt(bitPattern: known) }
        // 1 is not an address of a stack; a null pointer would mean that the thread has no cached value.
        let end = bounds.map { $0.low + min(marginMax, $0.size / 4) } ?? 1
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: end))
        return end
    }

    /// The thread-local key of the cached address: asking the system takes microseconds, and reads a file for the first
    /// thread.
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
    /// For the first thread, musl knows only the part that has been used so far.
    private static var bounds: (low: UInt, size: UInt)? { nil }
    #endif
}

/// Checks that the system has memory before Swift allocates it, because Swift ends the process if there is none.
///
/// It is for memory whose size depends on a document. It is a check and not a reservation: another thread may take the
/// memory in between.
@usableFromInline
enum HeapRoom {
    /// Smaller blocks are not checked, like all other allocations of a program.
    @usableFromInline static var bytesMin: Int { 1 << 20 }

    /// Throws if there is no memory for an allocation.
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
        // The memory is never touched, so that the check costs only two system calls.
        guard !overflows, let memory = malloc(bytes) else { throw JSONSyntaxError(.noMemory, at: 0) }
        free(memory)
    }
}
