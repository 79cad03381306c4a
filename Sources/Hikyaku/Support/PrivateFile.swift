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
        let isWritten = Self.write(bytes, to: descriptor) && fsync(descriptor) == 0
        let writeErrno = errno
        close(descriptor)
        guard isWritten, rename(draft, path) == 0 else {
            let code = isWritten ? errno : writeErrno
            unlink(draft)
            throw .unwritable(code)
        }
    }

    /// Removes the file, if there is one.
    func remove() throws(Problem) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .unwritable(errno) }
    }

    private static func checkOwner(of descriptor: Int32) throws(Problem) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(errno) }
        guard status.st_uid == geteuid() else { throw .isSomeoneElses }
        guard status.st_mode & 0o077 == 0 else { throw .isOpenToOthers }
    }

    private static func write(_ bytes: Data, to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = UnsafeRawBufferPointer(rebasing: rest).writeOnce(to: descriptor)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func readOnce(from descriptor: Int32) -> Int { read(descriptor, baseAddress, count) }
}

extension UnsafeRawBufferPointer {
    fileprivate func writeOnce(to descriptor: Int32) -> Int { write(descriptor, baseAddress, count) }
}
