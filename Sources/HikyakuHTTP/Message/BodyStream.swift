import HikyakuBase

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

/// The source of a streamed body.
///
/// `next` is called again only after the previous call has returned. `cancel` means that the body is no longer read. It
/// may be called at any time, from any thread, also after the end and more than once; a waiting `next` then ends soon.
package protocol BodySource: AnyObject, Sendable {
    /// The next piece; `nil` at the end, and for each later call.
    func next() async throws -> Data?
    func cancel()
    /// The fields that came after the body, known once `next` has returned `nil`.
    var trailers: HTTPHeaders { get }
}

extension BodySource {
    /// Most bodies have none.
    package var trailers: HTTPHeaders { [:] }
}

/// A body that is read piece by piece, either once or any number of times.
package final class BodyStream: Sendable {
    package let count: Int?
    package let isReplayable: Bool
    private let makeSource: (@Sendable () -> any BodySource)?
    private let state: Lock<State>

    private struct State: Sendable {
        var hasBegun = false
        /// A source that exists before its reader.
        var source: (any BodySource)?
        var trailers: HTTPHeaders = [:]
    }

    /// - Parameters:
    ///   - source: A source that exists already; it is cancelled if the stream is dropped unread.
    ///   - count: The size in bytes, if it is known.
    ///   - isReplayable: Whether each source gives the same bytes.
    ///   - makeSource: Makes the source when the stream is read, if there is none yet.
    init(
        _ source: (any BodySource)? = nil,
        count: Int?,
        isReplayable: Bool = false,
        makeSource: (@Sendable () -> any BodySource)? = nil,
    ) {
        (self.count, self.isReplayable, self.makeSource) = (count, isReplayable, makeSource)
        state = Lock(State(source: source))
    }

    deinit {
        state.withLock { $0.source }?.cancel()
    }

    func begin() throws(TransportError) -> BodyReader {
        let (isAgain, source) = state.withLock { state in
            defer { (state.hasBegun, state.source) = (true, nil) }
            return (state.hasBegun, state.source)
        }
        guard isReplayable || !isAgain, let source = source ?? makeSource?() else {
            throw TransportError(.bodyConsumed, "a one-shot body stream was read a second time")
        }
        return BodyReader(source, count: count, of: self)
    }

    /// Whether it can still be read: it is replayable, or nothing has begun to read it.
    var canBegin: Bool { isReplayable || state.withLock { !$0.hasBegun } }

    /// The fields that came after the body; empty until a reader has reached its end.
    var trailers: HTTPHeaders { state.withLock(\.trailers) }

    fileprivate func keep(_ trailers: HTTPHeaders) {
        state.withLock { $0.trailers = trailers }
    }
}

/// Reads one source to its end, checks that it has the declared length, and cancels it when the reader is freed.
final class BodyReader {
    private let source: any BodySource
    private let count: Int?
    /// The stream that keeps the trailers.
    private let stream: BodyStream?
    private var position = 0

    init(_ source: any BodySource, count: Int?, of stream: BodyStream? = nil) {
        self.source = source
        self.count = count
        self.stream = stream
    }

    deinit {
        source.cancel()
    }

    func next() async throws -> Data? {
        while let piece = try await source.next() {
            position += piece.count
            if let count, position > count {
                throw TransportError(.body, "the body has more than the \(count) bytes of its declared length")
            }
            if !piece.isEmpty { return piece }
        }
        if let count, position < count {
            throw TransportError(.body, "the body ended after \(position) of \(count) bytes")
        }
        if let stream, case let trailers = source.trailers, !trailers.isEmpty { stream.keep(trailers) }
        return nil
    }
}

/// Reads a user's sequence.
///
/// `@unchecked`: the compiler can't see that only `next` uses the iterator, and that it isn't called twice at once.
final class SequenceSource<Iterator: AsyncIteratorProtocol>: BodySource, @unchecked Sendable
where Iterator.Element == Data {
    private var iterator: Iterator

    init(_ iterator: Iterator) {
        self.iterator = iterator
    }

    func next() async throws -> Data? { try await iterator.next() }
    /// Does nothing: the sequence ends with its iterator, or by the cancellation of the task that reads.
    func cancel() {}
}

/// A regular file that is sent as a body; its size is read once.
///
/// Of a file that has grown since, the beginning is sent, and one that has shrunk is an error. Its parts are all of the
/// same version.
package struct BodyFile: Sendable {
    /// A file as it was when the body was made; a reference, since bodies are copied often.
    private final class Original: Sendable {
        let path: String
        let count: Int
        /// What changes with the content of the file.
        private let device: Int
        private let number: UInt64
        private let seconds: Int
        private let nanoseconds: Int

        init(path: String, count: Int, _ status: stat) {
            (self.path, self.count) = (path, count)
            (device, number) = (Int(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
            #if canImport(Darwin)
            (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
            #else
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            #endif
        }

        /// Whether an open file is still the same.
        func isUnchanged(_ descriptor: Int32) -> Bool {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return false }
            let now = Original(path: path, count: count, status)
            return (device, number, seconds, nanoseconds) == (now.device, now.number, now.seconds, now.nanoseconds)
        }
    }

    private let original: Original
    /// Where the body begins in the file.
    private(set) var start = 0
    private(set) var count: Int

    init(path: String) throws(TransportError) {
        let descriptor = try Self.descriptor(of: path)
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw TransportError(.body, "the body's file is not a regular file")
        }
        guard let count = Int(exactly: status.st_size) else {
            throw TransportError(.body, "the body's file is too large")
        }
        self.count = count
        original = Original(path: path, count: count, status)
    }

    /// A part of the file, which must lie in this one.
    func part(_ range: Range<Int>) -> BodyFile {
        var part = self
        (part.start, part.count) = (start + range.lowerBound, range.count)
        return part
    }

    /// Opens the file.
    ///
    /// - Throws: ``TransportError`` with ``FailureReason/body``, also for a part of a file that was changed.
    fileprivate func descriptor() throws(TransportError) -> Int32 {
        let descriptor = try Self.descriptor(of: original.path)
        if count == original.count || original.isUnchanged(descriptor) { return descriptor }
        close(descriptor)
        throw TransportError(.body, "the body's file was changed while it was sent in parts")
    }

    private static func descriptor(of path: String) throws(TransportError) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw TransportError(.body, "the body's file can't be opened: errno \(errno)")
        }
        return descriptor
    }
}

/// Reads a file piece by piece, up to the size that it had when the body was made.
///
/// `@unchecked`: the compiler can't see that only `next`, which isn't called twice at once, and `deinit` use the state.
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
        guard let room = memory.take() else { throw TransportError(.outOfMemory, "not enough memory for the body") }
        var readCount = 0
        repeat {
            readCount = pread(descriptor, room, wanted, off_t(file.start) + off_t(position))
        } while readCount < 0 && errno == EINTR
        guard readCount > 0 else {
            let code = errno
            memory.giveBack(room)
            if readCount == 0 { return nil }
            throw TransportError(.body, "the body's file can't be read: errno \(code)")
        }
        position += readCount
        return memory.piece(room, count: readCount)
    }

    func cancel() {}
}
