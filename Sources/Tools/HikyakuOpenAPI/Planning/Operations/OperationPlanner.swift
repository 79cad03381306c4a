/// Plans the requests of operations.
final class OperationPlanner {
    let types: TypePlanner
    let document: APIDocument
    let options: GeneratorOptions
    let findings: Findings
    /// The types of request bodies and parameters.
    private(set) var createdTypes: [SwiftType] = []
    /// Types of what is sent to change something in part.
    private(set) var partialTypes: [SwiftType] = []
    /// The types of responses.
    private(set) var readTypes: [SwiftType] = []
    /// What has no effect on requests.
    private(set) var unused = Tally()
    private let usualSecurity: String?
    /// The operation that is being planned, with what its types are named after.
    private var current = (id: "", owner: "")

    init(_ types: TypePlanner) {
        self.types = types
        (document, options, findings) = (types.document, types.options, types.findings)
        usualSecurity = Self.usualSecurity(types.document)
    }

    /// A request with its group and the types of its failure.
    struct Planned {
        var operation: APIOperation
        var group: String
        var request: RequestPlan
        var failure: FailurePlan.Statuses
        var headers: [HeadersPlan.Field]
    }

    func plan(_ operation: APIOperation) -> Planned {
        let group = operation.tags.first ?? Self.pathGroup(operation)
        let name = requestName(of: operation, in: group)
        // Types have no namespace, so that their names have the whole id.
        let owner =
            operation.id.flatMap { options.renames[$0] == nil ? SwiftName.part($0) : nil } ?? SwiftName.part(name)
        current = (RequestPlan.id(of: operation), owner)
        var request = RequestPlan(
            name: SwiftName.type(name),
            method: operation.method,
            documentation: types.line(operation.summary) ?? types.line(operation.description),
            isDeprecated: operation.isDeprecated,
            path: "",
            result: .nothing,
            id: RequestPlan.id(of: operation),
        )
        request.isExact = SwiftName.member(name) == name || SwiftName.type(name) == name
        request.isChosen = operation.id.map { options.renames[$0] != nil } ?? false
        applySecurity(of: operation, to: &request)
        countUnused(operation)
        let createdCount = createdTypes.count
        let body = sentBody(of: operation).flatMap { bodyPlan($0, owner) }
        if isPartial(operation) { partialTypes += createdTypes[createdCount...] }
        request.parameters = parameters(of: operation, owner, body?.parameters ?? [])
        request.path = path(of: operation, request.parameters)
        request.fixedItems = fixedItems(of: operation, request.parameters)
        request.body = body.map { found in
            var plan = found.plan
            plan.property = plan.property.map { _ in request.parameters.first { $0.place == .body }?.name ?? "content" }
            plan.typeProperty = plan.typeProperty.map { usual in
                request.parameters.first { $0.key == "requestBody/type" }?.name ?? usual
            }
            renameFields(&plan, request.parameters)
            return plan
        }
        request.parameters.sort { $0.isRequired && !$1.isRequired }
        request.result = result(of: operation, owner)
        request.accepted = acceptedType(of: operation)
        request.events = events(besides: request.result, of: operation, owner)
        request.terminator = terminator(of: operation)
        if operation.method == "HEAD" { request.result = .nothing }
        request.server = server(of: operation)
        noteUnsupported(operation)
        let failure = failureTypes(of: operation, owner)
        let headers = headerFields(of: operation)
        readTypes += request.result.types + [request.events].compactMap(\.self) + failure.keys + headers.map(\.type)
        return Planned(operation: operation, group: group, request: request, failure: failure, headers: headers)
    }

    /// The name of something in the operation that is being planned, whose identity is its method and path: other
    /// operations may lead to the same name.
    func wish(_ owner: String, rank: Int) -> NameWish {
        let part = owner.hasPrefix(current.owner) ? owner.dropFirst(current.owner.count) : owner[...]
        return NameWish(owner, rank: rank, identity: current.id + (part.isEmpty ? "" : " " + part))
    }

