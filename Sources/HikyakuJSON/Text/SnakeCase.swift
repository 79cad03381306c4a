#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The two ways to write a name of several words.
package enum SnakeCase {
    /// `created_at` gives `createdAt`; underscores around a name stay, and a name of one word is left alone.
    ///
    /// Words are capitalized by Foundation, so that a type made for its decoder finds its keys also where they have
    /// digits, points or letters beyond ASCII.
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

    /// `camelCase` gives `camel_case`, as users know it from Foundation: `myURLProperty` is `my_url_property`, and
    /// `HTTPServer` is `h_ttp_server`, since a word's first letter never begins a second word.
    static func snakeCase(_ key: String) -> String {
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
