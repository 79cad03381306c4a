#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The two ways to write a name of several words.
enum SnakeCase {
    /// `created_at` gives `createdAt`; underscores around a name stay, and a name of one word is left alone.
    ///
    /// Words are capitalized by Foundation, so that a type made for its decoder finds its keys also where they have digits,
    /// points or letters beyond ASCII.
    static func camelCase(_ name: String) -> String {
        let isUnderscore = { (character: Character) in character == "_" }
        guard let first = name.firstIndex(where: { !isUnderscore($0) }),
            let last = name.lastIndex(where: { !isUnderscore($0) })
        else { return name }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1 else { return name }
        let inner = words.dropFirst().reduce(words[0].lowercased()) { $0 + $1.capitalized }
        return name[..<first] + inner + name[name.index(after: last)...]
    }
}
