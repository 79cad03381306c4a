extension String {
    /// `Qiita.Items` for `App.Qiita.Items`, and `Page<Item>` for `App.Page<App.Item>`, without the names that the
    /// runtime inserts for functions around a local type.
    package var withoutModule: String {
        var names = QualifiedNames()
        for character in self { names.read(character) }
        return names.text
    }
}

/// Reads the names of a type and leaves out their modules.
private struct QualifiedNames {
    private var output = ""
    /// The parts of the current name; the first one is the module, unless the name goes on after `>` or `)`.
    private var parts = [""]
    private var isGoingOn = false
    /// How many parentheses are open that the runtime inserted as a part of a name: `(unknown context at $1f)`.
    private var contextDepth = 0

    var text: String { output + name }

    private var name: String {
        let isQualified = parts.count > 1 && !isGoingOn
        return parts.dropFirst(isQualified ? 1 : 0).joined(separator: ".")
    }

    mutating func read(_ character: Character) {
        let last = parts.count - 1
        switch character {
        case "(" where contextDepth > 0 || last > 0 && parts[last].isEmpty:
            contextDepth += 1
        case ")" where contextDepth > 0:
            contextDepth -= 1
        case _ where contextDepth > 0:
            break
        case ".":
            if last > 0, parts[last].isEmpty { parts.removeLast() }
            parts.append("")
        case _ where character.isLetter || character.isNumber || "_$`".contains(character):
            parts[last].append(character)
        default:
            output += name
            output.append(character)
            // A type in an extension begins with it: `(extension in App):Swift.Array<Swift.Int>.Page`.
            if character == ":", let start = output.firstRange(of: "(extension in ")?.lowerBound {
                output.removeSubrange(start...)
            }
            isGoingOn = character == ">" || character == ")"
            parts = [""]
        }
    }
}
