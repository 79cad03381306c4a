import HikyakuJSON

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

/// The draft of a destination whose download resumes: it has a stable name, and a record of what it is a part of.
///
/// It is locked (`flock`) as long as this object exists, so that one call writes it. On a file system without locks,
/// two calls at once may damage the draft; then only a digest finds that.
///
/// What survives what:
/// - A cut, an error, a cancellation: the draft is put on the disk, and the record says its size.
/// - The end of the process (`kill -9`): the bytes that were written are the system's. In the same boot of the machine
///   the draft's own size counts, where the boot has a name; otherwise what the record says.
/// - The loss of power: what the record says. It is written after the bytes that it counts are on the disk, and a
///   record of other bytes is removed from the disk before the draft is emptied.
///
/// It is not sendable: only the task that reads the body uses it.
final class ResumableDraft {
    /// The draft is put on the disk, and the record written, after this number of bytes, which a power cut may lose.
    static let syncedEvery = 32 << 20

    private let path: String
    private let destinationPath: String
    private let bytesMax: Int
    private let resource: String
    private let descriptor: Int32
    private var check: DigestCheck?
    private let digest: ContentDigest?
    /// What the draft is a part of; `nil` if the download can't be resumed.
    private(set) var record: DownloadRecord?
    /// The number of bytes in the draft.
    private(set) var count = 0
    /// The content coding of its bytes; `nil` for none.
    private(set) var coding: String?
    /// Whether there may be a file at the destination when the draft is finished.
    private var replaces = true
    private var isFinished = false
    /// Ensures that the draft's content is on the disk; a test replaces it to simulate a disk that fails.
    var sync: PrivateFile.Sync = { Disk.sync($0) }

    /// - Parameters:
    ///   - destination: A resumable destination.
    ///   - path: Its path.
    ///   - resource: The digest of the URL.
    /// - Returns: The draft; `nil` while another call writes it.
    /// - Throws: ``TransportError``.
    static func take(
        for destination: FileDestination,
        at path: String,
        resource: String,
    ) throws(TransportError) -> ResumableDraft? {
        try destination.check()
        let replaces = !destination.keepsFile || mayReplace(destination, at: path, resource: resource)
        guard replaces || !FileTarget.isTaken(path) else {
            throw FileCause.fileExists.error("there is a file at the destination")
        }
        guard let descriptor = try openLocked(draftPath(of: path), O_CREAT) else { return nil }
        let draft = try ResumableDraft(descriptor, for: destination, at: path, resource: resource)
        draft.replaces = replaces
        return draft
    }

    private init(
        _ descriptor: Int32,
        for destination: FileDestination,
        at destinationPath: String,
        resource: String,
    ) throws(TransportError) {
        self.descriptor = descriptor
        self.destinationPath = destinationPath
        self.resource = resource
        path = Self.draftPath(of: destinationPath)
        (bytesMax, digest) = (destination.bytesMax, destination.digest)
        let known = Self.record(of: destinationPath)
        if let known, known.isUsable(for: resource, bytesMax: bytesMax),
            let count = known.trustedCount(of: Self.size(of: descriptor), bootNow: DownloadRecord.bootNow), count > 0
        {
            (record, self.count, coding) = (known, count, known.coding)
            try cut(to: count)
            check = try DigestCheck(digest, known.digest)
        } else {
            try empty()
        }
    }

    deinit {
        // An empty draft is of no use either.
        if !isFinished, record == nil || count == 0, LockedDraft.isStill(descriptor, at: path) {
            _ = try? recordFile.remove()
            unsafe unlink(path)
        }
        close(descriptor)
    }

    private var recordFile: PrivateFile { Self.recordFile(of: destinationPath) }

    /// The range to request; `nil` for the whole file.
    var range: RangeRequest? {
        guard let record, let validator = record.validator else { return nil }
        return RangeRequest(after: count, total: record.total, validator: validator)
    }

    /// Drops all bytes.
    func empty() throws(TransportError) {
        // The record goes first, and from the disk too: it must never meet the bytes of another version.
        do throws(PrivateFile.Problem) {
            if Self.exists(recordFile.path) { try recordFile.remove() }
        } catch {
            throw FileCause.fileNotWritten.error("the record of an earlier download can't be removed: \(error)")
        }
        record = nil
        check = nil
        try cut(to: 0)
    }

    /// Empties the draft for a body that begins at the first byte.
    ///
    /// - Parameters:
    ///   - response: The response with the body.
    ///   - origin: The digest of the origin that it came from.
    /// - Throws: ``TransportError``.
    func begin(_ response: HTTPResponse, from origin: String? = nil) throws(TransportError) {
        try empty()
        let (total, sent) = (response.body.count, ServiceDigest.read(from: response))
        coding = response.contentCoding
        check = try DigestCheck(digest, sent, note: response.codingNote)
        if let total { try checkRoom(for: total) }
        let isRefused = response.headers["Accept-Ranges"].map { String($0.trimmingSpaces).asciiLowercased } == "none"
        guard !isRefused, !response.isDecoded, total != 0, let validator = RangeValidator(response.headers) else {
            return
        }
        record = DownloadRecord(
            resource: resource,
            origin: origin,
            validator: validator,
            total: total,
            digest: sent,
        )
        record?.coding = coding
        record?.replaces = replaces ? true : nil
        save()
    }

