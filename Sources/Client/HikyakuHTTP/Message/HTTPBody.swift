public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The content of a message: bytes in memory, a file, or a stream that is read piece by piece.
///
/// ```swift
/// for try await piece in response.body { try file.write(contentsOf: piece) }
/// ```
/// A body is pulled by its reader: little is fetched ahead, so that a slow reader slows the sender down. Bytes and
/// files can be read any number of times; a stream usually once (``isReplayable``). Dropping a stream before its end,
/// or cancelling the task that reads it, closes its source.
///
/// A body prints as its length; its content is never printed by accident.
public struct HTTPBody: Sendable {
    package enum Storage: Sendable {
        case bytes(Data)
        case file(BodyFile)
        case stream(BodyStream)
    }

    package let storage: Storage

    /// Makes a body of bytes.
    public init(_ bytes: Data) {
        storage = .bytes(bytes)
    }

    /// Makes a body of a text's UTF-8 bytes.
    public init(_ text: String) {
        self.init(Data(text.utf8))
    }

    /// Makes a body of pieces that come one after the other.
    ///
    /// - Parameters:
    ///   - pieces: The pieces; empty ones are skipped. An error that it throws ends the call.
    ///   - count: The size in bytes if it is known; more or fewer bytes are ``FailureReason/body``.
    ///   - isReplayable: Whether `pieces` gives the same bytes each time it is read, so that the body may be sent
    ///     again: after a redirect, or if a kept connection was closed. Then the task that reads an iterator is
    ///     cancelled, and not waited for, before the next iterator is made. So an iterator should react to
    ///     cancellation, and both may run at once.
    public init<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces,
        count: Int? = nil,
        isReplayable: Bool = false,
    ) where Pieces.Element == Data {
        storage = .stream(
            BodyStream(count: count, isReplayable: isReplayable) { SequenceSource(pieces.makeAsyncIterator()) }
        )
    }

    /// Makes a body of a file, which is read when the body is read.
    ///
    /// - Parameter path: The file's path.
    /// - Returns: The body; its length is the present size of the file. Of a file that grows, the beginning is sent;
    ///   one that shrinks is an error.
    /// - Throws: ``TransportError`` with ``FailureReason/body`` if there is no regular file that can be read.
    public static func file(at path: String) throws(TransportError) -> HTTPBody {
        HTTPBody(.file(try BodyFile(path: path)))
    }

    /// Makes a body of a file by its URL: see ``file(at:)-(String)``.
    public static func file(at url: URL) throws(TransportError) -> HTTPBody { try file(at: url.filePath) }

    /// Makes a body that is pulled from a source, once; the source is cancelled when nobody can read it any more.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - count: The size in bytes, if it is known.
    ///   - convert: Makes the errors of reading the body, but not of its source, those of a call.
    package init(
        pulling source: any BodySource,
        count: Int? = nil,
        throwing convert: (@Sendable (any Error) -> any Error)? = nil,
    ) {
        storage = .stream(BodyStream(source, count: count, convert: convert))
    }

    /// Makes a body of others, which are read one after another; each is opened when the one before has ended.
    ///
    /// It is replayable if all of them are.
    ///
    /// - Parameters:
    ///   - segments: The bodies.
    ///   - count: The sum of their sizes in bytes, if it is known.
    package init(joining segments: [HTTPBody], count: Int?) {
        let isReplayable = segments.allSatisfy(\.isReplayable)
        storage = .stream(
            BodyStream(count: count, isReplayable: isReplayable, segments: segments) {
                SequenceSource(JoinedBodies(rest: segments[...]))
            }
        )
    }

    private init(_ storage: Storage) {
        self.storage = storage
    }

    /// A body without a byte.
    public static let empty = HTTPBody(Data())
}

extension HTTPBody {
    /// The size in bytes, if it is known before the body is read.
    public var count: Int? {
        switch storage {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.count
        case .stream(let stream): stream.count
        }
    }

    /// Whether reading it again gives the same bytes; other bodies can't be sent twice, for example after a redirect.
    public var isReplayable: Bool {
        if case .stream(let stream) = storage { stream.isReplayable } else { true }
    }

    /// Whether it can still be read: it is replayable, or it is a stream that nothing has begun to read.
    package var canBeRead: Bool {
        if case .stream(let stream) = storage { stream.canBegin } else { true }
    }

    /// A part of a replayable body, which is as replayable.
    ///
    /// - Parameter range: The part; within ``count`` if that is known. A stream that ends before its end is an error
    ///   when it is read.
    /// - Returns: The part; a stream is read from its beginning, and what comes before is dropped.
    package func part(_ range: Range<Int>) -> HTTPBody {
        switch storage {
        case .bytes(let bytes): HTTPBody(bytes.dropFirst(range.lowerBound).prefix(range.count))
        case .file(let file): HTTPBody(.file(file.part(range)))
        case .stream: HTTPBody(BodyPart(body: self, range: range), count: range.count, isReplayable: isReplayable)
        }
    }

