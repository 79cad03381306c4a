#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts names of several words between snake case and camel case.
package enum SnakeCase {
    /// `created_at` becomes `createdAt`; leading and trailing underscores and names of one word are unchanged.
    ///
    /// Words are capitalized as by Foundation. A type made for Foundation's decoder therefore finds its keys, even if
    /// they have digits, points or non-ASCII letters.
    package static func camelCase(_ name: String) -> String {
        let isUnderscore = { (character: Character) in character == "_" }
        guard let first = name.firstIndex(where: { !isUnderscore($0) }),
            let last = name.lastIndex(where: { !isUnderscore($0) })
        else { return name }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1 else { return name }
        // Appended to one string: a new one for each word would take quadratic time in the length of a key, which the
        // peer chooses.
        let inner = words.dropFirst().reduce(into: words[0].lowercased()) { $0 += $1.capitalized }
        return name[..<first] + inner + name[name.index(after: last)...]
    }

    /// `camelCase` becomes `camel_case`, by the same rules as in Foundation.
    ///
    /// `myURLProperty` becomes `my_url_property`. `HTTPServer` becomes `h_ttp_server`, because the first letter of a
    /// word never begins a second word.
    package static func snakeCase(_ key: String) -> String {
        let characters = Array(key)
        guard characters.count > 1 else { return key.lowercased() }
        var words: [ArraySlice<Character>] = []
        var wordStart = 0
        var searchStart = 1
        while let capital = characters[searchStart...].firstIndex(where: \.isUppercase) {
            words.append(characters[wordStart..<capital])
            guard let small = characters[capital...].firstIndex(where: \.isLowercase) else {
                wordStart = capital
                break
            }
            // Of several capitals in a row, the last one begins the next word.
            if small > capital + 1 {
                words.append(characters[capital..<(small - 1)])
                wordStart = small - 1
            } else {
                wordStart = capital
            }
            searchStart = small + 1
        }
        words.append(characters[wordStart...])
        return words.map { String($0).lowercased() }.joined(separator: "_")
    }
}
