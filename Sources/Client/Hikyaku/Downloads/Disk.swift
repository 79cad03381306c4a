import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The system's calls around a file that is written, and their errors in words.
enum Disk {
    /// Ensures that a file's content, or a folder's entries, are on the disk.
    ///
    /// On Apple's platforms `fsync` only hands the bytes to the disk, which may lose them with its power. `F_FULLFSYNC`
    /// waits for the disk, if the file system supports it.
    ///
    /// - Returns: 0; otherwise -1, with `errno`.
    static func sync(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) != -1 { return 0 }
        #endif
        while fsync(descriptor) != 0 {
            if errno != EINTR { return -1 }
        }
        return 0
    }

    /// Ensures that a file's name survives a power failure.
    ///
    /// Some file systems don't support this; the file is complete nevertheless, and there under its old or new name.
    static func syncFolder(of path: String) {
        let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = sync(descriptor)
        close(descriptor)
    }

    /// The bytes that a process without privileges may still write beside a path; `nil` if the system doesn't say it.
    static func freeBytes(beside path: String) -> Int? {
        let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
        let (bytes, isOverflowing) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isOverflowing ? .max : Int(clamping: bytes)
    }

    /// Checks whether a body fits on the disk before any of it is received.
    ///
    /// - Throws: ``FailureReason/diskFull`` with both numbers.
    static func checkRoom(for count: Int, beside path: String) throws(TransportError) {
        guard let free = freeBytes(beside: path), free < count else { return }
        throw FileCause.diskFull.error("the file needs \(count) more bytes, but only \(free) are free on its disk")
    }

    /// The error of a system's call that should have written a file.
    ///
    /// - Parameters:
    ///   - code: Its `errno`.
    ///   - action: What the call should have done, as the beginning of a sentence: `the file can't be written`.
    ///   - path: The file, or another one in its folder.
    ///   - missing: How many bytes are missing in the file, if that is known.
    /// - Returns: The error.
    static func error(
        _ code: Int32,
        _ action: String,
        path: String,
        missing: Int? = nil,
    ) -> TransportError {
        let needed = missing.map { ", the file needs \($0) more bytes" } ?? ""
        switch code {
        case ENOSPC:
            let free = freeBytes(beside: path).map { ", \($0) bytes are free" } ?? ""
            return FileCause.diskFull.error("the disk is full\(needed)\(free)")
        case EDQUOT:
            return FileCause.diskFull.error("the user's quota on the disk is used up\(needed)")
        case EFBIG:
            return FileCause.diskFull.error(
                "the file is larger than the file system or the process' limit allows\(needed)"
            )
        default:
            return FileCause.fileNotWritten.error("\(action): \(SystemErrors.text(of: code))")
        }
    }

    private static func folder(of path: String) -> String {
        let folder = PathParts(path).folder
        return folder.isEmpty ? "." : folder
    }
}
