/// Plans the models of what the service sends by itself, by webhooks and callbacks.
struct PayloadPlanner {
    private let document: APIDocument
    private let types: TypePlanner
    private let findings: Findings

    init(_ document: APIDocument, _ types: TypePlanner, _ findings: Findings) {
        (self.document, self.types, self.findings) = (document, types, findings)
    }

    func plans() -> [PayloadsPlan] {
        let callbacks = document.operations.flatMap(\.callbacks).map { ($0.name, $0.operations) }
        let webhooks = document.webhooks.map { ($0.name, $0.operations) }
        return [
            plan("Webhooks", "What the service sends by itself.", webhooks),
            plan("Callbacks", "What the service sends because of an operation.", callbacks),
        ].filter { !$0.types.isEmpty }
    }

    private func plan(
        _ name: String,
        _ documentation: String,
        _ sources: [(name: String, operations: [APIOperation])],
    ) -> PayloadsPlan {
        var plan = PayloadsPlan(name: name, documentation: documentation, types: [])
        for source in sources {
            for operation in source.operations {
                guard let type = type(of: operation, source.name) else { continue }
                let method = source.operations.count > 1 ? " " + operation.method.lowercased() : ""
                let payload = PayloadsPlan.Payload(
                    name: SwiftName.type(source.name + method),
                    type: type,
                    documentation: Documentation.line(operation.summary ?? operation.description),
                )
                plan.types.append(payload)
            }
        }
        return plan
    }

    private func type(of operation: APIOperation, _ name: String) -> SwiftType? {
        noteUnused(operation, name)
        guard let schema = operation.requestBody?.contents.first(where: { $0.name.kind == .json })?.schema else {
            let message = "\(name.quoted), which the service sends, has no body in JSON"
            findings.add(.note, .notGenerated, at: operation.position, message, action: "no model is generated")
            return nil
        }
        return types.type(
            of: schema,
            named: NameWish(operation.id ?? name, rank: 4, identity: "\(operation.method) of \(name)").appending(
                "Payload",
                "requestBody",
            ),
        )
    }

    private func noteUnused(_ operation: APIOperation, _ name: String) {
        func note(_ message: String, _ action: String) {
            findings.add(.note, .notGenerated, at: operation.position, "\(name.quoted) \(message)", action: action)
        }
        if !operation.parameters.isEmpty {
            note("has parameters", "its request has them, and only its body has a model")
        }
        if operation.responses.contains(where: { $0.contents.contains { $0.schema != nil } }) {
            note("is answered with a body", "the app writes the answer, and only the body of the request has a model")
        }
        if operation.requestBody?.contents.count ?? 0 > 1 {
            note("may have several media types", "the model is of JSON")
        }
    }

    /// The payloads with names that are different, and that hide no model in the namespace.
    static func named(_ plans: [PayloadsPlan], besides models: Set<String>) -> [PayloadsPlan] {
        plans.map { plan in
            var (plan, used) = (plan, models.union(SwiftName.reservedTypes))
            // Several operations may declare the same callback.
            var known: Set<String> = []
            plan.types = plan.types.filter { known.insert("\($0.name) \($0.type)").inserted }
            for index in plan.types.indices {
                let (name, type) = (plan.types[index].name, plan.types[index].type)
                var unique = used.contains(name) ? name + "Payload" : name
                if used.contains(unique) { unique = name + SwiftName.suffix("\(type)") }
                while !used.insert(unique).inserted { unique += "x" }
                plan.types[index].name = unique
            }
            plan.types.sort { $0.name < $1.name }
            return plan
        }
    }
}