    // MARK: Names

    private static func pathGroup(_ operation: APIOperation) -> String {
        for case .literal(let text) in operation.path.pathParts {
            let segments = text.split(separator: "/").map(String.init)
            if let first = segments.first(where: { SwiftName.words(of: $0).first.map { $0.count > 2 } ?? false }) {
                return first
            }
        }
        return "root"
    }

    private func requestName(of operation: APIOperation, in group: String) -> String {
        guard let id = operation.id, !SwiftName.words(of: id).isEmpty else {
            return pathName(of: operation)
        }
        if let name = types.renamed(id) { return name }
        // `repos/get` of the tag `repos` is `Get`.
        if id.count > group.count + 1, id.lowercased().hasPrefix(group.lowercased()) {
            let rest = id.dropFirst(group.count)
            if let sign = rest.first, "/._-:".contains(sign) { return String(rest.dropFirst()) }
        }
        return id
    }

    private func pathName(of operation: APIOperation) -> String {
        var words = [operation.method.lowercased()]
        for part in operation.path.pathParts {
            switch part {
            case .literal(let text): words += text.split(separator: "/").flatMap { SwiftName.words(of: String($0)) }
            case .variable(let name): words += ["by"] + SwiftName.words(of: name)
            }
        }
        return words.joined(separator: " ")
    }

    // MARK: Security

    private func applySecurity(of operation: APIOperation, to request: inout RequestPlan) {
        // An alternative without requirements alone needs none.
        guard operation.security.contains(where: { !$0.requirements.isEmpty }) else { return }
        let isOptional = operation.security.contains { $0.requirements.isEmpty }
        request.access = isOptional ? .authorizedIfPossible : .authorized
        request.authorization = authorization(of: operation)
        let needed = operation.security.filter { !$0.requirements.isEmpty }
        // With several alternatives, none of the scopes is needed for sure.
        guard !isOptional, needed.count == 1 else { return }
        let scopes = needed[0].requirements.filter { requirement in
            document.securitySchemes.contains { scheme in
                guard scheme.name == requirement.scheme else { return false }
                switch scheme.kind {
                case .oauth2, .openIDConnect: return true
                default: return false
                }
            }
        }
        request.scopes = Set(scopes.flatMap(\.scopes)).sorted()
    }

    /// What the client must be authorized by, if not every operation has the same.
    private func authorization(of operation: APIOperation) -> String? {
        guard let text = Self.text(operation.security), text != usualSecurity else { return nil }
        return operation.security.contains { $0.requirements.isEmpty } ? text + ", or not at all" : text
    }

    /// The schemes of the alternatives: `key and session, or basic`.
    static func text(_ security: [SecurityAlternative]) -> String? {
        let alternatives = security.filter { !$0.requirements.isEmpty }.map {
            $0.requirements.map(\.scheme).joined(separator: " and ")
        }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return alternatives.isEmpty ? nil : alternatives.joined(separator: ", or ")
    }

    /// The schemes that most operations need.
    private static func usualSecurity(_ document: APIDocument) -> String? {
        var counts: [String: Int] = [:]
        for operation in document.operations {
            if let text = text(operation.security) { counts[text, default: 0] += 1 }
        }
        return counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
    }

    private func countUnused(_ operation: APIOperation) {
        func count(_ message: String, _ action: String) {
            self.count(message, at: operation.position, action: action)
        }
        let needed = operation.security.filter { !$0.requirements.isEmpty }
        if needed.count > 1 {
            count("there are several ways to authorize an operation", "any is possible, and no scopes are required")
        }
        if needed.contains(where: { $0.requirements.count > 1 }) {
            count("an operation needs several authorizations at once", "the client is authorized by '.all(…)'")
        }
        if operation.tags.count > 1 { count("an operation has several tags", "it is in the namespace of the first") }
    }

    // MARK: Parameters

