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

/// A regular file that is sent as a body; its size is looked at once, and held to while it is read.
package struct BodyFile: Sendable {
    let path: String
    let count: Int

    init(path: String) throws(TransportError) {
        self.path = path
        let descriptor = try Self.open(path)
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw TransportError(.body, "what is to be sent is no regular file")
        }
        guard let count = Int(exactly: status.st_size) else {
            throw TransportError(.body, "the file that is to be sent is too large")
        }
        self.count = count
    }

    fileprivate static func open(_ path: String) throws(TransportError) -> Int32 {
        #if canImport(Darwin)
        let descriptor = Darwin.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #else
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #endif
        guard descriptor >= 0 else {
            throw TransportError(.body, "the file that is to be sent can't be opened: errno \(errno)")
        }
        return descriptor
    }
}

/// Reads a file piece by piece, and no more of it than it had when the body was made.
///
/// `@unchecked`: the compiler can't see that the state is touched only by `next`, which isn't called twice at once, and
/// by `deinit`.
final class FileSource: BodySource, @unchecked Sendable {
    private static let pieceBytes = 256 * 1024

    private let file: BodyFile
    private var descriptor: Int32 = -1
    private var position = 0

    init(_ file: BodyFile) {
        self.file = file
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func next() async throws -> Data? {
        let wanted = min(Self.pieceBytes, file.count - position)
        guard wanted > 0 else { return nil }
        try Task.checkCancellation()
        if descriptor < 0 { descriptor = try BodyFile.open(file.path) }
        var piece = Data(count: wanted)
        var readCount = 0
        repeat {
            readCount = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, wanted) }
        } while readCount < 0 && errno == EINTR
        guard readCount >= 0 else {
            throw TransportError(.body, "the file that is sent can't be read: errno \(errno)")
        }
        position += readCount
        return readCount == 0 ? nil : piece.prefix(readCount)
    }

    func cancel() {}
}
