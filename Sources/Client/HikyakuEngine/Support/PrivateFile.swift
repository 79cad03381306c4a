#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A small file that only its owner can read, and that is never visible half written.
///
/// A symbolic link is followed for reading, and replaced by a file for writing: secrets must not be written to the
/// target of a link. `~` is an ordinary character.
package struct PrivateFile: Sendable {
    package enum Problem: Error {
        case unreadable(Int32)
        case tooLarge
        /// Other users can read or write it.
        case isAccessibleToOthers
        case belongsToAnotherUser
        case unwritable(Int32)
        /// No file can be read from the path, or put there; the text is the end of a sentence.
        case unreadablePath(String)
        case unwritablePath(String)
    }

    package let path: String
    /// Ensures that an open file's content is on the disk; a test replaces it to simulate a disk that hangs.
    package var sync: Sync

    package init(path: String, sync: @escaping Sync = { fsync($0) }) {
        self.path = path
        self.sync = sync
    }

    package typealias Sync = @Sendable (_ descriptor: Int32) -> Int32

    /// The file's bytes, up to a maximum size; `nil` if the file does not exist.
    ///
    /// Optionally rejects a file that doesn't belong to the process' user, or that other users can read.
    package func read(upTo bytesMax: Int, isOwnersAlone: Bool = false) throws(Problem) -> Data? {
        if let problem = FileTarget.nulProblem(in: path) { throw .unreadablePath(problem) }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw .unreadable(errno) }
        defer { close(descriptor) }
        if isOwnersAlone { try Self.checkOwner(of: descriptor) }
        var bytes = Data()
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe $0.readOnce(from: descriptor) }
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unreadable(errno) }
            bytes += piece.prefix(count)
            guard bytes.count <= bytesMax else { throw .tooLarge }
        }
    }

    /// Replaces the file by a new one that only the owner can read, and removes leftovers of processes that died.
    ///
    /// - Parameters:
    ///   - bytes: The new content.
    ///   - isGivenUp: Called before the new file replaces the old one; `true` keeps the old one.
    /// - Throws: `unwritable`; the old file is then unchanged.
    package func write(_ bytes: Data, isGivenUp: () -> Bool = { false }) throws(Problem) {
        if let problem = FileTarget.problem(at: path) { throw .unwritablePath(problem) }
        LockedDraft.removeLeftovers(of: drafts)
        var code = EIO
        for _ in 0..<LockedDraft.attemptsMax {
            let draft: LockedDraft
            do throws(Errno) {
                draft = try LockedDraft.make(of: drafts, mode: 0o600)
            } catch {
                throw .unwritable(error.code)
            }
            code = unsafe bytes.withUnsafeBytes { unsafe $0.writeAll(to: draft.descriptor) }
            if code == 0, sync(draft.descriptor) != 0 { code = max(errno, 1) }
            if code == 0, isGivenUp() { code = ECANCELED }
            if code == 0 { code = FileTarget.rename(draft.path, to: path) }
            guard code != 0 else {
                draft.finish()
                return syncFolder()
            }
            // On a file system without locks another process may have removed it as a leftover.
            let isLost = code == ENOENT && !draft.isStillThere
            draft.abandon()
            if !isLost { break }
        }
        throw .unwritable(code)
    }

    /// Removes the file, if it exists, and leftovers of processes that died.
    package func remove() throws(Problem) {
        if let problem = FileTarget.problem(at: path) { throw .unwritablePath(problem) }
        LockedDraft.removeLeftovers(of: drafts)
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .unwritable(errno) }
        syncFolder()
    }

    private var drafts: LockedDraft.Family {
        let parts = PathParts(path)
        return LockedDraft.Family(folder: parts.folder, prefix: "\(parts.name).", suffix: ".new")
    }

    /// Makes the folder's new entry survive a power failure.
    ///
    /// Without that, the old file may reappear, with a used token in it. Some file systems don't support this; the file
    /// is still written.
    private func syncFolder() {
        let folder = PathParts(path).folder
        let descriptor = unsafe open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = sync(descriptor)
        close(descriptor)
    }

    private static func checkOwner(of descriptor: Int32) throws(Problem) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadable(errno) }
        guard status.st_uid == geteuid() else { throw .belongsToAnotherUser }
        guard status.st_mode & 0o077 == 0 else { throw .isAccessibleToOthers }
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func readOnce(from descriptor: Int32) -> Int { unsafe read(descriptor, baseAddress, count) }
}
