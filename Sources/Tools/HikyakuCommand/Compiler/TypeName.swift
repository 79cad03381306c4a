/// Shortens the names of types, which the compiler writes with modules and without syntactic sugar.
///
/// `Swift.Array<App.Shop.Item>` becomes `[Shop.Item]`.
struct TypeName: Sendable {
    /// The names of generic parameters, which aren't modules: `Model.ID` is unchanged.
    let genericParameters: Set<String>

    /// - Parameter typeName: The type whose members' types are shortened, with its generic parameters:
    ///   `App.Page<Model>`.
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
        var rest = type[...]
        let short = rewritten(&rest)
        return short == "()" ? "Void" : short
    }

    /// The module's name, the names of outer types, and the type's own name, without generic arguments and backticks.
    static func components(of typeName: String) -> [String] {
        var components = [""]
        var depth = 0
        var isQuoted = false
        for character in typeName {
            switch character {
            case "`": isQuoted.toggle()
            // Between backticks, every character is part of the name.
            case "<" where !isQuoted: depth += 1
            case ">" where !isQuoted: depth -= 1
            case "." where !isQuoted && depth == 0: components.append("")
            default: if depth == 0 { components[components.count - 1].append(character) }
            }
        }
        return components.filter { !$0.isEmpty }
    }

    /// Shortens a type; an argument ends at a comma or an angle bracket.
    private func rewritten(_ rest: inout Substring, isArgument: Bool = false) -> String {
        var output = ""
        var depth = 0
        while let first = rest.first {
            let name = rest.prefix { $0.isPartOfName || $0 == "." }
            if !name.isEmpty {
                rest = rest[name.endIndex...]
                let bracket = rest
                guard bracket.first == "<" else {
                    output += withoutModule(name)
                    continue
                }
                guard let arguments = arguments(&rest) else { return output + withoutModule(name) + bracket }
                output += sugared(name, arguments)
                continue
            }
            // The angle bracket of an arrow doesn't end an argument.
            if isArgument, depth == 0, first == "," || first == ">" && output.last != "-" { break }
            if first == "(" || first == "[" { depth += 1 }
            if first == ")" || first == "]" { depth -= 1 }
            output.append(first)
            rest.removeFirst()
        }
        return output
    }

    /// Shortens the arguments in the next angle brackets; `nil` if the second bracket is missing.
    private func arguments(_ rest: inout Substring) -> [String]? {
        var arguments: [String] = []
        repeat {
            rest = rest.dropFirst().drop { $0 == " " }
            arguments.append(rewritten(&rest, isArgument: true))
        } while rest.first == ","
        return rest.popFirst() == ">" ? arguments : nil
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
}
