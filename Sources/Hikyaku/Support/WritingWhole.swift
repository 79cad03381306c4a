#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension UnsafeRawBufferPointer {
    /// Writes all bytes to an open file, however many writes that takes.
    ///
    /// - Parameter descriptor: The file.
    /// - Returns: 0, or the `errno` that ended it.
    func writeAll(to descriptor: Int32) -> Int32 {
        var rest = self[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            // Zero for some bytes is no progress.
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}
