/// Plans what is generated of a document.
package struct Planner {
    private let document: APIDocument
    private let options: GeneratorOptions
    private let findings: Findings

    init(_ document: APIDocument, _ options: GeneratorOptions, _ findings: Findings) {
        (self.document, self.options, self.findings) = (document, options, findings)
    }

    func plan() -> Plan {
        let name = apiName()
        // The first run finds the best name of each type; in the second one, what is in it is named after that.
        let first = planAll(Findings(countMax: 0), [:]).types.wishes
        let (types, requests, planned, payloads) = planAll(findings, first)
        if !options.filters.isEmpty, planned.isEmpty {
            findings.warn(
                .unusedOption,
                at: SourcePosition(),
                "no operation fits the filter",
                action: "no request is generated",
            )
        }
        var plan = Plan(name: name, summary: Documentation.line(document.info.summary ?? document.info.description))
        UnusedReport(document, options, findings).report()
        requests.unused.report(to: findings)
        let uses = TypeUses(
            created: types.reachable(from: requests.createdTypes),
            read: types.reachable(from: requests.readTypes + payloads),
            partial: types.reachable(from: requests.partialTypes),
        )
        let namespaces = Set(planned.map { Self.groupName($0.group) } + [name, name + "Failure"])
        (plan.types, plan.typeNames) = types.finished(uses: uses, apiName: name, reserved: namespaces)
        plan.environments = EnvironmentPlanner(document, options, findings, name).plans()
        plan.authorization = authorization(name)
        planFailures(planned, &plan)
        planGroups(planned, &plan)
        return plan
    }

    private func planAll(
        _ findings: Findings,
        _ preferred: [String: NameWish],
    ) -> (types: TypePlanner, requests: OperationPlanner, planned: [OperationPlanner.Planned], payloads: [SwiftType]) {
        let types = TypePlanner(document, options, findings, preferred: preferred)
        let requests = OperationPlanner(types)
        if options.filters.isEmpty {
            for schema in document.schemas where schema.isComponent { _ = types.type(of: schema.key) }
        }
        let planned = document.operations.filter { operation in
            options.filters.isEmpty || options.filters.contains { $0.includes(operation) }
        }.map { requests.plan($0) }
        return (types, requests, planned, planPayloads(types, findings))
    }

    private func apiName() -> String {
        if let name = options.name { return SwiftName.type(name) }
        let words = SwiftName.words(of: document.info.title.replacing("OpenAPI", with: ""))
        let noise: Set = ["api", "rest", "web", "openapi", "swagger", "specification", "spec", "the", "v1", "v2", "v3"]
        let rest = words.filter {
            !noise.contains($0.lowercased()) && $0.unicodeScalars.contains { $0.properties.isAlphabetic }
        }
        return SwiftName.type((rest.isEmpty ? words : rest).prefix(3).joined(separator: " "))
    }

    static func groupName(_ group: String) -> String {
        let name = SwiftName.part(group)
        return (name.unicodeScalars.first?.properties.isXIDStart == true ? name : "Group" + name) + "API"
    }

    /// The models of what the service sends by itself.
    private func planPayloads(_ types: TypePlanner, _ findings: Findings) -> [SwiftType] {
        guard options.filters.isEmpty else { return [] }
        var payloads: [SwiftType] = []
        let callbacks = document.operations.flatMap(\.callbacks)
        let operations =
            document.webhooks.map { ($0.name, $0.operations) } + callbacks.map { ($0.name, $0.operations) }
        for (name, operations) in operations {
            for operation in operations {
                let schema = operation.requestBody?.contents.first { $0.name.kind == .json }?.schema
                guard let schema else {
                    let message = "\(name.quoted), which the service sends, has no body in JSON"
                    findings.add(
                        .note,
                        .notGenerated,
                        at: operation.position,
                        message,
                        action: "no model is generated",
                    )
                    continue
                }
                let wish = NameWish(operation.id ?? name, rank: 4).appending("Payload", "requestBody")
                payloads.append(types.type(of: schema, named: wish))
            }
        }
        return payloads
    }

    private func authorization(_ name: String) -> [String] {
        document.securitySchemes.map { scheme in
            let environment = SwiftName.quoted(SwiftName.member(name))
            let example: String
            switch scheme.kind {
            case .apiKey(.header, let field): example = "a key in the field \(field)"
            case .apiKey(.query, let item): example = "a key in the query item \(item)"
            case .apiKey(_, let cookie): example = "a key in the cookie \(cookie)"
            case .http("basic", _): example = "a name and a password"
            case .http("bearer", _): example = "`client.authorized(by: .bearer(token), for: .\(environment))`"
            case .http(let scheme, _): example = "the scheme \(scheme)"
            case .oauth2(let flows): example = "OAuth 2.0 (\(flows.map(\.kind.rawValue).joined(separator: ", ")))"
            case .openIDConnect: example = "OpenID Connect"
            case .mutualTLS: example = "a certificate of the client"
            case .unknown(let kind): example = "the unknown scheme \(kind)"
            }
            return "\(scheme.name): \(example)"
        }
    }

    // MARK: Failures

    private func planFailures(_ planned: [OperationPlanner.Planned], _ plan: inout Plan) {
        var sets: [[SwiftType]] = []
        for failure in planned.map(\.failure) where !failure.isEmpty {
            let sorted = Self.sorted(failure, plan.typeNames)
            if !sets.contains(sorted) { sets.append(sorted) }
        }
        plan.failures = sets.map { FailurePlan(name: failureName($0, sets, plan), types: $0) }.sorted {
            $0.name < $1.name
        }
        if sets.count == 1 { plan.failure = plan.failures.first?.name }
    }

    private static func sorted(_ types: [SwiftType], _ names: [String: String]) -> [SwiftType] {
        types.sorted { TypeText.text(of: $0, names) < TypeText.text(of: $1, names) }
    }

    private func failureName(_ types: [SwiftType], _ sets: [[SwiftType]], _ plan: Plan) -> String {
        let names = types.map { TypeText.text(of: $0, plan.typeNames) }
        if names.count == 1 { return names[0] }
        if sets.count == 1 { return plan.name + "Failure" }
        let joined = names.joined(separator: "Or")
        return joined.count <= 80 ? joined : names[0] + "OrOther" + SwiftName.suffix(joined)
    }

    // MARK: Groups

    private func planGroups(_ planned: [OperationPlanner.Planned], _ plan: inout Plan) {
        let modelNames = Set(plan.typeNames.values).union(plan.failures.map(\.name))
        func isTaken(_ name: String) -> Bool {
            modelNames.contains(name) || name == plan.name || SwiftName.reservedTypes.contains(name)
        }
        for (name, members) in Dictionary(grouping: planned, by: { Self.groupName($0.group) }).sorted(by: {
            $0.key < $1.key
        }) {
            var requests: [RequestPlan] = []
            // A name that several operations lead to belongs to the one that the document calls so.
            let order = members.map(\.request).sorted { ($0.isExact ? 0 : 1, $0.id) < ($1.isExact ? 0 : 1, $1.id) }
            let owners = Dictionary(order.map { ($0.name, $0.id) }) { first, _ in first }
            for member in members {
                var request = member.request
                if owners[request.name] != request.id { request.name += SwiftName.suffix(request.id) }
                if isTaken(request.name) { request.name += "Request" }
                if isTaken(request.name) { request.name += SwiftName.suffix(request.id) }
                if plan.failure == nil, !member.failure.isEmpty {
                    let types = Self.sorted(member.failure, plan.typeNames)
                    request.failure = plan.failures.first { $0.types == types }?.name
                }
                requests.append(request)
            }
            let tag = document.tags.first { Self.groupName($0.name) == name }
            plan.groups.append(
                GroupPlan(
                    name: name,
                    documentation: Documentation.line(tag?.description ?? tag?.summary),
                    requests: requests.sorted { $0.name < $1.name },
                )
            )
        }
    }
}

