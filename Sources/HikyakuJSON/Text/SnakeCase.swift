/// The two ways to write a name of several words.
enum SnakeCase {
    /// `created_at` gives `createdAt`; underscores around a name stay, and a name of one word is left alone.
    static func camelCase(_ name: String) -> String {
        let isUnderscore = { (character: Character) in character == "_" }
        guard let first = name.firstIndex(where: { !isUnderscore($0) }),
            let last = name.lastIndex(where: { !isUnderscore($0) })
        else { return name }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1 else { return name }
        let inner = words.dropFirst().reduce(words[0].lowercased()) { $0 + capitalized($1) }
        return name[..<first] + inner + name[name.index(after: last)...]
    }

    private static func capitalized(_ word: Substring) -> String {
        word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
}
