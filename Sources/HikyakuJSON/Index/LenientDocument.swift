import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document with deviations that a decoder accepts.
///
/// Each of them becomes white space, so that all bytes keep their offsets, lines and columns.
struct LenientDocument {
    /// The strict document; the source itself if nothing had to be replaced.
    let strict: Data
    private let leniency: HikyakuJSONDecoder.Leniency

    /// Reads a document token by token, once.
    ///
    /// Other errors are left for the strict parser to report.
    init(_ source: Data, _ leniency: HikyakuJSONDecoder.Leniency) {
        self.leniency = leniency
        let offsets = source.withBytes { Self.deviations(in: $0, leniency) }
        guard !offsets.isEmpty else {
            strict = source
            return
        }
        var bytes = [UInt8](source)
        for offset in offsets { bytes[offset] = Byte.space }
        strict = Data(bytes)
    }

    /// Diagnoses of the strict document, whose errors record the leniency of the source.
    func marked(_ diagnoses: [DecodingDiagnosis]) -> [DecodingDiagnosis] {
        diagnoses.map { diagnosis in
            var marked = diagnosis
            marked.error = marked.error.map { $0.ofLenientDocument(leniency) }
            marked.further = self.marked(marked.further)
            return marked
        }
    }

    private static func deviations(
        in bytes: UnsafeBufferPointer<UInt8>,
        _ leniency: HikyakuJSONDecoder.Leniency,
    ) -> [Int] {
        let start = leniency.contains(.byteOrderMark) ? DocumentWalk.start(of: bytes) : 0
        return Array(0..<start) + (leniency.contains(.trailingCommas) ? trailingCommas(in: bytes) : [])
    }

    /// The offsets of commas after a value, and before the end of its array or object.
    private static func trailingCommas(in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var found: [Int] = []
        // The last token, apart from white space.
        var (comma, isValue) = (nil as Int?, false)
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case Byte.space, Byte.lineFeed, Byte.carriageReturn, Byte.tab: break
            case Byte.comma: (comma, isValue) = (isValue ? place : nil, false)
            case Byte.openBrace, Byte.openBracket, Byte.colon: (comma, isValue) = (nil, false)
            case Byte.closeBrace, Byte.closeBracket:
                if let comma { found.append(comma) }
                (comma, isValue) = (nil, true)
            case Byte.quote:
                place = TextScan.closingQuote(ofTextAt: place, in: bytes, before: bytes.count)
                (comma, isValue) = (nil, true)
            default: (comma, isValue) = (nil, true)
            }
            place += 1
        }
        return found
    }
}

/// The underlying error of a lenient document's error, which wraps the original one.
///
/// With it, the error and the source can be diagnosed again without the decoder.
struct LenientCause: Error {
    let leniency: HikyakuJSONDecoder.Leniency
    let cause: (any Error)?
}

extension DecodingError {
    /// The error of a strict document as an error of its lenient source.
    fileprivate func ofLenientDocument(_ leniency: HikyakuJSONDecoder.Leniency) -> DecodingError {
        switch context?.underlyingError {
        case nil, is JSONPlace, is JSONSyntaxError, is JSONExpectation:
            with(underlyingError: LenientCause(leniency: leniency, cause: context?.underlyingError))
        default:
            // A custom error, which an app may look for.
            self
        }
    }

    /// The error without the wrapper of ``ofLenientDocument(_:)``.
    var ofStrictDocument: DecodingError {
        (context?.underlyingError as? LenientCause).map { with(underlyingError: $0.cause) } ?? self
    }
}