/// Plans the places of a service.
struct EnvironmentPlanner {
    private let document: APIDocument
    private let options: GeneratorOptions
    private let findings: Findings
    private let apiName: String

    init(_ document: APIDocument, _ options: GeneratorOptions, _ findings: Findings, _ apiName: String) {
        (self.document, self.options, self.findings, self.apiName) = (document, options, findings, apiName)
    }

    func plans() -> [EnvironmentPlan] {
        let base = SwiftName.member(apiName)
        guard !document.servers.isEmpty else {
            let url = options.baseURL ?? "https://localhost"
            if options.baseURL == nil {
                let message = "the document has no server"
                findings.warn(
                    .invalidServer,
                    at: SourcePosition(),
                    message,
                    action: "the environment is \(url); use --base-url",
                )
            }
            return [EnvironmentPlan(name: base, url: SourceText.escaped(url), variables: [])]
        }
        var used: Set<String> = []
        return document.servers.enumerated().map { index, server in
            var name = index == 0 ? base : base + SwiftName.part(server.name ?? server.description ?? server.url)
            if name.count > 50 || index > 0 && name == base { name = base + SwiftName.suffix(server.url) }
            if !used.insert(name).inserted {
                name = base + SwiftName.suffix(server.url)
                while !used.insert(name).inserted { name += "x" }
            }
            return plan(server, name)
        }
    }

    private func plan(_ server: Server, _ name: String) -> EnvironmentPlan {
        var text = server.url
        if !text.contains("://") {
            let url = options.baseURL ?? "https://localhost"
            text = (url.hasSuffix("/") ? String(url.dropLast()) : url) + (text.hasPrefix("/") ? text : "/" + text)
            if options.baseURL == nil {
                let message = "the server \(server.url.quoted) has no host"
                findings.warn(
                    .invalidServer,
                    at: server.position,
                    message,
                    action: "the environment is \(text); use --base-url",
                )
            }
        }
        var url = SourceText.escaped(text)
        var variables: [(name: String, label: String, defaultValue: String)] = []
        var names = MemberNames()
        for variable in server.variables { _ = names.take(variable.name) }
        for (variable, label) in zip(server.variables, names.names()) {
            let place = SourceText.escaped("{\(variable.name)}")
            guard url.contains(place) else { continue }
            url = url.split(separator: place, omittingEmptySubsequences: false).joined(
                separator: "\\(\(SwiftName.quoted(label)))"
            )
            if !variable.values.isEmpty {
                let message =
                    "the server's variable \(variable.name.quoted) has \(variable.values.count) allowed values"
                findings.add(.note, .notGenerated, at: server.position, message, action: "it is any text")
            }
            variables.append((label, variable.name, SourceText.literal(variable.defaultValue)))
        }
        return EnvironmentPlan(
            name: name,
            url: url,
            variables: variables,
            documentation: Documentation.line(server.description),
        )
    }
}
