#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The values of a stream of JSON Lines, which is also called NDJSON, one after the other as they arrive.
///
/// ```swift
/// for try await event in response.body.jsonLines(of: Event.self) { … }
/// ```
/// It is pulled: another piece of the stream is asked for when all values of the last were taken, and it holds no more
/// than that piece and one line. Errors of the stream pass through as they are; a line that gives no value is a
/// ``JSONLineError``.
public struct JSONLines<Base: AsyncSequence, Value: Sendable>: AsyncSequence where Base.Element == Data {
    /// What is done about a line that gives no value.
    public enum InvalidLines: Sendable {
        /// Its error is thrown, and nothing follows on it.
        case stop
        /// Its error is handed over, and the sequence goes on with the next line.
        case skip(@Sendable (JSONLineError) -> Void)
    }

    private let base: Base
    private let splitter: JSONLineSplitter
    private let invalidLines: InvalidLines
    private let decode: @Sendable (JSONLineSplitter.Line) throws -> Value

    /// Reads lines by a decoder of any kind.
    ///
    /// - Parameters:
    ///   - base: The stream in pieces that are split anywhere.
    ///   - splitter: What a line may be.
    ///   - invalidLines: What is done about a line that gives no value.
    ///   - decode: Makes a value of a line's bytes.
    public init(
        _ base: Base,
        splitter: JSONLineSplitter = JSONLineSplitter(),
        invalidLines: InvalidLines = .stop,
        decode: @escaping @Sendable (Data) throws -> Value,
    ) {
        self.init(base, splitter, invalidLines) { try decode($0.bytes) }
    }

    init(
        _ base: Base,
        _ splitter: JSONLineSplitter,
        _ invalidLines: InvalidLines,
        reading decode: @escaping @Sendable (JSONLineSplitter.Line) throws -> Value,
    ) {
        self.base = base
        self.splitter = splitter
        self.invalidLines = invalidLines
        self.decode = decode
    }

    /// Begins to read the stream.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), splitter: splitter, invalidLines: invalidLines, decode: decode)
    }

    /// Takes pieces as it needs them, and decodes a line when its value is asked for.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate var splitter: JSONLineSplitter
        fileprivate let invalidLines: InvalidLines
        fileprivate let decode: @Sendable (JSONLineSplitter.Line) throws -> Value
        /// Whether the stream has no more pieces, and whether the sequence has ended.
        private var isAtEnd = false
        private var isOver = false

        fileprivate init(
            base: Base.AsyncIterator,
            splitter: JSONLineSplitter,
            invalidLines: InvalidLines,
            decode: @escaping @Sendable (JSONLineSplitter.Line) throws -> Value,
        ) {
            self.base = base
            self.splitter = splitter
            self.invalidLines = invalidLines
            self.decode = decode
        }

        /// Gives the value of the next line.
        ///
        /// - Returns: The value; `nil` at the end, and after an error.
        /// - Throws: ``JSONLineError`` for a line that gives no value, unless such lines are skipped; what the stream
        ///   throws.
        public mutating func next() async throws -> Value? {
            while !isOver {
                do throws(JSONLineError) {
                    if let value = try value() { return value }
                } catch {
                    guard case .skip(let report) = invalidLines else {
                        isOver = true
                        throw error
                    }
                    report(error)
                    continue
                }
                try await takePiece()
            }
            return nil
        }

        /// The value of the next line that has arrived.
        private mutating func value() throws(JSONLineError) -> Value? {
            guard let line = isAtEnd ? try splitter.finish() : try splitter.next() else { return nil }
            do {
                return try decode(line)
            } catch {
                throw JSONLineError(error, in: line)
            }
        }

        private mutating func takePiece() async throws {
            guard !isAtEnd else {
                isOver = true
                return
            }
            do {
                if let piece = try await base.next() { splitter.feed(piece) } else { isAtEnd = true }
            } catch {
                isOver = true
                throw error
            }
        }
    }
}

extension JSONLines: Sendable where Base: Sendable {}
