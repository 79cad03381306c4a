extension OperationPlanner {
    /// The types of the errors, with the statuses that they are declared for.
    func failureTypes(of operation: APIOperation, _ owner: String) -> FailurePlan.Statuses {
        var found: FailurePlan.Statuses = [:]
        let hasSuccess = operation.responses.contains { $0.status.isSuccess }
        for response in operation.responses {
            guard response.status.isError || response.status == .default && hasSuccess else { continue }
            guard let type = failureType(of: response, owner) else { continue }
            found[type, default: []].insert(response.status)
        }
        return found
    }

    private func failureType(of response: APIResponseDescription, _ owner: String) -> SwiftType? {
        func note(_ message: String, _ action: String) {
            findings.add(.note, .notGenerated, at: response.position, message, action: action)
        }
        guard !response.contents.isEmpty else { return nil }
        let contents = response.contents.filter { $0.name.kind == .json }
        let problem = contents.first { $0.name.essence == "application/problem+json" }
        let content = contents.first { $0.schema != nil } ?? problem
        guard let content, content.schema != nil || problem != nil else {
            note("an error has no JSON with a schema", "its body is kept in the error")
            return nil
        }
        if response.contents.count > 1 {
            let message = "the error may also be of another media type than \(content.name.text)"
            note(message, "such a body is kept in the error")
        }
        if content.name.essence == "application/problem+json", isProblemDetails(content.schema) {
            return .standard("ProblemDetails")
        }
        guard let schema = content.schema else { return nil }
        let wish = response.componentName.map { NameWish($0, rank: 3) } ?? wish(owner, rank: 4)
        let type = types.type(of: schema, named: wish.appending("Failure", "\(response.status)")).withoutOptional
        guard type != .anything else {
            note("an error may be anything", "its body is kept in the error")
            return nil
        }
        return type
    }

    /// Whether a schema has nothing but the members of RFC 9457.
    private func isProblemDetails(_ schema: Schema?) -> Bool {
        guard let schema = schema.map({ types.resolved($0) }) else { return true }
        let known: Set = ["type", "title", "status", "detail", "instance"]
        guard schema.oneOf.isEmpty, schema.anyOf.isEmpty, schema.allOf.isEmpty else { return false }
        return schema.properties.allSatisfy { known.contains($0.name) }
            && (!schema.properties.isEmpty || schema.types.withoutNull == .object || schema.isUnrestricted)
    }
}

/// Orders and names the types of failures.
struct FailureTypes {
    private let names: [String: String]
    private let plans: [String: TypePlan]

    init(_ plan: Plan) {
        names = plan.typeNames
        plans = Dictionary(plan.types.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Whether a type itself can be a failure: it is neither a typealias nor a type of Swift.
    func isNominal(_ type: SwiftType) -> Bool {
        if type == .standard("ProblemDetails") { return true }
        guard case .model(let id) = type, let plan = plans[id] else { return false }
        if case .alias = plan.kind { return false }
        return true
    }

    /// The types in the order in which they are tried: those that require more first.
    func sorted(_ types: some Sequence<SwiftType>) -> [SwiftType] {
        types.sorted { one, other in
            let (first, second) = (rank(one), rank(other))
            return (first.0, -first.1, label(one)) < (second.0, -second.1, label(other))
        }
    }

    private func rank(_ type: SwiftType) -> (Int, Int) {
        if type == .standard("ProblemDetails") { return (0, 0) }
        guard case .model(let id) = type, let plan = plans[id] else { return (2, 0) }
        switch plan.kind {
        case .object(let properties, _):
            let required = properties.count { !$0.type.isOptional }
            return (required > 0 ? 1 : 3, required > 0 ? required : properties.count)
        case .union: return (4, 0)
        default: return (2, 0)
        }
    }

    /// A name for a type: `Pet`, `StringList`, `PetMap`.
    func label(_ type: SwiftType) -> String {
        switch type {
        case .standard(let name): type == .secret ? "String" : SwiftName.part(name.text)
        case .model(let id): names[id] ?? "Value"
        case .array(let element): label(element) + "List"
        case .dictionary(let value): label(value) + "Map"
        case .optional(let type): label(type)
        }
    }
}

extension APIResponseDescription.Status {
    /// Whether it means success, of which 304 is a case.
    var isSuccess: Bool {
        switch self {
        case .code(let code): 200..<300 ~= code || code == 304
        case .range(let digit): digit == 2
        case .default: false
        }
    }

    /// Whether it is the status of an error.
    var isError: Bool {
        switch self {
        case .code(let code): code >= 400
        case .range(let digit): digit >= 4
        case .default: false
        }
    }

    /// Whether it is for several statuses.
    var isRange: Bool { if case .range = self { true } else { false } }
}
