import HikyakuBase

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What is at a path that a new file is to get.
package enum FileTarget {
    /// Why no file may be put at a path, as the end of a sentence; `nil` if there is nothing, a regular file, or a link
    /// to one of them, which is replaced itself.
    package static func problem(at path: String) -> String? {
        if let problem = nulProblem(in: path) { return problem }
        guard !PathParts(path).name.isEmpty else { return "is a folder" }
        return FileKind(at: path).words
    }

    /// Why a path can't be used at all: the system would cut it at a NUL, and use another file than the one that is
    /// named.
    package static func nulProblem(in path: String) -> String? {
        path.utf8.contains(0) ? "has a NUL in its path" : nil
    }

    /// Whether anything is at a path, also a link to nothing.
    package static func isTaken(_ path: String) -> Bool {
        if case .nothing = FileKind(at: path) { false } else { true }
    }

    /// Gives a file a new path.
    ///
    /// - Parameters:
    ///   - old: Its path.
    ///   - new: The path of the file that it replaces, on the same volume.
    ///   - replaces: Whether there may be a file.
    /// - Returns: 0; otherwise the `errno`, `EEXIST` if there is something that isn't replaced.
    package static func rename(_ old: String, to new: String, replacing replaces: Bool = true) -> Int32 {
        guard problem(at: new) == nil else { return EEXIST }
        if !replaces {
            // Once this process has made the file there, it may replace it.
            let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return errno }
            close(descriptor)
        }
        guard unsafe systemRename(old, new) != 0 else { return 0 }
        let code = errno
        if !replaces { unsafe unlink(new) }
        return code
    }
}

/// The system's function, which the one above hides.
private func systemRename(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Int32 {
    unsafe rename(old, new)
}
