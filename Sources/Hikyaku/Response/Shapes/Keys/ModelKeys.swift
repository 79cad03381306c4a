/// The keys that are made of types' names, each once.
enum ModelKeys {
    private struct Known: Sendable {
        var singles: [ObjectIdentifier: String] = [:]
        var plurals: [ObjectIdentifier: String] = [:]
    }

    private static let known = Lock(Known())

    static func single(of type: any KeyedModel.Type) -> String {
        let identifier = ObjectIdentifier(type)
        if let key = known.withLock({ $0.singles[identifier] }) { return key }
        let key = snakeCase(name(of: type))
        known.withLock { $0.singles[identifier] = key }
        return key
    }

    static func plural(of type: any KeyedModel.Type) -> String {
        let identifier = ObjectIdentifier(type)
        if let key = known.withLock({ $0.plurals[identifier] }) { return key }
        // Asked for outside of the lock: it is the user's code, or takes the lock itself.
        let key = plural(of: type.singleKey)
        known.withLock { $0.plurals[identifier] = key }
        return key
    }

    /// The type's own name, without its generic arguments and the types around it.
    static func name(of type: any Any.Type) -> String {
        String(String(describing: type).prefix { $0 != "<" })
    }

    /// `MenuItem` gives `menu_item`, `HTMLPage` gives `html_page`: of several capitals in a row, the last one begins a
    /// word if a small letter follows.
    static func snakeCase(_ name: String) -> String {
        let characters = Array(name)
        var key = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0 {
                let previous = characters[index - 1]
                let isLast = index + 1 == characters.count
                let endsAcronym = previous.isUppercase && !isLast && characters[index + 1].isLowercase
                if previous != "_", !previous.isUppercase || endsAcronym { key += "_" }
            }
            key += character.lowercased()
        }
        return key
    }

    static func plural(of word: String) -> String {
        if word.hasSuffix("y"), let letter = word.dropLast().last, letter.isLetter, !"aeiouAEIOU".contains(letter) {
            return word.dropLast() + "ies"
        }
        let takesSyllable = ["s", "x", "z", "ch", "sh"].contains { word.hasSuffix($0) }
        return word + (takesSyllable ? "es" : "s")
    }
}
