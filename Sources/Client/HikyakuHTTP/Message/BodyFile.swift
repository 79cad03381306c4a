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

/// A regular file that is sent as a body; its size is read once.
///
/// Of a file that has grown since, the beginning is sent, and one that has shrunk is an error. Its parts are all of the
/// same version.
///
/// On Apple's platforms nothing here reads the status of a file (`stat`): an app must declare why it does so, and an
/// upload is not a reason to.
package struct BodyFile: Sendable {
    /// A file as it was when the body was made; a reference, since bodies are copied often.
    private final class Original: Sendable {
        let path: String
        let count: Int
        /// The version of the parts; `nil` before the first one is read.
        private let version = Lock<FileVersion?>(nil)

        init(path: String, count: Int) {
            (self.path, self.count) = (path, count)
        }

        /// Whether an open file has the version of the parts that were read before.
        func isUnchanged(_ descriptor: Int32) -> Bool {
            let version = version.withLock { version in
                if version == nil { version = FileVersion(descriptor) }
                return version
            }
            guard let version, version.isOf(descriptor) else { return false }
            return lseek(descriptor, 0, SEEK_END) == off_t(count)
        }
    }

    private let original: Original
    private var isPart = false
    /// Where the body begins in the file.
    private(set) var start = 0
    private(set) var count: Int

    init(path: String) throws(TransportError) {
        let descriptor = try Self.descriptor(of: path)
        defer { close(descriptor) }
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0, !Self.isFolder(descriptor), end > 0 || !Self.isDevice(descriptor) else {
            throw Self.fault("is not a regular file", path)
        }
        guard let count = Int(exactly: end) else {
            throw Self.fault("is too large", path)
        }
        self.count = count
        original = Original(path: path, count: count)
    }

    /// Its path; `nil` for a part of the file.
    var wholePath: String? { isPart ? nil : original.path }

    /// A part of the file, which must lie in this one.
    func part(_ range: Range<Int>) -> BodyFile {
        var part = self
        (part.isPart, part.start, part.count) = (true, start + range.lowerBound, range.count)
        return part
    }

    /// Opens the file.
    ///
    /// - Throws: ``TransportError`` with ``FailureReason/body``, also for a part of a file that was changed.
    fileprivate func descriptor() throws(TransportError) -> Int32 {
        let descriptor = try Self.descriptor(of: original.path)
        // A part that is the whole file is read again from its beginning, but later parts must have its version.
        if !isPart || original.isUnchanged(descriptor) || count == original.count { return descriptor }
        close(descriptor)
        throw fault("was changed while it was sent in parts")
    }

    /// An error that names the file, without its folders.
    fileprivate func fault(_ problem: String) -> TransportError { Self.fault(problem, original.path) }

    private static func fault(_ problem: String, _ path: String) -> TransportError {
        let name = Redaction.printable(path.byteSplit(separator: "/").last.map(String.init) ?? path, scalarsMax: 100)
        let isURL = ["file:", "http://", "https://"].contains { path.hasBytePrefix($0) }
        let cause: HTTPCause = isURL ? .bodyURL : .bodyFile
        return cause.error("the body's file \"\(name)\" \(problem)")
    }

    private static func descriptor(of path: String) throws(TransportError) -> Int32 {
        // The system would cut the path there, and open another file.
        guard !path.utf8.contains(0) else { throw fault("has a NUL in its path", path) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw fault("can't be opened: \(SystemErrors.text(of: errno))", path)
        }
        return descriptor
    }

    /// Whether names can be looked up in an open file; also if this process may not do that.
    private static func isFolder(_ descriptor: Int32) -> Bool {
        faccessat(descriptor, ".", F_OK, 0) == 0 || errno != ENOTDIR
    }

    /// Whether an open file without a length has bytes nevertheless, or can't be mapped.
    private static func isDevice(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        if pread(descriptor, &byte, 1, 0) > 0 { return true }
        guard let memory = mmap(nil, 1, PROT_READ, MAP_PRIVATE, descriptor, 0), memory != MAP_FAILED else {
            return errno == ENODEV
        }
        munmap(memory, 1)
        return false
    }
}

/// What shows whether a file that was opened is still at its path, with the same content.
private final class FileVersion: Sendable {
    #if canImport(Darwin)
    /// The file itself, whose changes the queue gets.
    private let file: Int32
    private let queue: Int32

    /// Begins to watch an open file; `nil` if the system can't.
    init?(_ descriptor: Int32) {
        (file, queue) = (fcntl(descriptor, F_DUPFD_CLOEXEC, 0), kqueue())
        guard file >= 0, queue >= 0 else { return nil }
        // Unlike `kevent`, its function and its structure have different names.
        var watch = kevent64_s(
            ident: UInt64(file),
            filter: Int16(EVFILT_VNODE),
            // It is not cleared: an event that was read once is there again the next time.
            flags: UInt16(EV_ADD),
            fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME),
            data: 0,
            udata: 0,
            ext: (0, 0),
        )
        guard kevent64(queue, &watch, 1, nil, 0, 0, nil) == 0 else { return nil }
    }

    deinit {
        if queue >= 0 { close(queue) }
        if file >= 0 { close(file) }
    }

    /// Whether a file that was opened at the same path has this version.
    ///
    /// A file that replaces another one by its name makes an event of the other one.
    func isOf(_: Int32) -> Bool {
        var event = kevent64_s()
        var atOnce = timespec()
        return kevent64(queue, nil, 0, &event, 1, 0, &atOnce) == 0
    }
    #else
    private let device: dev_t
    private let number: ino_t
    private let seconds: time_t
    private let nanoseconds: Int

    /// Reads what changes with the content of an open file; `nil` if the system can't.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    /// Whether a file that was opened at the same path has this version.
    func isOf(_ descriptor: Int32) -> Bool {
        guard let now = FileVersion(descriptor) else { return false }
        return (device, number, seconds, nanoseconds) == (now.device, now.number, now.seconds, now.nanoseconds)
    }
    #endif
}

/// Reads a file piece by piece, up to the size that it had when the body was made.
///
/// `@unchecked`: the compiler can't see that only `next`, which isn't called twice at once, and `deinit` use the state.
/// It can go when a body's source is read by one owner that the compiler knows.
final class FileSource: BodySource, @unchecked Sendable {
    private static let pieceBytes = 256 * 1024

    private let file: BodyFile
    /// For as many pieces as a transport holds at once, about.
    private let memory: PieceMemory
    private var descriptor: Int32 = -1
    private var position = 0

    init(_ file: BodyFile) {
        self.file = file
        memory = PieceMemory(capacity: max(1, min(Self.pieceBytes, file.count)), spareMax: 6)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func next() async throws -> Data? {
        let wanted = min(Self.pieceBytes, file.count - position)
        guard wanted > 0 else { return nil }
        try Task.checkCancellation()
        if descriptor < 0 { descriptor = try file.descriptor() }
        guard let room = memory.take() else { throw HTTPCause.memory.error("not enough memory for the body") }
        var readCount = 0
        repeat {
            readCount = pread(descriptor, room, wanted, off_t(file.start) + off_t(position))
        } while readCount < 0 && errno == EINTR
        guard readCount > 0 else {
            let code = errno
            memory.giveBack(room)
            if readCount == 0 { return nil }
            throw file.fault("can't be read: \(SystemErrors.text(of: code))")
        }
        position += readCount
        return memory.piece(room, count: readCount)
    }

    func cancel() {}
}
