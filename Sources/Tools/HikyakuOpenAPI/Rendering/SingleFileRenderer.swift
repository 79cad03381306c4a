/// Writes everything into one file, as one writes it by hand: without a namespace, a protocol or a mark.
struct SingleFileRenderer {
    let plan: Plan
    let options: GeneratorOptions
    /// The ids of the types that a reader begins with.
    let firstTypes: [String]
    /// Whether all models read themselves, rather than by synthesized code.
    let isDirect: Bool
    /// Whether the file declares the environment of its requests.
    var declaresEnvironment = true

    init(_ plan: Plan, _ options: GeneratorOptions, firstTypes: [String], isDirect: Bool) {
        (self.plan, self.options, self.firstTypes, self.isDirect) = (plan, options, firstTypes, isDirect)
    }

    func code() -> Code {
        var text = SourceText()
        let requests = plan.groups.flatMap(\.requests)
        if !requests.isEmpty {
            if declaresEnvironment { EnvironmentRenderer(plan, options).render(to: &text) }
            let renderer = RequestRenderer(plan, options, environment: plan.environments.first?.name)
            for request in requests { renderer.render(request, &text) }
        }
        let models = ModelRenderer(plan, options)
        let direct = plan.directTypes
        for type in plan.readingOrder(from: firstTypes) {
            if case .object(let properties, _) = type.kind, !isDirect, !direct.contains(type.id) {
                models.renderCodable(type, properties, to: &text)
            } else {
                models.render(type, to: &text)
            }
        }
        return "\(head(of: text, hasRequests: !requests.isEmpty))\(text.code)"
    }

    /// The imports, of which one without a use would be a warning where it is public.
    private func head(of text: SourceText, hasRequests: Bool) -> Code {
        let isFoundation = FileRenderer.uses(FileRenderer.foundationTypes, text)
        var modules = options.imports.map { ($0, options.access.modifier) }
        if isFoundation { modules.append(("Foundation", options.access.modifier)) }
        switch use(hasRequests: hasRequests) {
        case .none: break
        case .conformance where options.access == .package: modules.append(("Hikyaku", ""))
        case .conformance, .declaration: modules.append(("Hikyaku", options.access.modifier))
        }
        guard !modules.isEmpty else { return "" }
        modules.sort { $0.0 < $1.0 }
        return "\(modules.map { "\($1)import \($0)" as Code }.joined(separator: "\n"))\n\n"
    }

    private enum Use { case none, conformance, declaration }

    /// What of Hikyaku the file needs.
    private func use(hasRequests: Bool) -> Use {
        if hasRequests || isDirect && plan.types.contains(where: { !$0.isSet }) { return .declaration }
        let known: Set<Code> = ["JSONValue", "CalendarDate", "Secret<String>"]
        let isUsed = plan.types.flatMap(\.usedTypes).contains { type in
            type.standardNames.contains { known.contains($0) || $0.text.begins(with: "NumberText") }
        }
        if isUsed || !plan.directTypes.subtracting(plan.types.filter(\.isSet).map(\.id)).isEmpty { return .declaration }
        return plan.types.contains(where: \.isDeclared) ? .conformance : .none
    }
}

extension TypePlan {
    fileprivate var isSet: Bool { if case .values = kind { true } else { false } }
    /// Whether it is a type of its own, which names a protocol of Hikyaku.
    fileprivate var isDeclared: Bool { if case .alias = kind { false } else { true } }
}

extension SwiftType {
    /// The names of types that are not generated.
    fileprivate var standardNames: [Code] {
        switch self {
        case .standard(let name): [name]
        case .model: []
        case .array(let type), .dictionary(let type), .optional(let type): type.standardNames
        }
    }
}
