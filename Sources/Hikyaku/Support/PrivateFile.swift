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

/// A small file that is for its owner's eyes, and is never seen half written.
///
/// A symbolic link is followed when it is read, and replaced by a file when it is written: where a link leads is no place to
/// put secrets. `~` is a letter like any other.
struct PrivateFile: Sendable {
    enum Problem: Error {
        case unreadable(Int32)
        case tooLarge
        /// Others may read or write it.
        case isOpenToOthers
        case isSomeoneElses
        case unwritable(Int32)
    }

    let path: String

    /// The file's bytes, as far as it isn't larger than that; `nil` where there is none.
    ///
    /// A file can be refused that isn't the owner's of the process, or that others may read.
    func read(upTo bytesMax: Int, isOwnersAlone: Bool = false) throws(Problem) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw .unreadable(errno) }
        defer { close(descriptor) }
        if isOwnersAlone { try Self.checkOwner(of: descriptor) }
        var bytes = Data()
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = piece.withUnsafeMutableBytes { $0.readOnce(from: descriptor) }
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unreadable(errno) }
            bytes += piece.prefix(count)
            guard bytes.count <= bytesMax else { throw .tooLarge }
        }
    }

    /// Puts a new file that only the owner may read in the place of the old one.
    func write(_ bytes: Data) throws(Problem) {
        let draft = "\(path).\(getpid())-\(UInt64.random(in: .min ... .max)).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(errno) }
        var code = bytes.withUnsafeBytes { $0.writeAll(to: descriptor) }
        if code == 0, fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        if code == 0, rename(draft, path) != 0 { code = errno }
        guard code == 0 else {
            unlink(draft)
            throw .unwritable(code)
        }
        syncFolder()
    }

    /// Removes the file, if there is one, and what a process that died has left of a new one.
    func remove() throws(Problem) {
        removeDrafts()
        guard unlink(path) == 0 || errno == ENOENT else { throw .unwritable(errno) }
        syncFolder()
    }

    private var folderAndName: (folder: String, name: Substring) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), path[path.index(after: slash)...])
    }

    /// Has the folder's new entry outlive a power failure.
    ///
    /// Without that, the old file may come back, and a token in it that is spent. Some file systems know no such thing, and
    /// the file is there nevertheless.
    private func syncFolder() {
        let descriptor = open(folderAndName.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// Another process may be writing at this moment: what is young and has a process that lives is left to that.
    private func removeDrafts() {
        let (folder, name) = folderAndName
        for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard file.hasPrefix("\(name)."), file.hasSuffix(".new") else { continue }
            let numbers = file.dropFirst(name.count + 1).dropLast(4).split(separator: "-")
            guard numbers.count == 2, let process = pid_t(numbers[0]), process > 0, UInt64(numbers[1]) != nil else {
                continue
            }
            let draft = "\(folder)/\(file)"
            let isOrphan = kill(process, 0) != 0 && errno == ESRCH
            if isOrphan || Self.age(of: draft) > Self.draftSecondsMax { unlink(draft) }
        }
    }

    /// No small file takes longer to write, in seconds.
    private static let draftSecondsMax = 60

    private static func age(of path: String) -> Int {
        var status = stat()
        guard lstat(path, &status) == 0 else { return 0 }
        #if canImport(Darwin)
        return time(nil) - status.st_mtimespec.tv_sec
        #else
        return time(nil) - status.st_mtim.tv_sec
        #endif
    }

    private static func checkOwner(of descriptor: Int32) throws(Problem) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(errno) }
        guard status.st_uid == geteuid() else { throw .isSomeoneElses }
        guard status.st_mode & 0o077 == 0 else { throw .isOpenToOthers }
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func readOnce(from descriptor: Int32) -> Int { read(descriptor, baseAddress, count) }
}
