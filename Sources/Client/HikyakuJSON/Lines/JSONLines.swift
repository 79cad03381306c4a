#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The values of a JSON Lines (NDJSON) stream, decoded one by one as they arrive.
///
/// ```swift
/// for try await order in response.body.jsonLines(of: Order.self) { show(order) }
/// ```
/// The next piece is requested after all values of the previous one were read. The sequence holds no more than that
/// piece and one line. Errors of the stream are rethrown unchanged. A line that can't be decoded is a
/// ``JSONLineError``.
public struct JSONLines<Base: AsyncSequence, Value: Sendable>: AsyncSequence where Base.Element == Data {
    /// How lines that can't be decoded are handled.
    ///
    /// ```swift
    /// let orders = response.body.jsonLines(of: Order.self, invalidLines: .skip { log($0.line, $0.reason.rawValue) })
    /// ```
    public enum InvalidLines: Sendable {
        /// The error is thrown, and the sequence ends.
        case stop
        /// The error is passed to the closure, and the sequence continues with the next line.
        case skip(@Sendable (JSONLineError) -> Void)
    }

    private let base: Base
    private let splitter: JSONLineSplitter
    private let invalidLines: InvalidLines
    private let decode: @Sendable (JSONLineSplitter.Line) throws -> Value
    private var convert: (@Sendable (any Error) -> any Error)?

    /// Decodes the bytes of each line with a closure.
    package init(
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

    /// Creates an iterator that reads the stream.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            base: base.makeAsyncIterator(),
            splitter: splitter,
            invalidLines: invalidLines,
            decode: decode,
            convert: convert,
        )
    }

    /// The same sequence, which throws other errors in place of its own.
    package func throwing(_ convert: (@Sendable (any Error) -> any Error)?) -> JSONLines {
        var lines = self
        lines.convert = convert
        return lines
    }

    /// Requests pieces as needed, and decodes a line when its value is requested.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate var splitter: JSONLineSplitter
        fileprivate let invalidLines: InvalidLines
        fileprivate let decode: @Sendable (JSONLineSplitter.Line) throws -> Value
        fileprivate let convert: (@Sendable (any Error) -> any Error)?
        /// Whether the stream has no more pieces, and whether the sequence has ended.
        private var isAtEnd = false
        private var isOver = false

        fileprivate init(
            base: Base.AsyncIterator,
            splitter: JSONLineSplitter,
            invalidLines: InvalidLines,
            decode: @escaping @Sendable (JSONLineSplitter.Line) throws -> Value,
            convert: (@Sendable (any Error) -> any Error)?,
        ) {
            self.base = base
            self.splitter = splitter
            self.invalidLines = invalidLines
            self.decode = decode
            self.convert = convert
        }

        /// Returns the value of the next line.
        ///
        /// - Returns: The value; `nil` at the end and after an error.
        /// - Throws: ``JSONLineError`` for a line that can't be decoded, unless such lines are skipped; errors of the
        ///   stream.
        public mutating func next() async throws -> Value? {
            do { return try await take() } catch { throw convert?(error) ?? error }
        }

        private mutating func take() async throws -> Value? {
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
