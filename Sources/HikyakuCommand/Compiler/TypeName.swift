/// Writes types as people do, where the compiler writes them with modules and without sugar.
///
/// `Swift.Array<App.Shop.Item>` becomes `[Shop.Item]`.
struct TypeName: Sendable {
    /// The names of generic parameters, which are no modules: `Model.ID` stays as it is.
    let genericParameters: Set<String>

    /// - Parameter typeName: The name of the type that the others belong to, with its parameters: `App.Page<Model>`.
    init(genericParametersOf typeName: String = "") {
        var parameters: Set<String> = []
        for list in typeName.split(separator: "<").dropFirst() {
            let names = list.prefix { $0 != ">" }.split(separator: ",")
            parameters.formUnion(names.map { String($0.filter { $0 != " " }) })
        }
        genericParameters = parameters
    }

    /// The type without modules, and with the short forms of arrays, dictionaries and optionals.
    func short(_ type: String) -> String {
        let short = rewritten(type[...])
        return short == "()" ? "Void" : short
    }

    /// The names that a type is nested in and its own, its module first, without generic arguments and backticks.
    static func components(of typeName: String) -> [String] {
        var components = [""]
        var depth = 0
        var isQuoted = false
        for character in typeName {
            switch character {
            case "`": isQuoted.toggle()
            // Between backticks, any character is a part of the name.
            case "<" where !isQuoted: depth += 1
            case ">" where !isQuoted: depth -= 1
            case "." where !isQuoted && depth == 0: components.append("")
            default: if depth == 0 { components[components.count - 1].append(character) }
            }
        }
        return components.filter { !$0.isEmpty }
    }

    private func rewritten(_ type: Substring) -> String {
        var output = ""
        var rest = type
        while let first = rest.first {
            guard Self.isPartOfName(first) else {
                output.append(first)
                rest.removeFirst()
                continue
            }
            let name = rest.prefix(while: Self.isPartOfName)
            rest = rest.dropFirst(name.count)
            guard rest.first == "<", let end = Self.closingBracket(in: rest) else {
                output += withoutModule(name)
                continue
            }
            let arguments = Self.parts(of: rest[rest.index(after: rest.startIndex)..<end]).map(rewritten)
            output += sugared(name, arguments)
            rest = rest[rest.index(after: end)...]
        }
        return output
    }

    private func sugared(_ name: Substring, _ arguments: [String]) -> String {
        switch (name, arguments.count) {
        case ("Swift.Array", 1): return "[\(arguments[0])]"
        case ("Swift.Dictionary", 2): return "[\(arguments[0]): \(arguments[1])]"
        case ("Swift.Optional", 1):
            let needsParentheses = arguments[0].contains(" ") && arguments[0].first != "[" && arguments[0].first != "("
            return needsParentheses ? "(\(arguments[0]))?" : "\(arguments[0])?"
        default: return "\(withoutModule(name))<\(arguments.joined(separator: ", "))>"
        }
    }

    private func withoutModule(_ name: Substring) -> String {
        guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return String(name) }
        let first = name[..<dot]
        return genericParameters.contains(String(first)) || first == "Self"
            ? String(name) : String(name[dot...].dropFirst())
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "."
    }

    /// The bracket that belongs to the one that the text begins with; an arrow's is none.
    private static func closingBracket(in text: Substring) -> Substring.Index? {
        var depth = 0
        var previous: Character = " "
        for index in text.indices {
            if text[index] == "<" { depth += 1 }
            if text[index] == ">", previous != "-" {
                depth -= 1
                if depth == 0 { return index }
            }
            previous = text[index]
        }
        return nil
    }

    /// The parts between commas that stand in no brackets.
    private static func parts(of text: Substring) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var depth = 0
        var previous: Character = " "
        for index in text.indices {
            switch text[index] {
            case "<", "(", "[": depth += 1
            case ")", "]": depth -= 1
            case ">" where previous != "-": depth -= 1
            case "," where depth == 0:
                parts.append(text[start..<index])
                start = text.index(after: index)
            default: break
            }
            previous = text[index]
        }
        parts.append(text[start...])
        return parts.map { $0.drop { $0 == " " } }
    }
}
