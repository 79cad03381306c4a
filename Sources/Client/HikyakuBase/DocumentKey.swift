/// Distinguishes names, which a program knows, from data among the keys of documents.
///
/// The keys of a dictionary are data: numbers, identifiers and addresses, or even credentials.
package enum DocumentKey {
    /// The longest name in bytes.
    package static let nameBytesMax = 40

    /// The shortest text of letters and digits that can be an identifier, in bytes.
    private static let identifierBytesMin = 8
    private static let identifierBytesMax = 200
    /// The longest number in a name, such as that of a year.
    private static let nameDigitsMax = 4

    /// Whether a key is written like a name: words of letters and digits that are separated by `_`, `-`, `.` or one
    /// colon, after `$`, `@` or `#` if it begins so.
    ///
    /// `created_at`, `@type` and `dc:title` are names. An identifier is none, and neither is a text with white space,
    /// with another `@`, with a long number, or with more than 40 bytes.
    package static func isName(_ key: String) -> Bool {
        guard key.utf8.count <= nameBytesMax else { return false }
        var scalars = key.unicodeScalars[...]
        if scalars.count > 1, let first = scalars.first, "$@#".unicodeScalars.contains(first) { scalars.removeFirst() }
        let digits = scalars.split { !isDigit($0) }
        guard digits.allSatisfy({ $0.count <= nameDigitsMax }), scalars.count(where: { $0 == ":" }) <= 1 else {
            return false
        }
        return scalars.split { $0 == "." || $0 == ":" }
            .allSatisfy { $0.allSatisfy(isOfWord) && !isIdentifier(String($0)) }
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "_" || scalar == "-" || isDigit(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark:
            return true
        default: return false
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    /// Whether a text is made by a machine: a number, a UUID, a day, or a long text of digits and letters, such as
    /// `cus_9s6XKzkNRiz8i3`.
    package static func isIdentifier(_ text: String) -> Bool {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= identifierBytesMax else { return false }
        let digits = bytes.count(where: ASCII.isDigit)
        if digits == bytes.count { return true }
        guard bytes.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x5F || $0 == 0x2D }) else {
            return false
        }
        if bytes.allSatisfy({ ASCII.hexadecimalValue($0) != nil }) {
            return digits > 0 && bytes.count >= identifierBytesMin
        }
        // `cus_9s6XKzkNRiz8i3`, or `01ARZ3NDEKTSV4RRFFQ69G5FAV`.
        let tail = Array(bytes.split(separator: 0x5F, omittingEmptySubsequences: false).last ?? bytes[...])
        return tail.count >= identifierBytesMin && tail.count(where: ASCII.isDigit) >= 2 && !isOfWords(tail)
    }

    /// Whether bytes are words with one short number between them: `changePercent24Hr`, `base64Encoded`.
    private static func isOfWords(_ text: [UInt8]) -> Bool {
        let numbers = text.split { !ASCII.isDigit($0) }
        guard let first = text.first, ASCII.isLetter(first), !ASCII.isUppercase(first), !text.contains(0x2D),
            numbers.count == 1, let number = numbers.first, number.count <= nameDigitsMax,
            number.endIndex < text.endIndex, ASCII.isUppercase(text[number.endIndex])
        else { return false }
        // In random letters, every other one is a capital.
        return text.count - number.count >= 3 * (1 + text.count(where: ASCII.isUppercase))
    }
}
