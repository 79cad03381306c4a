#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlacedCredential {
    /// A URL without the credential: a service that redirects with the query as it came sends the key along.
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
        return parts.first.map(Self.decoded) == queryItem || isIn(item)
    }

    private func checked(_ url: URL) throws(TransportError) -> URL {
        guard !isIn(url.absoluteString[...]) else { throw refusal(of: url) }
        return url
    }

    /// A shorter one is found by its item's name alone: it may stand anywhere by chance.
    private static let bytesMin = 8

    private func isIn(_ text: Substring) -> Bool {
        let value = value.reveal()
        guard value.utf8.count >= Self.bytesMin else { return false }
        return text.contains(value) || Self.decoded(text).contains(value)
    }

    private func refusal(of url: URL) -> TransportError {
        // Not the whole URL, which holds it.
        let place = HTTPOrigin(url)?.description ?? "another place"
        return TransportError(.otherOrigin, "a redirect would take the credential of \(origin) to \(place)")
    }

    /// A text as a form has it: `+` is a space, and triplets are bytes.
    private static func decoded(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexadecimalValue, let low = bytes[index + 2].hexadecimalValue
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
