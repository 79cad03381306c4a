#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A line of a stream that can't be decoded, and the reason.
///
/// ```swift
/// let lines = response.body.jsonLines(of: Order.self, invalidLines: .skip { error in
///     log(error.reason.rawValue, error.line, error.byteOffset)
/// })
/// for try await order in lines { show(order) }
/// ```
public struct JSONLineError: Error, Sendable {
    /// The reason why a line can't be decoded; later versions may add reasons.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// A stable identifier for logs and metrics.
        public let rawValue: String

        /// Creates a reason, for custom sequences.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The line has more bytes than allowed.
        public static let tooLong = Reason(rawValue: "tooLong")
        /// The first line begins with a byte order mark.
        public static let byteOrderMark = Reason(rawValue: "byteOrderMark")
        /// The line is not JSON, or not what its type expects.
        public static let undecodable = Reason(rawValue: "undecodable")
    }

    /// The reason.
    public let reason: Reason
    /// The number of the line, counted from 1 over the whole stream; empty ones count too.
    public let line: Int
    /// The offset of the line, in bytes from the stream's beginning.
    public let byteOffset: Int
    /// The decoder's error: usually a ``DecodingDiagnosis``, with lines and bytes counted over the stream.
    public let underlyingError: (any Error)?

    /// The largest line that is kept, in bytes: failures of services are smaller.
    private static let textBytesMax = 64 * 1024
    /// The bytes of a line that isn't too long; they may contain secrets.
    package let text: Data?

    init(_ reason: Reason, line: Int, byteOffset: Int) {
        self.reason = reason
        self.line = line
        self.byteOffset = byteOffset
        (underlyingError, text) = (nil, nil)
    }

    /// Creates it for the error that a decoder threw for a line.
    init(_ error: any Error, in line: JSONLineSplitter.Line) {
        reason = .undecodable
        self.line = line.number
        byteOffset = line.byteOffset
        text = line.bytes.count <= Self.textBytesMax ? Data(Array(line.bytes)) : nil
        underlyingError = Self.diagnosis(error, line.bytes)?.moved(to: line) ?? error
    }

    /// Where the line differs from its type, or why it can't be read.
    package var diagnosis: DecodingDiagnosis {
        if let diagnosis = underlyingError as? DecodingDiagnosis { return diagnosis }
        var diagnosis = DecodingDiagnosis(
            kind: reason == .undecodable ? .invalidValue : .malformed,
            expected: "JSON Lines",
        )
        (diagnosis.line, diagnosis.byteOffset, diagnosis.message) = (line, byteOffset, description)
        return diagnosis
    }

    private static func diagnosis(_ error: any Error, _ bytes: Data) -> DecodingDiagnosis? {
        switch error {
        case let diagnosis as DecodingDiagnosis: diagnosis
        // Its own text may quote values.
        case let error as DecodingError: DecodingDiagnosis(error, body: bytes)
        default: nil
        }
    }
}

extension DecodingDiagnosis {
    /// The diagnosis of a line with its positions in the stream.
    fileprivate func moved(to line: JSONLineSplitter.Line) -> DecodingDiagnosis {
        var moved = self
        moved.line = self.line.map { _ in line.number }
        moved.byteOffset = byteOffset.map { $0 + line.byteOffset }
        moved.moveEnd(from: line.bytes.count, to: line.byteOffset + line.bytes.count)
        moved.further = further.map { $0.moved(to: line) }
        return moved
    }
}

extension HikyakuJSONDecoder {
    /// The decoder for a line of a stream, which reports drift with offsets of the stream.
    func reporting(in line: JSONLineSplitter.Line) -> HikyakuJSONDecoder {
        guard let onDrift else { return self }
        var decoder = self
        decoder.onDrift = { drift in
            var drift = drift
            drift.byteOffset = drift.byteOffset.map { $0 + line.byteOffset }
            drift.diagnosis = drift.diagnosis?.moved(to: line)
            onDrift(drift)
        }
        return decoder
    }
}

extension JSONLineError: CustomStringConvertible {
    /// The line number and the reason, without any values of the line.
    public var description: String {
        switch reason {
        case .tooLong:
            "line \(line) is longer than the limit: raise the limit, or check whether the stream is JSON Lines"
        case .byteOrderMark:
            "line 1 begins with a byte order mark: allow it by the decoder's leniency, or remove it at the sender"
        default:
            switch underlyingError {
            case let diagnosis as DecodingDiagnosis: "line \(line) can't be decoded: \(diagnosis)"
            case let error?: "line \(line) can't be decoded: its type threw \(type(of: error))"
            case nil: "line \(line): \(reason.rawValue)"
            }
        }
    }
}

extension JSONLineError: LocalizedError {
    /// The failure and its reason.
    ///
    /// It contains ``description``, so that `localizedDescription` includes the location.
    public var errorDescription: String? { "The stream can't be decoded: \(description)" }

    /// The reason: ``description``.
    public var failureReason: String? { description }
}