    private func parameters(of operation: APIOperation, _ owner: String, _ body: [ParameterPlan]) -> [ParameterPlan] {
        var plans: [ParameterPlan] = []
        for parameter in operation.parameters {
            if let plan = parameterPlan(parameter, owner) { plans.append(plan) }
        }
        return distinguished(plans + body, of: operation)
    }

    /// The parameters with names that are different; those of an operation keep the names of an earlier run.
    func distinguished(_ parameters: [ParameterPlan], of operation: APIOperation? = nil) -> [ParameterPlan] {
        var plans = parameters
        // Names that several parameters lead to differ by their places.
        var count: [String: Int] = [:]
        for plan in plans { count[plan.name, default: 0] += 1 }
        var used: Set<String> = []
        let kept = operation.map { keptNames(of: $0, plans, &used) } ?? [:]
        for index in plans.indices {
            if let name = kept[plans[index].identity] {
                plans[index].name = name
                continue
            }
            var name = plans[index].name
            if count[name, default: 0] > 1 || Self.reserved.contains(name) {
                // A name that requests have themselves needs no place to be distinguished.
                let isAlone = count[name, default: 0] == 1 && plans[index].place != .body
                name += isAlone ? "Parameter" : Self.placeName(plans[index])
            }
            if !used.insert(name).inserted {
                name += SwiftName.suffix(plans[index].key)
                while !used.insert(name).inserted { name += "x" }
            }
            plans[index].name = name
        }
        return plans
    }

    /// The names of parameters in an earlier run.
    private func keptNames(
        of operation: APIOperation,
        _ plans: [ParameterPlan],
        _ used: inout Set<String>,
    ) -> [String: String] {
        guard let history = options.history else { return [:] }
        let id = RequestPlan.id(of: operation)
        let known = history.requests.values.compactMap { $0[id]?.members }.first ?? [:]
        var kept: [String: String] = [:]
        for plan in plans {
            guard let name = known[plan.identity], !Self.reserved.contains(name) else { continue }
            if kept[plan.identity] == nil, used.insert(name).inserted { kept[plan.identity] = name }
        }
        return kept
    }

    private static func placeName(_ plan: ParameterPlan) -> String {
        switch plan.place {
        case .path: "InPath"
        case .query: "Parameter"
        case .header: "Header"
        case .cookie: "Cookie"
        case .body: plan.name.lowercased().hasSuffix("content") ? "Body" : "Content"
        }
    }

    private func parameterPlan(_ parameter: Parameter, _ owner: String) -> ParameterPlan? {
        let place: ParameterPlan.Place
        switch parameter.location {
        case .path: place = .path
        case .query: place = .query
        case .header:
            let name = parameter.name.lowercased()
            if name == "accept" || name == "content-type" || name == "authorization" {
                let action = "the client sets the field"
                findings.add(
                    .note,
                    .notGenerated,
                    at: parameter.position,
                    "the parameter \(parameter.name.quoted) has no effect",
                    action: action,
                )
                return nil
            }
            place = .header
        case .cookie: place = .cookie
        case .querystring: place = .query
        }
        var (type, form) = parameterType(parameter, owner, place)
        if !parameter.isRequired && place != .path { type = type.asOptional }
        // No query has null, so that one which is required has a value.
        if place == .path || parameter.isRequired { type = type.withoutOptional }
        createdTypes.append(type)
        return ParameterPlan(
            name: SwiftName.member(parameter.name),
            key: parameter.name,
            place: place,
            type: type,
            form: form,
            documentation: documentation(of: parameter),
            isDeprecated: parameter.isDeprecated,
            defaultValue: onlyValue(of: type, parameter.schema),
        )
    }

    /// What a parameter is, and the default that the service applies.
    private func documentation(of parameter: Parameter) -> String? {
        let line = types.line(parameter.description ?? parameter.schema.description)
        guard let value = types.resolved(parameter.schema).defaultValue?.scalarText, value.utf8.count <= 40 else {
            return line
        }
        guard line?.lowercased().contains("default") != true else { return line }
        // One sentence, since it is the summary.
        let text = "default: \(value.isEmpty ? "an empty text" : value)"
        return types.line(line.map { "\($0.dropLast()); \(text)" } ?? "D" + text.dropFirst())
    }

