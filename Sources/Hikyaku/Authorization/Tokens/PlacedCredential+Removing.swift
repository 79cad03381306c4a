#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlacedCredential {
    /// A URL without the credential: a service that redirects with the query as it came sends the key along.
    ///
    /// An item goes with all that it holds where the credential is anywhere in it, also in a URL that stands there
    /// encoded, as the one to come back to from a page to sign in at.
    ///
    /// - Throws: ``FailureReason/otherOrigin`` where it stands elsewhere than in an item of the query.
    func removed(from url: URL) throws(TransportError) -> URL {
        let text = url.absoluteString
        guard let mark = text.firstIndex(of: "?") else { return try checked(url) }
        let items = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.filter { !isItem($0) }
        guard kept.count < items.count else { return try checked(url) }
        let rest = kept.joined(separator: "&")
        guard let shorter = URL(string: text[..<mark] + (rest.isEmpty ? "" : "?" + rest)) else {
            throw refusal(of: url)
        }
        return try checked(shorter)
    }

    private func isItem(_ item: Substring) -> Bool {
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // Each for itself: what stands first in a value may be a query's first item.
        return isIn(item) || parts.dropFirst().contains(where: isIn)
    }

    private func checked(_ url: URL) throws(TransportError) -> URL {
        guard !isIn(url.absoluteString[...]) else { throw refusal(of: url) }
        return url
    }

    private func refusal(of url: URL) -> TransportError {
        // Not the whole URL, which holds it.
        let place = HTTPOrigin(url)?.description ?? "another place"
        return TransportError(.otherOrigin, "a redirect would take the credential of \(origin) to \(place)")
    }
}

// MARK: - Finding

extension PlacedCredential {
    /// A shorter one is found by its item's name alone: it may stand anywhere by chance.
    private static let bytesMin = 8
    /// How often what stands in the URL may have been encoded: a URL in a URL twice, one in that three times.
    private static let roundsMax = 5

    /// Whether the credential is in a text, or in what is encoded there.
    private func isIn(_ text: Substring) -> Bool {
        let value = Self.withSpaces(Array(self.value.reveal().utf8))
        let name = place.kind.queryItem.map { Self.withSpaces(Array($0.utf8)) }
        var bytes = Array(text.utf8)
        for _ in 0...Self.roundsMax {
            // Encoders write a space as + or as %20, and some leave a + as it is: to tell the two apart would be a
            // guess.
            let form = Self.withSpaces(bytes)
            if value.count >= Self.bytesMin, !form.ranges(of: value).isEmpty { return true }
            if let name, Self.hasItem(name, in: form) { return true }
            let decoded = Self.decoded(bytes)
            guard decoded.count < bytes.count else { return false }
            bytes = decoded
        }
        return false
    }

    /// Whether a query that a text holds has an item of a name, and not one whose name only ends with it.
    private static func hasItem(_ name: [UInt8], in text: [UInt8]) -> Bool {
        text.ranges(of: name + "=".utf8).contains { range in
            range.lowerBound == 0 || "?&;#".utf8.contains(text[range.lowerBound - 1])
        }
    }

    private static func withSpaces(_ text: [UInt8]) -> [UInt8] {
        text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    }

    /// A text without one round of percent-encoding.
    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexadecimalValue, let low = bytes[index + 2].hexadecimalValue
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }
}
