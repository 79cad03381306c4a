import HikyakuJSON

/// Writes the defaults of properties as Swift, where they are simple.
struct DefaultValues {
    private let plans: [String: TypePlan]
    private let findings: Findings

    init(_ plans: [String: TypePlan], _ findings: Findings) {
        (self.plans, self.findings) = (plans, findings)
    }

    private enum Source {
        case simple(Code)
        /// A value that would be long, or that only an expression makes.
        case complex
        case invalid(String)
    }

    /// The default of a property; `nil` if it has none, or a long one, or one of another type.
    func source(of property: PropertyPlan) -> Code? {
        guard let node = property.defaultNode, !node.isNull else { return nil }
        switch source(node, property.type.withoutOptional, 0) {
        case .simple(let text): return text.utf8Count <= 60 ? text : nil
        case .complex: return nil
        case .invalid(let expected):
            findings.warn(
                .unexpectedType,
                at: node.position,
                "the default of \(property.key.quoted) is \(node.kindName), not \(expected)",
                action: "it is ignored",
            )
            return nil
        }
    }

    private func source(_ node: DocumentNode, _ type: SwiftType, _ depth: Int) -> Source {
        switch type {
        case .standard(let name): return source(node, standard: name)
        case .array:
            guard let elements = node.array else { return .invalid("an array") }
            return elements.isEmpty ? .simple("[]") : .complex
        case .dictionary:
            guard let members = node.object else { return .invalid("an object") }
            return members.isEmpty ? .simple("[:]") : .complex
        case .optional(let type): return source(node, type, depth)
        case .model(let id): return plans[id].map { source(node, $0, depth) } ?? .complex
        }
    }

    private func source(_ node: DocumentNode, standard name: Code) -> Source {
        switch name {
        case "String": return node.string.map { .simple("\(Literal($0))") } ?? .invalid("a string")
        case "Bool": return node.bool.map { .simple($0 ? "true" : "false") } ?? .invalid("a boolean")
        case "Int", "Int64", "UInt64":
            guard let number = node.number else { return .invalid("an integer") }
            guard let value = number.int, name == "Int64" || Int32(exactly: value) != nil,
                name != "UInt64" || value >= 0
            else {
                return number.int == nil ? .invalid("an integer") : .complex
            }
            return .simple("\(value)")
        case "Double", "Float", "Decimal":
            guard let number = node.number else { return .invalid("a number") }
            if let value = number.int { return .simple("\(value)") }
            // A literal of a decimal would be rounded as a double.
            guard let value = number.double, value.isFinite else { return .invalid("finite") }
            guard name == "Double" else { return .complex }
            return .simple("\(value)")
        case "JSONValue": return .complex
        default: return .complex
        }
    }

    private func source(_ node: DocumentNode, _ plan: TypePlan, _ depth: Int) -> Source {
        switch plan.kind {
        case .values(let rawType, let values):
            let number = rawType == "Int" ? node.number?.int : nil
            let text = rawType == "Int" ? number.map { String($0) } : node.string
            guard let text else { return .invalid(rawType == "Int" ? "an integer" : "a string") }
            let literal: Code = number.map { "\($0)" } ?? "\(Literal(text))"
            if let value = values.first(where: { $0.literal == literal }) {
                return .simple(".\(SwiftName.quoted(value.name))")
            }
            guard !plan.isClosed else { return .invalid("one of the values") }
            let message = "the default \(text.quoted) is none of the values"
            findings.add(.note, .unknownValue, at: node.position, message, action: "it is used nevertheless")
            return .simple("\(SwiftName.bare(plan.name))(rawValue: \(literal))")
        case .alias(let target): return depth < 16 ? source(node, target, depth + 1) : .complex
        case .object: return node.object == nil ? .invalid("an object") : .complex
        case .tuple: return node.array == nil ? .invalid("an array") : .complex
        case .union: return .complex
        }
    }
}
