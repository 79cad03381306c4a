#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The index pass alone, to be measured.
@_spi(Benchmarks)
public enum JSONIndexing {
    /// Checks a document and counts the entries of its index.
    public static func index(_ bytes: Data) throws -> Int {
        try bytes.withUnsafeBytes { bytes in
            try bytes.withMemoryRebound(to: UInt8.self) { try IndexBuilder.index($0, depthMax: 512).count }
        }
    }
}
