#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A line of a stream that gives no value, and why.
public struct JSONLineError: Error, Sendable {
    /// What is wrong with the line; new reasons may come with any version.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// A stable word for logs and metrics.
        public let rawValue: String

        /// Makes a reason, for sequences of one's own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The line has more bytes than are allowed.
        public static let tooLong = Reason(rawValue: "tooLong")
        /// A mark of the order of bytes stands before the first line.
        public static let byteOrderMark = Reason(rawValue: "byteOrderMark")
        /// The line isn't what its type expects, or no JSON.
        public static let undecodable = Reason(rawValue: "undecodable")
    }

    /// What is wrong.
    public let reason: Reason
    /// The line, counted over the whole stream from 1; empty ones count too.
    public let line: Int
    /// Where the line begins, in bytes from the stream's beginning.
    public let byteOffset: Int
    /// What the decoder threw: mostly a ``DecodingDiagnosis``, whose lines and bytes are the stream's too.
    public let underlyingError: (any Error)?

    init(_ reason: Reason, line: Int, byteOffset: Int) {
        self.reason = reason
        self.line = line
        self.byteOffset = byteOffset
        underlyingError = nil
    }

    /// Creates it for the error that a decoder threw for a line.
    init(_ error: any Error, in line: JSONLineSplitter.Line) {
        reason = .undecodable
        self.line = line.number
        byteOffset = line.byteOffset
        underlyingError = Self.diagnosis(error, line.bytes)?.moved(to: line) ?? error
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
    func telling(of line: JSONLineSplitter.Line) -> HikyakuJSONDecoder {
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
    /// Which line it is, and what is wrong with it; nothing of what stands in it that is a value.
    public var description: String {
        switch reason {
        case .tooLong: "line \(line) is longer than allowed: allow longer ones, or ask whether it is JSON Lines at all"
        case .byteOrderMark: "line 1 begins with a byte order mark: allow it, or have the sender leave it out"
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
    /// What happened and why: ``description`` is in it, so that `localizedDescription` says where as well.
    public var errorDescription: String? { "The stream can't be decoded: \(description)" }

    /// Why: ``description``.
    public var failureReason: String? { description }
}
