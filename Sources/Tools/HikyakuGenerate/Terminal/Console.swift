package import HikyakuOpenAPI

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard output and standard error.
package enum Console {
    /// Writes to standard output.
    ///
    /// - Throws: ``CommandFailure`` if it can't be written, for example to a full disk.
    package static func show(_ text: String) throws(CommandFailure) {
        guard write(text, to: STDOUT_FILENO) else { throw CommandFailure("standard output can't be written") }
    }

    /// Writes to standard error; a text that can't be written there is lost.
    package static func report(_ text: TerminalText) {
        _ = write(text.text, to: STDERR_FILENO)
    }

    /// Writes why a command failed to standard error, after the name of the program or a word such as `error`.
    package static func report(_ failure: CommandFailure, after word: StaticString) {
        report("\("\(word)"): \(failure.text)\n")
    }

    private static func write(_ text: String, to file: CInt) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                #if canImport(Glibc)
                unsafe Glibc.write(file, bytes.baseAddress, bytes.count)
                #elseif canImport(Musl)
                unsafe Musl.write(file, bytes.baseAddress, bytes.count)
                #else
                unsafe Darwin.write(file, bytes.baseAddress, bytes.count)
                #endif
            }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
