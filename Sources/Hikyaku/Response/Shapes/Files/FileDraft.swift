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

/// A file that is being written beside the place where it is to be; removed unless it is finished.
///
/// Not sendable: it is the task's that reads the body.
final class FileDraft {
    private let draftPath: String
    private let destination: FileDestination
    private let descriptor: Int32
    private var isFinished = false
    private(set) var count = 0

    init(for destination: FileDestination) throws(TransportError) {
        self.destination = destination
        // In the same folder, since a file can't be renamed to another volume.
        let folder = destination.path.map(Self.folder) ?? Self.temporaryFolder
        let name = ".hikyaku-\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        draftPath = folder + name
        // What stays is as open to others as the process' files are; what is temporary is nobody else's.
        descriptor = open(draftPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, destination.path == nil ? 0o600 : 0o666)
        guard descriptor >= 0 else {
            isFinished = true
            throw TransportError(.fileNotWritten, "no file can be made in the folder: errno \(errno)")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isFinished { unlink(draftPath) }
    }

    func append(_ piece: Data) throws(TransportError) {
        let code = piece.withUnsafeBytes { $0.writeAll(to: descriptor) }
        guard code == 0 else { throw TransportError(.fileNotWritten, "the file can't be written: errno \(code)") }
        count += piece.count
    }

    /// Gives the file its name, with all of it on the disk.
    func finish() throws(TransportError) -> ResponseFile {
        guard let path = destination.path else {
            isFinished = true
            return ResponseFile(path: draftPath, isTemporary: true, count: count)
        }
        guard fsync(descriptor) == 0, rename(draftPath, path) == 0 else {
            throw TransportError(.fileNotWritten, "the file can't be put in its place: errno \(errno)")
        }
        isFinished = true
        return ResponseFile(path: path, isTemporary: false, count: count)
    }

    /// What is before the file's name, slash included.
    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)])
    }

    private static var temporaryFolder: String {
        let path = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        return path.hasSuffix("/") ? path : path + "/"
    }
}
