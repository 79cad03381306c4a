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

/// A file that is written next to its destination, and removed unless it is finished.
///
/// If the process dies before that, the next download to the same destination removes the leftover. The system cleans
/// its temporary folder itself.
///
/// It is not sendable: only the task that reads the body uses it, and writes one piece at a time on its own thread. No
/// call waits for a lock.
final class FileDraft {
    private let draft: LockedDraft
    private let destination: FileDestination
    private var isFinished = false
    private var count = 0
    /// The size of the whole body, if it is known.
    private var total: Int?

    init(for destination: FileDestination) throws(TransportError) {
        try destination.check()
        self.destination = destination
        let family = Self.family(of: destination)
        if destination.path != nil { LockedDraft.removeLeftovers(of: family) }
        do throws(Errno) {
            // A permanent file gets the process' default permissions; a temporary one is private to the user.
            draft = try LockedDraft.make(of: family, mode: destination.path == nil ? 0o600 : 0o666)
        } catch {
            let name = family.folder.byteSplit(separator: "/").last.map(String.init) ?? "/"
            let folder = "\"\(Redaction.printable(name, scalarsMax: 100))\""
            throw Disk.error(error.code, "no file can be created in the folder \(folder)", path: family.folder)
        }
    }

    deinit {
        if isFinished { draft.finish() } else { draft.abandon() }
    }

    /// Checks that there is room for a body before any of it is received.
    func checkRoom(for expected: Int) throws(TransportError) {
        guard expected <= destination.bytesMax else {
            throw FileCause.fileTooLarge.error(
                "the body has \(expected) bytes, but the limit for its file is \(destination.bytesMax)"
            )
        }
        try Disk.checkRoom(for: expected, beside: draft.path)
        total = expected
    }

    func append(_ piece: Data) throws(TransportError) {
        guard piece.count <= destination.bytesMax - count else {
            throw FileCause.fileTooLarge.error(
                "the body is larger than the limit of \(destination.bytesMax) bytes for its file"
            )
        }
        let code = unsafe piece.withUnsafeBytes { unsafe $0.writeAll(to: draft.descriptor) }
        guard code == 0 else {
            throw Disk.error(code, "the file can't be written", path: draft.path, missing: total.map { $0 - count })
        }
        count += piece.count
    }

    /// Renames the file to its destination, after its whole content is on the disk.
    func finish(contentCoding: String? = nil) throws(TransportError) -> ResponseFile {
        guard let path = destination.path else {
            isFinished = true
            return ResponseFile(path: draft.path, isTemporary: true, count: count, contentCoding: contentCoding)
        }
        let code = Disk.sync(draft.descriptor) == 0 ? FileTarget.rename(draft.path, to: path) : errno
        guard code == 0 else { throw Disk.error(code, "the file can't be moved to its final path", path: path) }
        isFinished = true
        Disk.syncFolder(of: path)
        return ResponseFile(path: path, isTemporary: false, count: count, contentCoding: contentCoding)
    }

    private static func family(of destination: FileDestination) -> LockedDraft.Family {
        guard let path = destination.path else {
            return LockedDraft.Family(folder: temporaryFolder, prefix: ".hikyaku-", suffix: "")
        }
        let name = DraftName(for: path)
        return LockedDraft.Family(folder: name.folder, prefix: "\(name.stem).", suffix: ".new")
    }

    private static var temporaryFolder: String {
        let path = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        return path.utf8.last == UInt8(ascii: "/") ? path : path + "/"
    }
}

/// The beginning of the names of a destination's drafts.
struct DraftName {
    /// That of the destination, since a file can't be renamed to another volume; with a trailing slash, or empty.
    let folder: String
    /// A hash, since the name itself with a prefix and a suffix could be too long for the file system.
    let stem: String

    init(for path: String) {
        let parts = PathParts(path)
        folder = parts.folder
        stem = ".hikyaku-\(String(Self.hash(of: parts.name), radix: 36))"
    }

    /// FNV-1a: the same in every process.
    private static func hash(of name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
