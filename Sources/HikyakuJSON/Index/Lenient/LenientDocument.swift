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
    private let leniency: HikyakuJSONDecoder.Leniency

    /// Reads a document token by token; what of it isn't passed over is left for those who read it to complain of.
    ///
    /// - Throws: A comment that doesn't end.
    init(_ source: Data, _ leniency: HikyakuJSONDecoder.Leniency) throws(JSONSyntaxError) {
        self.source = source
        self.leniency = leniency
        strict = try Self.strict(source, leniency) ?? source
    }

    private static func strict(
        _ source: Data,
        _ leniency: HikyakuJSONDecoder.Leniency,
    ) throws(JSONSyntaxError) -> Data? {
        let result = source.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                Result { () throws(JSONSyntaxError) -> Data? in
                    guard let base = bytes.baseAddress else { return nil }
                    var scan = LenientScan(base, bytes.count, leniency, LenientOutput(of: base))
                    try scan.document()
                    return scan.output.isUnchanged ? nil : Data(scan.output.bytes)
                }
            }
        }
        return try result.get()
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
                // It was gone through before, and had no error.
                try? scan.document()
                scan.output.take(upTo: bytes.count)
                return scan.output.origins
            }
        }
        return origins + Array(repeating: source.count, count: places.count - origins.count)
    }
}
