/// Writes the places of a service.
struct EnvironmentRenderer {
    let plan: Plan
    let options: GeneratorOptions
    private var access: Code { options.access.modifier }

    init(_ plan: Plan, _ options: GeneratorOptions) {
        (self.plan, self.options) = (plan, options)
    }

    func render(to text: inout SourceText) {
        text.gap()
        text.block("nonisolated extension APIEnvironment") { text in
            for environment in plan.environments { render(environment, &text) }
        }
    }

    private func publicly(_ text: String) -> String? { options.access == .public ? text : nil }

    private func render(_ environment: EnvironmentPlan, _ text: inout SourceText) {
        for variable in environment.variables where variable.type != nil { renderValues(variable, &text) }
        let name = SwiftName.quoted(environment.name)
        text.document(environment.documentation ?? publicly("The server of \(plan.name)."))
        guard !environment.variables.isEmpty else {
            return text.line("\(access)static let \(name): Self = \(environment.urlLiteral)")
        }
        let arguments = environment.variables.map { variable -> Code in
            let type = variable.type.map(SwiftName.bare) ?? SwiftName.bare("String")
            return "\(SwiftName.quoted(variable.name)): \(type) = \(variable.defaultValue)"
        }
        text.call("\(access)static func \(name)", arguments, " -> Self {")
        text.indented { $0.line("Self(baseURL: \(environment.urlLiteral))") }
        text.line("}")
    }

    private func renderValues(_ variable: EnvironmentPlan.Variable, _ text: inout SourceText) {
        text.document(variable.documentation ?? publicly("The values of `\(variable.name)`."))
        text.block("\(access)enum \(SwiftName.bare(variable.type ?? "")): String, Sendable, CaseIterable") { text in
            for value in variable.values {
                text.document(publicly("The value \(MarkdownText(code: value.literal.text).text)."))
                let raw: Code = value.literal == "\(Literal(value.name))" ? "" : " = \(value.literal)"
                text.line("case \(SwiftName.quoted(value.name))\(raw)")
            }
        }
        text.gap()
    }
}

extension EnvironmentPlan {
    /// The URL as a string literal, with interpolations of the variables.
    fileprivate var urlLiteral: Code {
        var template = LiteralTemplate()
        for part in url {
            switch part {
            case .text(let text): template.append(text)
            case .variable(let index):
                let name = SwiftName.quoted(variables[index].name)
                template.append(value: variables[index].values.isEmpty ? "\(name)" : "\(name).rawValue")
            }
        }
        return template.code
    }
}
