/// Writes the places of a service.
struct EnvironmentRenderer {
    let plan: Plan
    let options: GeneratorOptions
    private var access: String { options.access.modifier }

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
            return text.line("\(access)static let \(name): Self = \"\(environment.url)\"")
        }
        let arguments = environment.variables.map {
            "\(SwiftName.quoted($0.name)): \($0.type ?? "String") = \($0.defaultValue)"
        }
        text.call("\(access)static func \(name)", arguments, " -> Self {")
        text.indented { $0.line("Self(baseURL: \"\(environment.url)\")") }
        text.line("}")
    }

    private func renderValues(_ variable: EnvironmentPlan.Variable, _ text: inout SourceText) {
        text.document(variable.documentation ?? publicly("The values of `\(variable.name)`."))
        text.block("\(access)enum \(variable.type ?? ""): String, Sendable, CaseIterable") { text in
            for value in variable.values {
                text.document(publicly("The value `\(value.literal.filter { $0 != "`" })`."))
                let isEqual = value.literal == "\"\(value.name)\""
                text.line("case \(SwiftName.quoted(value.name))\(isEqual ? "" : " = \(value.literal)")")
            }
        }
        text.gap()
    }
}
