import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
package import Darwin
#else
package import Glibc
#endif

/// A new file that is written next to the one that it will replace, and is locked (`flock`) until then.
///
/// The system releases the lock when the process ends, however it ends. The lock is seen by other processes, in other
/// containers too, and by other stores of the same process. So a draft without a lock is a leftover, and the next
/// writer of the same file removes it. On a file system without locks, a draft that was not written to for an hour
/// counts as a leftover.
package struct LockedDraft {
    /// Which drafts belong to one file.
    package struct Family {
        /// With a trailing slash; empty for the working directory.
        package let folder: String
        package let prefix: String
        package let suffix: String

        package init(folder: String, prefix: String, suffix: String) {
            (self.folder, self.prefix, self.suffix) = (folder, prefix, suffix)
        }

        fileprivate func has(_ name: String) -> Bool {
            guard name.utf8.count > prefix.utf8.count + suffix.utf8.count, name.utf8.starts(with: prefix.utf8),
                name.utf8.reversed().starts(with: suffix.utf8.reversed())
            else { return false }
            let numbers = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
                .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            return numbers.count == 2
                && numbers.allSatisfy { digits in
                    !digits.isEmpty && digits.allSatisfy(ASCII.isDigit)
                }
        }
    }

    package enum Hold {
        case locked
        /// Another open file has the lock.
        case taken
        /// The file system has no locks.
        case unsupported
    }

    /// How often a draft is created again after another writer took it for a leftover.
    package static let attemptsMax = 8
    private static let abandonedAfterSeconds = 3600

    package let path: String
    package let descriptor: Int32

    /// Creates a draft with a new name, and locks it.
    ///
    /// - Parameters:
    ///   - family: The folder, and the prefix and suffix of the name.
    ///   - mode: The permissions, as far as the process' mask allows.
    /// - Returns: The draft.
    /// - Throws: The `errno` of the call that failed.
    package static func make(of family: Family, mode: mode_t) throws(Errno) -> LockedDraft {
        for _ in 0..<attemptsMax {
            let name = "\(family.prefix)\(getpid())-\(UInt64.random(in: .min ... .max))\(family.suffix)"
            let path = family.folder + name
            let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw Errno(code: errno) }
            let draft = LockedDraft(path: path, descriptor: descriptor)
            // Another writer may have removed it before it was locked.
            if hold(descriptor) != .taken, draft.isStillThere { return draft }
            draft.abandon()
        }
        throw Errno(code: EAGAIN)
    }

    /// Closes the file, which releases its lock.
    package func finish() { close(descriptor) }

    /// Removes the file and closes it.
    package func abandon() {
        if isStillThere { unsafe unlink(path) }
        close(descriptor)
    }

    /// Whether the file was neither removed nor renamed.
    var isStillThere: Bool { Self.isStill(descriptor, at: path) }

    /// Removes drafts of processes that died, but none that is still being written.
    package static func removeLeftovers(of family: Family) {
        let folder = family.folder.isEmpty ? "." : family.folder
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where family.has(name) {
            removeLeftover(family.folder + name)
        }
    }

    private static func removeLeftover(_ path: String) {
        // For writing, because a lock over NFS needs that.
        let descriptor = unsafe open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid()
        else {
            return
        }
        switch hold(descriptor) {
        case .taken: return
        case .locked: break
        case .unsupported: guard age(status) > abandonedAfterSeconds else { return }
        }
        // Since it was opened, its writer may have renamed it and released the lock.
        if isStill(descriptor, at: path) { unsafe unlink(path) }
    }

    /// Takes the lock without waiting.
    package static func hold(_ descriptor: Int32) -> Hold {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            return errno == EWOULDBLOCK ? .taken : .unsupported
        }
        return .locked
    }

    /// Whether an open file is the one at a path.
    package static func isStill(_ descriptor: Int32, at path: String) -> Bool {
        var open = stat()
        var named = stat()
        guard unsafe fstat(descriptor, &open) == 0, unsafe lstat(path, &named) == 0 else { return false }
        return open.st_dev == named.st_dev && open.st_ino == named.st_ino
    }

    private static func age(_ status: stat) -> Int {
        #if canImport(Darwin)
        return time(nil) - status.st_mtimespec.tv_sec
        #else
        return time(nil) - status.st_mtim.tv_sec
        #endif
    }
}

/// The number of a system error.
package struct Errno: Error {
    package let code: Int32
}

/// A path split at its last slash, by bytes: as characters, a slash and a combining mark after it are one character.
package struct PathParts {
    /// With the trailing slash; empty if the path has none.
    package let folder: String
    package let name: String

    package init(_ path: String) {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex
        folder = String(decoding: path.utf8[..<end], as: UTF8.self)
        name = String(decoding: path.utf8[end...], as: UTF8.self)
    }
}

extension UnsafeRawBufferPointer {
    /// Writes all bytes to an open file, with as many writes as needed.
    ///
    /// - Parameter descriptor: The file.
    /// - Returns: 0, or the `errno` that ended it.
    package func writeAll(to descriptor: Int32) -> Int32 {
        var rest = unsafe self[...]
        while unsafe !rest.isEmpty {
            let count = unsafe write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            // A write of zero bytes makes no progress.
            guard count > 0 else { return count < 0 ? errno : EIO }
            unsafe rest = unsafe rest.dropFirst(count)
        }
        return 0
    }
}