    /// Prepares for a part of the file.
    func resume(at offset: Int, end: Int, total: Int?, _ response: HTTPResponse) throws(TransportError) {
        // The last byte of a complete draft is requested again, and overwrites itself: a process that is killed in
        // between leaves the draft complete.
        if offset < count { try seek(to: offset) }
        record?.total = total
        if let sent = ServiceDigest.read(from: response), record?.digest == nil {
            record?.digest = sent
            check = try DigestCheck(digest, sent)
        }
        try checkRoom(for: end)
    }

    /// Writes the next bytes.
    func append(_ piece: Data) throws(TransportError) {
        guard piece.count <= bytesMax - count else {
            record = nil
            throw FileCause.fileTooLarge.error("the body is larger than the limit of \(bytesMax) bytes for its file")
        }
        let code = unsafe piece.withUnsafeBytes { unsafe $0.writeAll(to: descriptor) }
        // Where it ends, a part of the piece may have been written.
        let end = code == 0 ? count + piece.count : max(count, Int(clamping: lseek(descriptor, 0, SEEK_CUR)))
        // A digest that isn't up to date reads the rest at the end.
        if let check, check.count == count { try check.update(piece.prefix(end - count)) }
        count = end
        guard code == 0 else {
            let missing = record?.total.map { $0 - count }
            throw Disk.error(code, "the file can't be written", path: path, missing: missing)
        }
        if let record, count - record.synced >= Self.syncedEvery { try keep() }
    }

    /// Puts the bytes so far on the disk, so that they survive anything.
    ///
    /// - Throws: ``TransportError`` if that fails: then only the bytes are left that were on the disk before.
    func keep() throws(TransportError) {
        guard record != nil else { return }
        try putOnDisk()
        record?.synced = count
        save()
    }

    /// Puts the draft on the disk.
    ///
    /// After a failure the system may take bytes for written that are lost, and the next sync succeeds. So all bytes
    /// since the last success are dropped.
    private func putOnDisk() throws(TransportError) {
        guard sync(descriptor) != 0 else { return }
        let error = Disk.error(errno, "the file can't be put on the disk", path: path)
        do throws(TransportError) { try cut(to: record?.synced ?? 0) } catch { record = nil }
        throw error
    }

    /// Computes the digests of the bytes that are already there, before a request whose connection would wait for it.
    ///
    /// - Throws: `CancellationError`, and ``TransportError``.
    func digestWhatIsKept() throws { try digest(upTo: range?.offset ?? count) }

    /// Checks the digests, and gives the file its name after its whole content is on the disk.
    ///
    /// - Throws: `CancellationError`, and ``TransportError``.
    func finish() throws -> ResponseFile {
        try digest(upTo: count)
        do throws(TransportError) {
            try check?.verify()
        } catch {
            record = nil
            throw error
        }
        try putOnDisk()
        let code = FileTarget.rename(path, to: destinationPath, replacing: replaces)
        guard code == 0 else { throw Disk.error(code, "the file can't be moved to its final path", path: path) }
        isFinished = true
        // This also syncs the folder. A record without its draft is removed by the next call at the latest.
        if (try? recordFile.remove()) == nil { Disk.syncFolder(of: destinationPath) }
        return ResponseFile(path: destinationPath, isTemporary: false, count: count, contentCoding: coding)
    }

    private func checkRoom(for total: Int) throws(TransportError) {
        guard total <= bytesMax else {
            record = nil
            throw FileCause.fileTooLarge.error(
                "the body has \(total) bytes, but the limit for its file is \(bytesMax)"
            )
        }
        try Disk.checkRoom(for: total - count, beside: path)
    }

    private func save() {
        guard let record, let bytes = try? HikyakuJSONEncoder().encode(record) else { return }
        try? recordFile.write(bytes)
    }

    /// Shortens the draft, and writes on from there.
    private func cut(to count: Int) throws(TransportError) {
        guard ftruncate(descriptor, off_t(count)) == 0 else {
            throw Disk.error(errno, "the draft can't be shortened", path: path)
        }
        try seek(to: count)
    }

    private func seek(to count: Int) throws(TransportError) {
        guard lseek(descriptor, off_t(count), SEEK_SET) >= 0 else {
            throw Disk.error(errno, "the draft can't be written", path: path)
        }
        self.count = count
        // A digest can't go back.
        if let check, check.count > count { self.check = try DigestCheck(digest, record?.digest) }
    }

