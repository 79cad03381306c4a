public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A token in a file that only its owner can read: for a command line, or a server on Linux.
///
/// ```swift
/// let store = FileTokenStore(path: "/var/lib/reader/token.json")
/// let client = APIClient().authorized(by: .stored(in: store), for: .shop)
/// ```
/// The file is written as a whole each time the token changes: to a new file (mode 0600), which then replaces the old
/// one, so that it is never visible half written. It is read for each ``load()``, so several processes can share it. A
/// file that other users can read, or that belongs to another user, is rejected, as `ssh` rejects such a key: they may
/// already know the token. The token isn't encrypted.
///
/// The new file is locked (`flock`) until it has replaced the old one. If a process dies before that, it leaves a file
/// with a token in it. The next ``save(_:)`` or ``remove()`` removes such leftovers, but no file that another process
/// is still writing.
///
/// The store reads and writes on its own thread, one call after another, and callers suspend. So a disk that hangs
/// occupies none of Swift's own threads. Copies of a store share the thread, which ends when no work is left. If a
/// caller's task is cancelled, its call throws `CancellationError` at once. Work that had not started is dropped. A
/// save that had started writes nothing, unless it was already replacing the old file.
///
/// A symbolic link is followed for reading, and replaced by a file for writing; the target of the link is unchanged,
/// with the old token in it.
///
/// The file is a JSON document; unknown keys are ignored:
/// ```json
/// { "format": "hikyaku-token", "version": 1, "token": "…", "scheme": "Bearer", "refreshToken": "…",
///   "expiresAt": "2026-11-21T10:30:00Z", "scopes": ["read"], "idToken": "…" }
/// ```
public struct FileTokenStore: TokenStore {
    /// The path of the file.
    public var path: String { file.path }

    private let file: PrivateFile
    private let worker = SerialWorker(name: "hikyaku-tokens")

    /// Creates a store for a file; nothing is read or written yet.
    ///
    /// - Parameter path: The path of the file; its folder must exist when the file is written. `~` isn't expanded,
    ///   since shells do that: a path that begins with it is relative to the working directory.
    public init(path: String) {
        file = PrivateFile(path: path)
    }

    /// Creates a store for a file by its URL: see ``init(path:)``.
    public init(url: URL) { self.init(path: url.filePath) }

    /// For a test that replaces the disk.
    init(path: String, sync: @escaping PrivateFile.Sync) {
        file = PrivateFile(path: path, sync: sync)
    }

    /// `true`.
    public var endsOnCancellation: Bool { true }

    /// Writes the token to the file.
    ///
    /// - Throws: ``StoreFileError`` if it can't be written; the old one is then unchanged. `CancellationError`.
    public func save(_ token: IssuedToken) async throws {
        guard let bytes = try? TokenDocument.bytes(of: token) else {
            throw StoreFileError(.unwritable, .token, path, "the token can't be written as JSON")
        }
        try await onThread(otherwise: .unwritable(EAGAIN)) { file, isCancelled throws(PrivateFile.Problem) in
            try file.write(bytes, isGivenUp: isCancelled)
        }
    }

    /// Reads the token; `nil` if the file does not exist.
    ///
    /// - Throws: ``StoreFileError`` if the file can't be read, can be read by other users, or has another format. It is
    ///   not changed. `CancellationError`.
    public func load() async throws -> IssuedToken? {
        let bytes = try await onThread(otherwise: .unreadable(EAGAIN)) { file, _ throws(PrivateFile.Problem) in
            try file.read(upTo: TokenDocument.bytesMax, isOwnersAlone: true)
        }
        guard let bytes else { return nil }
        do throws(TokenDocument.Malformed) {
            return try TokenDocument.token(in: bytes)
        } catch {
            throw StoreFileError(.malformed, .token, path, error.message)
        }
    }

    /// Removes the file.
    ///
    /// - Throws: ``StoreFileError`` if it can't be removed; `CancellationError`.
    public func remove() async throws {
        try await onThread(otherwise: .unwritable(EAGAIN)) { file, _ throws(PrivateFile.Problem) in
            try file.remove()
        }
    }

    private func onThread<Value: Sendable>(
        otherwise problemWithoutThread: PrivateFile.Problem,
        _ work: @escaping @Sendable (PrivateFile, () -> Bool) throws(PrivateFile.Problem) -> Value,
    ) async throws -> Value {
        let outcome = await worker.run { [file] isCancelled in
            Result { () throws(PrivateFile.Problem) in try work(file, isCancelled) }
        }
        switch outcome {
        case .done(.success(let value)): return value
        case .done(.failure(let problem)): throw StoreFileError(problem, .token, path)
        case .cancelled: throw CancellationError()
        case .noThread: throw StoreFileError(problemWithoutThread, .token, path)
        }
    }
}

extension FileTokenStore: Redacted {
    /// The path of the file.
    public var description: String { "FileTokenStore at \(path)" }
}
