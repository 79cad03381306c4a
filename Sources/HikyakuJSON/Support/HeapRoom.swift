#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