    /// The fields that came after a streamed body (RFC 9110, section 6.5), if the transport keeps them.
    ///
    /// ```swift
    /// for try await piece in response.body { try file.write(contentsOf: piece) }
    /// if response.body.trailers["X-Result"] != "complete" { log("the service gave up") }
    /// ```
    /// Empty until the stream was read to its end, and if it failed. All copies of the body share them. The trailers of
    /// a body in memory are ``HTTPResponse/trailers``.
    public var trailers: HTTPHeaders {
        if case .stream(let stream) = storage { stream.trailers } else { [:] }
    }

    /// The bytes of a body in memory; `nil` for other bodies.
    package var bytes: Data? {
        if case .bytes(let bytes) = storage { bytes } else { nil }
    }

    /// The whole body in memory.
    ///
    /// - Parameter bytesMax: The limit in bytes.
    /// - Returns: All bytes of the body.
    /// - Throws: ``TransportError`` with ``FailureReason/bodyTooLarge`` for a larger body, and with
    ///   ``FailureReason/bodyConsumed`` for a stream that was read before; errors of the stream. For a stream that a
    ///   call has returned, they are the `APIError` of the call.
    public func collect(upTo bytesMax: Int = 64 * 1024 * 1024) async throws -> Data {
        if let count, count > bytesMax {
            throw converted(HTTPCause.bodyTooLarge.error("the body has \(count) bytes, the limit is \(bytesMax)"))
        }
        if let bytes { return bytes }
        var collected = Data()
        for try await piece in self {
            guard piece.count <= bytesMax - collected.count else {
                throw converted(HTTPCause.bodyTooLarge.error("the body has more than \(bytesMax) bytes"))
            }
            collected.append(piece)
        }
        return collected
    }

    /// The error as that of the call that has returned the body, if one has.
    package func converted(_ error: any Error) -> any Error {
        if case .stream(let stream) = storage { stream.convert?(error) ?? error } else { error }
    }
}

extension HTTPBody: AsyncSequence {
    /// Reads a body piece by piece.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate enum Position {
            case whole(Data)
            case reader(BodyReader)
            case failed(any Error)
            case end
        }

        fileprivate var position: Position

        /// The next piece, which isn't empty; `nil` at the end.
        ///
        /// - Throws: ``TransportError``, `CancellationError`, or an error of a user's stream. Then the body has ended.
        public mutating func next() async throws -> Data? {
            switch position {
            case .whole(let bytes):
                position = .end
                return bytes.isEmpty ? nil : bytes
            case .reader(let reader):
                position = .end
                guard let piece = try await reader.next() else { return nil }
                position = .reader(reader)
                return piece
            case .failed(let error):
                position = .end
                throw error
            case .end:
                return nil
            }
        }
    }

    /// Starts to read; reading a one-shot stream a second time throws ``FailureReason/bodyConsumed``.
    public func makeAsyncIterator() -> AsyncIterator {
        switch storage {
        case .bytes(let bytes):
            return AsyncIterator(position: .whole(bytes))
        case .file(let file):
            return AsyncIterator(position: .reader(BodyReader(FileSource(file), count: file.count)))
        case .stream(let stream):
            do throws(TransportError) {
                return AsyncIterator(position: .reader(try stream.begin()))
            } catch {
                return AsyncIterator(position: .failed(converted(error)))
            }
        }
    }
}

/// The pieces of a part of a body.
private struct BodyPart: AsyncSequence, Sendable {
    let body: HTTPBody
    let range: Range<Int>

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var body: HTTPBody.AsyncIterator
        fileprivate var skipped: Int
        fileprivate var left: Int

        mutating func next() async throws -> Data? {
            while left > 0, let piece = try await body.next() {
                let count = Swift.min(skipped, piece.count)
                skipped -= count
                let kept = piece.dropFirst(count).prefix(left)
                left -= kept.count
                if !kept.isEmpty { return kept }
            }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body.makeAsyncIterator(), skipped: range.lowerBound, left: range.count)
    }
}

/// The pieces of bodies that are read one after another.
private struct JoinedBodies: AsyncIteratorProtocol {
    var rest: ArraySlice<HTTPBody>
    var current: HTTPBody.AsyncIterator?

    mutating func next() async throws -> Data? {
        while true {
            if let piece = try await current?.next() { return piece }
            guard let body = rest.popFirst() else {
                current = nil
                return nil
            }
            current = body.makeAsyncIterator()
        }
    }
}

extension HTTPBody: ExpressibleByStringLiteral {
    /// Makes a body of a literal's UTF-8 bytes.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension HTTPBody: Redacted {
    /// The length, `315 bytes`, or `a stream`.
    public var description: String {
        guard let count else { return "a stream" }
        return count == 1 ? "1 byte" : "\(count) bytes"
    }
}
