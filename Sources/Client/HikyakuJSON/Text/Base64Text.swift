#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Base64 ([RFC 4648](https://www.rfc-editor.org/rfc/rfc4648)).
///
/// Each sequence of bytes has exactly one text. Characters outside the alphabet, including white space, are rejected
/// (section 3.3). So are trailing bits that are not 0 (section 3.5).
enum Base64Text {
    enum Alphabet {
        /// [Section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4): with `+` and `/`, padded by `=`.
        case standard
        /// [Section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5): with `-` and `_`; `=` may be left out.
        case url
    }

    /// - Parameters:
    ///   - start: The text.
    ///   - count: Its length.
    ///   - alphabet: The alphabet of the text.
    /// - Returns: The bytes; `nil` for a malformed text.
    static func data(_ start: UnsafePointer<UInt8>, _ count: Int, _ alphabet: Alphabet) -> Data? {
        var text = Data(bytes: start, count: count)
        if alphabet == .url {
            guard let standard = standard(text) else { return nil }
            text = standard
        }
        guard let data = Data(base64Encoded: text), hasOneText(text, of: data) else { return nil }
        return data
    }

    /// Converts a text from the URL alphabet to the standard one, with padding.
    private static func standard(_ text: Data) -> Data? {
        guard !text.contains(where: { $0 == Byte.plus || $0 == Byte.slash }) else { return nil }
        var standard = Data(text.map { $0 == Byte.minus ? Byte.plus : $0 == UInt8(ascii: "_") ? Byte.slash : $0 })
        // A text with padding is complete, and more padding would be rejected.
        if !standard.contains(padding) { standard.append(contentsOf: repeatElement(padding, count: -text.count & 3)) }
        return standard
    }

    /// Whether the trailing bits are 0, so that the last group is the canonical one.
    private static func hasOneText(_ text: Data, of data: Data) -> Bool {
        let rest = data.count % 3
        return text.count == (data.count + 2) / 3 * 4
            && (rest == 0 || data.suffix(rest).base64EncodedData() == text.suffix(4))
    }

    private static let padding = UInt8(ascii: "=")
}