    private func digest(upTo end: Int) throws {
        guard let check, check.count < end else { return }
        guard lseek(descriptor, off_t(check.count), SEEK_SET) >= 0 else {
            throw Disk.error(errno, "the draft can't be read", path: path)
        }
        var piece = Data(count: 256 * 1024)
        while check.count < end {
            try Task.checkCancellation()
            let wanted = min(piece.count, end - check.count)
            let size = unsafe piece.withUnsafeMutableBytes { unsafe $0.readOnce(from: descriptor, upTo: wanted) }
            if size < 0, errno == EINTR { continue }
            guard size > 0 else { throw Disk.error(size < 0 ? errno : EIO, "the draft can't be read", path: path) }
            try check.update(piece.prefix(size))
        }
        guard lseek(descriptor, off_t(count), SEEK_SET) >= 0 else {
            throw Disk.error(errno, "the draft can't be read", path: path)
        }
    }
}

// The files beside a destination.
extension ResumableDraft {
    /// How many bytes of a destination's file are kept; `nil` if nothing can be resumed.
    static func keptBytes(for destination: String) -> Int? {
        guard FileTarget.nulProblem(in: destination) == nil else { return nil }
        let path = draftPath(of: destination)
        guard let record = record(of: destination), record.validator != nil, exists(path) else { return nil }
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let count = record.trustedCount(of: size(of: descriptor), bootNow: DownloadRecord.bootNow)
        return count == 0 ? nil : count
    }

    /// Removes draft and record of a destination.
    static func remove(for destination: String) throws(TransportError) {
        if let problem = FileTarget.nulProblem(in: destination) {
            throw FileCause.fileNotWritten.error("the destination \(problem)")
        }
        guard exists(draftPath(of: destination)) || exists(recordFile(of: destination).path) else { return }
        guard let descriptor = try openLocked(draftPath(of: destination), O_CREAT) else {
            throw FileCause.fileInUse.error("another call is downloading to the same file")
        }
        defer { close(descriptor) }
        do throws(PrivateFile.Problem) {
            try recordFile(of: destination).remove()
        } catch {
            throw FileCause.fileNotWritten.error("the record of the download can't be removed: \(error)")
        }
        guard unsafe unlink(draftPath(of: destination)) == 0 else {
            throw Disk.error(errno, "the draft can't be removed", path: destination)
        }
    }

    private static func draftPath(of destination: String) -> String {
        let name = DraftName(for: destination)
        return "\(name.folder)\(name.stem).part"
    }

    private static func recordFile(of destination: String) -> PrivateFile {
        PrivateFile(path: draftPath(of: destination) + ".json", sync: { Disk.sync($0) })
    }

    private static func record(of destination: String) -> DownloadRecord? {
        let file = recordFile(of: destination)
        let bytes = try? file.read(upTo: DownloadRecord.bytesMax, isOwnersAlone: true)
        return bytes.flatMap { try? HikyakuJSONDecoder().decode(DownloadRecord.self, from: $0) }
    }

    /// Opens a draft and takes its lock.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - flags: In addition to reading and writing.
    /// - Returns: The descriptor; `nil` if another open file has the lock.
    /// - Throws: ``TransportError``.
    private static func openLocked(_ path: String, _ flags: Int32) throws(TransportError) -> Int32? {
        for _ in 0..<LockedDraft.attemptsMax {
            // No link is followed, and no other file than the user's own is written.
            let descriptor = unsafe open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0o666)
            guard descriptor >= 0 else { throw Disk.error(errno, "no draft can be created in the folder", path: path) }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_uid == geteuid(), status.st_nlink <= 1
            else {
                close(descriptor)
                throw FileCause.fileNotWritten.error("the draft beside the destination isn't this user's own file")
            }
            let hold = LockedDraft.hold(descriptor)
            if hold != .taken, LockedDraft.isStill(descriptor, at: path) { return descriptor }
            close(descriptor)
            if hold == .taken { return nil }
            // Its writer has renamed or removed it before it was locked.
        }
        return nil
    }

    /// The size of an open file, whose position is moved.
    private static func size(of descriptor: Int32) -> Int { max(0, Int(clamping: lseek(descriptor, 0, SEEK_END))) }

    /// Whether an unfinished download of the resource has begun with the permission to replace a file.
    ///
    /// Without it, a file at the destination is another one: that of the download gets its name when it is complete,
    /// and then there is no record any more.
    static func mayReplace(_ destination: FileDestination, at path: String, resource: String) -> Bool {
        guard let record = record(of: path), record.replaces == true else { return false }
        return record.isUsable(for: resource, bytesMax: destination.bytesMax)
    }

    /// Whether there is something at a path, a link without a target included.
    private static func exists(_ path: String) -> Bool { FileTarget.isTaken(path) }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func readOnce(from descriptor: Int32, upTo count: Int) -> Int {
        unsafe read(descriptor, baseAddress, Swift.min(count, self.count))
    }
}
