#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The line between parts, which may stand in none of them.
///
/// [RFC 2046, section 5.1.1](https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1)
enum MultipartBoundary {
    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    /// 190 bits: what isn't looked at will not hold it by chance.
    private static let randomCount = 32
    private static let attemptsMax = 8
    /// Larger parts, files and streams aren't looked at.
    private static let searchedBytesMax = 64 * 1024

    /// A boundary that no short part in memory holds.
    ///
    /// - Throws: ``TransportError`` with ``FailureReason/body`` when the generator gives nothing but what the parts
    ///   hold.
    static func make(
        notIn parts: [EncodedPart],
        using generator: inout some RandomNumberGenerator,
    ) throws(TransportError) -> String {
        let searched = parts.compactMap(\.body.bytes).filter { $0.count <= searchedBytesMax }
        for _ in 0..<attemptsMax {
            // Only letters, digits and hyphens: so it needs no quotes, in which some servers get lost.
            // By the remainder, since `randomElement` never returns where a generator gives always the same.
            let random = (0..<randomCount).map { _ in characters[Int(generator.next() % UInt64(characters.count))] }
            let boundary = "hikyaku-" + String(random)
            let bytes = Data(boundary.utf8)
            if !searched.contains(where: { $0.holds(bytes) }) { return boundary }
        }
        throw TransportError(.body, "the generator gives no boundary that stands in no part")
    }
}

extension Data {
    /// Whether the bytes stand anywhere in these.
    fileprivate func holds(_ bytes: Data) -> Bool {
        guard let first = bytes.first, count >= bytes.count else { return false }
        var start = startIndex
        while let found = self[start...].firstIndex(of: first), endIndex - found >= bytes.count {
            if self[found..<(found + bytes.count)] == bytes { return true }
            start = found + 1
        }
        return false
    }
}
