import Foundation
import Hikyaku
import HikyakuBase
import HikyakuGenerate
import HikyakuOpenAPI

/// What a download is written to, as it is found before the request.
enum DownloadTarget {
    /// A file, which gets its name when it is complete.
    case file(FileDestination)
    /// A device, a pipe or an open file, which is written into, and can't be resumed.
    case stream(FileDestination, descriptor: Int32)

    /// Looks at the path of the options.
    ///
    /// The writer of a pipe waits here for its reader.
    ///
    /// - Throws: ``CommandFailure`` with the path for a file that is there already, unless it may be replaced, and for
    ///   what can't be written.
    init(_ options: DownloadOptions) throws(CommandFailure) {
        let path = options.output
        try WholeFile.checkFolder(of: path)
        if case .brokenLink = FileKind(at: path) {
            throw CommandFailure("\(path) can't be written: it is a link to nothing")
        }
        let digest = options.sha256.map { ContentDigest.sha256($0) }
        guard WholeFile.isReplaceable(path) else {
            let descriptor = try Self.descriptor(of: path)
            let destination = FileDestination.stream(into: descriptor, at: path, bytesMax: .max, digest: digest)
            self = .stream(destination, descriptor: descriptor)
            return
        }
        // The target of a link is replaced, and the link stays.
        let resolved = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        var destination = FileDestination.resumable(at: resolved, bytesMax: .max, digest: digest)
        if !options.replaces {
            destination = destination.keepingFile()
            guard !destination.isTaken(for: options.url) else {
                throw CommandFailure("\(path) exists: move it, or use --force")
            }
        }
        self = .file(destination)
    }

    var destination: FileDestination {
        switch self {
        case .file(let destination), .stream(let destination, _): destination
        }
    }

    /// Ends what was opened: the reader of a pipe then gets its end.
    func close() {
        if case .stream(_, let descriptor) = self { closeDescriptor(descriptor) }
    }

    private static func descriptor(of path: String) throws(CommandFailure) -> Int32 {
        // A reader that ends makes an error of the next write, and no signal.
        signal(SIGPIPE, SIG_IGN)
        var status = stat()
        let isFile = unsafe fstatat(AT_FDCWD, path, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFREG
        // Of an open file, what others have written stays.
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (isFile ? O_APPEND : 0))
        guard descriptor >= 0 else {
            throw CommandFailure("\(path) can't be written: \(SystemErrors.text(of: errno))")
        }
        return descriptor
    }
}

/// The system's function, which the one above hides.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