    /// The only value that a required parameter may have.
    private func onlyValue(of type: SwiftType, _ schema: Schema) -> Code? {
        switch type {
        case .model(let id):
            guard case .values(_, let values) = types.plans[id]?.kind, values.count == 1 else { return nil }
            return ".\(SwiftName.quoted(values[0].name))"
        case .standard("Bool"):
            let schema = types.resolved(schema)
            let values = schema.constant.map { [$0] } ?? schema.values?.map(\.value) ?? []
            return values.count == 1 ? values[0].bool.map { $0 ? "true" : "false" } : nil
        default: return nil
        }
    }

    private func path(of operation: APIOperation, _ parameters: [ParameterPlan]) -> Code {
        var template = LiteralTemplate()
        for part in operation.path.pathParts {
            switch part {
            case .literal(let text): template.append(Self.percented(text))
            case .variable(let key):
                if let parameter = parameters.first(where: { $0.place == .path && $0.key == key }) {
                    template.append(value: Self.interpolation(parameter))
                } else {
                    template.append("{\(key)}")
                }
            }
        }
        return template.code
    }

    /// A text with each `%` that begins no triplet as one.
    private static func percented(_ text: String) -> String {
        var parts = text.split(separator: "%", omittingEmptySubsequences: false)[...]
        var result = parts.popFirst().map(String.init) ?? ""
        for part in parts {
            let digits = part.utf8.prefix(2)
            let isTriplet = digits.count == 2 && UInt8(part.prefix(2), radix: 16) != nil
            result += (isTriplet ? "%" : "%25") + part
        }
        return result
    }

    /// The items that the document has written into the path, as they are written in a dictionary.
    private func fixedItems(of operation: APIOperation, _ parameters: [ParameterPlan]) -> [Code] {
        operation.path.queryItems.map { key, value in
            var template = LiteralTemplate()
            for part in value {
                switch part {
                case .literal(let text): template.append(text)
                case .variable(let key):
                    guard let parameter = parameters.first(where: { $0.place == .path && $0.key == key }) else {
                        continue
                    }
                    template.append(value: parameter.type.revealed("\(SwiftName.quoted(parameter.name))"))
                }
            }
            return "\(Literal(key)): \(template.code)"
        }
    }

    private static func interpolation(_ parameter: ParameterPlan) -> Code {
        let name: Code = "\(SwiftName.quoted(parameter.name))"
        if parameter.type == .secret, parameter.form.pathStyle == nil { return "secret: \(name)" }
        let value = parameter.form.source(parameter.type.revealed(name), isOptional: false)
        return parameter.form.pathStyle.map { "\(value), \($0)" } ?? value
    }

    /// Whether a member that the body lacks may leave something as it is, rather than mean a default.
    private func isPartial(_ operation: APIOperation) -> Bool {
        if operation.method == "PATCH" { return true }
        // Some services change what a path names by POST.
        guard operation.method == "POST", case .variable = operation.path.pathParts.last else { return false }
        return true
    }

    func created(_ type: SwiftType) { createdTypes.append(type) }

    func count(_ message: String, at position: SourcePosition, action: String) {
        unused.add(message, at: position, action: action)
    }

    /// Names that the requirements of a request have.
    static let reserved: Set<String> = [
        "environment", "method", "path", "query", "parameters", "headers", "body", "decoder", "diagnosisDetail",
        "encoder",
        "timeout", "timeouts", "requiresAuthorization", "requiredScopes", "redirectPolicy", "sharesExchange",
        "isIdempotent",
        "idempotencyKey", "limitGroup", "prepare", "accepts", "failure", "response", "fallback", "terminator",
        "reconnection", "idleTimeout", "streamTypes", "makeParser", "event", "events", "parts", "paging",
    ]
}
