#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What is at a path, where its links lead to.
///
/// A file that is renamed takes the place of anything but a folder, also of a device that the whole machine uses. And
/// who reads a pipe or a device may read without end. So paths of others are looked at before.
package enum FileKind: Sendable {
    case nothing
    /// A link whose target doesn't exist.
    case brokenLink
    case file, folder, pipe, socket, device
    /// A file that a folder of the system's own names, such as /dev/stdout: some process has opened it, or the system
    /// makes its content.
    case openFile

    /// Looks at a path.
    package init(at path: String) {
        var status = stat()
        // The function has the name of its structure; only on Linux can Swift distinguish them.
        guard unsafe fstatat(AT_FDCWD, path, &status, 0) == 0 else {
            let isLink = unsafe lstat(path, &status) == 0
            self = !isLink ? .nothing : Self.isInSystemFolder(path) ? .openFile : .brokenLink
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = Self.isInSystemFolder(path) ? .openFile : .file
        case S_IFDIR: self = .folder
        case S_IFIFO: self = .pipe
        case S_IFSOCK: self = .socket
        default: self = .device
        }
    }

    /// Why no other file can take its place, as the end of a sentence; `nil` if one can.
    package var words: String? {
        switch self {
        case .nothing, .brokenLink, .file: nil
        case .folder: "is a folder"
        case .pipe: "is a pipe"
        case .socket: "is a socket"
        case .device: "is a device"
        case .openFile: "is a file of the system"
        }
    }

    /// Whether a path's folder, without links, is the system's own; the one for files in memory is not.
    private static func isInSystemFolder(_ path: String) -> Bool {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(Substring(path.utf8[...$0])) } ?? "."
        guard let real = unsafe realpath(folder, nil) else { return false }
        defer { unsafe free(real) }
        let bytes = unsafe String(cString: real).utf8
        func isIn(_ folder: String) -> Bool {
            bytes.elementsEqual(folder.utf8) || bytes.starts(with: (folder + "/").utf8)
        }
        return isIn("/proc") || isIn("/dev") && !isIn("/dev/shm")
    }
}
