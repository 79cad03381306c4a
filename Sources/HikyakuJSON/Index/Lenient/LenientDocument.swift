#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document that is more than RFC 8259 allows, made into one that means the same.
struct LenientDocument {
    /// The document as it came.
    let source: Data
    /// The strict document; the source where that is one already, as far as can be seen.
    let strict: Data
    let leniency: HikyakuJSONDecoder.Leniency
    /// Where a comment begins in the strict document that doesn't end: it is there as it came, with all that follows.
    private let unendedComment: Int?

    /// Reads a document token by token; what of it isn't passed over is left for those who read it to complain of.
    init(_ source: Data, _ leniency: HikyakuJSONDecoder.Leniency) {
        self.source = source
        self.leniency = leniency
        let (strict, unendedComment) = Self.strict(source, leniency)
        self.strict = strict ?? source
        self.unendedComment = unendedComment
    }

    private static func strict(
        _ source: Data,
        _ leniency: HikyakuJSONDecoder.Leniency,
    ) -> (document: Data?, unendedComment: Int?) {
        source.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                guard let base = bytes.baseAddress else { return (nil, nil) }
                var scan = LenientScan(base, bytes.count, leniency, LenientOutput(of: base))
                scan.document()
                let comment = scan.unendedComment.map { scan.output.count(upTo: $0) }
                if scan.output.isUnchanged { return (nil, comment) }
                scan.output.take(upTo: bytes.count)
                return (Data(scan.output.bytes), comment)
            }
        }
    }

    /// What a syntax error of the strict document is in the document as it came: at a comment that doesn't end, and
    /// that something may be wrong before, the document is cut off.
    func meant(_ error: any Error) -> any Error {
        guard let unendedComment, (error as? JSONSyntaxError)?.byteOffset == unendedComment else { return error }
        return JSONSyntaxError(.unexpectedEnd, at: strict.count)
    }

    /// Where bytes of the strict document come from.
    ///
    /// - Parameter places: In order. The end is a place too.
    /// - Returns: The places in the document as it came.
    func origins(of places: [Int]) -> [Int] {
        let origins = source.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes -> [Int] in
                guard let base = bytes.baseAddress else { return [] }
                let output = LenientOutput(of: base, targets: places)
                var scan = LenientScan(base, bytes.count, leniency, output)
                scan.document()
                scan.output.take(upTo: bytes.count)
                return scan.output.origins
            }
        }
        return origins + Array(repeating: source.count, count: places.count - origins.count)
    }
}
