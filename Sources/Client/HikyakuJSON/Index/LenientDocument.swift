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
    /// What is accepted, by the raw values of ``HikyakuJSONDecoder/Leniency-swift.struct``.
    struct Deviations: OptionSet {
        let rawValue: UInt8

        static let trailingCommas = Deviations(rawValue: 1)
        static let byteOrderMark = Deviations(rawValue: 2)
    }

    /// The strict document; the source itself if nothing had to be replaced.
    let strict: Data
    let deviations: Deviations

    /// Reads a document token by token, once.
    ///
    /// Other errors are left for the strict parser to report.
    init(_ source: Data, _ accepted: Deviations) {
        deviations = accepted
        let offsets = source.withBytes { Self.offsets(of: accepted, in: $0) }
        guard !offsets.isEmpty else {
            strict = source
            return
        }
        var bytes = [UInt8](source)
        for offset in offsets { bytes[offset] = Byte.space }
        strict = Data(bytes)
    }

    private static func offsets(of accepted: Deviations, in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        let start = accepted.contains(.byteOrderMark) ? Bytes.start(of: bytes) : 0
        return Array(0..<start) + (accepted.contains(.trailingCommas) ? trailingCommas(in: bytes) : [])
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
