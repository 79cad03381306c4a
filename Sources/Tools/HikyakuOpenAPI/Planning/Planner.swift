/// Plans what is generated of a document.
package struct Planner {
    private let document: APIDocument
    private let options: GeneratorOptions
    private let findings: Findings
    /// The names of models in an earlier run.
    private let modelNamesBefore: Set<String>

    init(_ document: APIDocument, _ options: GeneratorOptions, _ findings: Findings) {
        (self.document, self.options, self.findings) = (document, options, findings)
        modelNamesBefore = Set((options.history?.types ?? [:]).values.map(\.name))
    }

    func plan() -> Plan {
        let name = apiName()
        // The first run finds the best name of each type; in the second one, what is in it is named after that.
        let first = planAll(Findings(countMax: 0), [:]).types.preferredNames()
        var (types, requests, planned, payloads) = planAll(findings, first)
        var plan = Plan(name: name, summary: Documentation.line(document.info.summary ?? document.info.description))
        UnusedReport(document, options, findings, used: types.usedOptions).report()
        requests.unused.report(to: findings)
        types.effort.exceeded.report(to: findings, .warning)
        plan.work = types.work
        let uses = TypeUses(
            created: types.reachable(from: requests.createdTypes),
            read: types.reachable(from: requests.readTypes + payloads.flatMap(\.types).map(\.type)),
            partial: types.reachable(from: requests.partialTypes),
        )
        let failures = options.history?.failures.values.map { $0 } ?? []
        let reserved = Set(planned.map { groupName($0.group) } + [name] + failures)
        (plan.types, plan.typeNames) = types.finished(uses: uses, apiName: name, reserved: reserved)
        let others = OtherNames(options.history?.others ?? [:])
        plan.environments = EnvironmentPlanner(document, options, findings, name, others).plans()
        plan.security = SecurityPlanner(document, findings, name, others).plans(besides: Set(plan.typeNames.values))
        planLists(&planned, types, &plan)
        planHeaders(&planned, &plan, others)
        plan.payloads = PayloadPlanner.named(payloads, besides: Set(plan.typeNames.values))
        planFailures(planned, &plan)
        planGroups(planned, &plan)
        plan.history = history(of: plan, types)
        plan.history.others = others.kept
        return plan
    }

    private func planAll(
        _ findings: Findings,
        _ preferred: [String: NameWish],
    ) -> (types: TypePlanner, requests: OperationPlanner, planned: [OperationPlanner.Planned], payloads: [PayloadsPlan])
    {
        let types = TypePlanner(document, options, findings, preferred: preferred)
        let requests = OperationPlanner(types)
        if options.filters.isEmpty {
            for schema in document.schemas where schema.isComponent { _ = types.type(of: schema.key) }
        }
        let planned = document.operations.filter { operation in
            options.filters.isEmpty || options.filters.contains { $0.includes(operation) }
        }.map { requests.plan($0) }
        let payloads = PayloadPlanner(document, types, findings)
        return (types, requests, planned, options.filters.isEmpty ? payloads.plans() : [])
    }

    /// The name of the API, which hides no type that its own code uses.
    private func apiName() -> String {
        let name = wishedName()
        guard SwiftName.reservedTypes.contains(name) || name == "Request" else { return name }
        if options.name != nil {
            let message = "the name \(name.quoted) is that of a type of Swift or Hikyaku"
            findings.warn(.unusedOption, at: SourcePosition(), message, action: "the API is called \(name)API")
        }
        return name + "API"
    }

    private func wishedName() -> String {
        if let name = options.name { return SwiftName.type(name) }
        if let name = options.history?.apiName { return name }
        let words = SwiftName.words(of: document.info.title.replacing("OpenAPI", with: ""))
        let noise: Set = ["api", "rest", "web", "openapi", "swagger", "specification", "spec", "the", "v1", "v2", "v3"]
        let rest = words.filter {
            !noise.contains($0.lowercased()) && $0.unicodeScalars.contains { $0.properties.isAlphabetic }
        }
        return SwiftName.type((rest.isEmpty ? words : rest).prefix(3).joined(separator: " "))
    }

    /// The name of the namespace for a tag, or for the beginning of a path.
    private func groupName(_ group: String) -> String {
        let part = SwiftName.part(group)
        let name = (part.unicodeScalars.first?.properties.isXIDStart == true ? part : "Group" + part) + "API"
        // A model that was there before keeps its name.
        guard modelNamesBefore.contains(name), options.history?.requests[name] == nil else { return name }
        return name + SwiftName.suffix(group)
    }

    // MARK: Responses

    private func planLists(_ planned: inout [OperationPlanner.Planned], _ types: TypePlanner, _ plan: inout Plan) {
        let lists = PagingPlanner(types, plan.types)
        var pages: [String: ItemsPlan] = [:]
        for index in planned.indices {
            guard let paging = lists.plan(planned[index].operation, planned[index].request) else { continue }
            // A type conforms only once.
            guard let model = paging.items.model else {
                planned[index].request.paging = paging
                continue
            }
            guard pages[model] == nil || pages[model] == paging.items else { continue }
            pages[model] = paging.items
            planned[index].request.paging = paging
        }
        let names = plan.typeNames
        plan.pages = pages.sorted { (names[$0.key] ?? "") < (names[$1.key] ?? "") }.map(\.value)
    }

    private func planHeaders(_ planned: inout [OperationPlanner.Planned], _ plan: inout Plan, _ others: OtherNames) {
        var names = HeaderNames(others)
        // In a fixed order, so that the order of the document has no influence.
        for index in planned.indices.sorted(by: { planned[$0].request.id < planned[$1].request.id }) {
            planned[index].request.headers = names.name(of: planned[index].headers)
        }
        plan.headers = names.plans.sorted { $0.name < $1.name }
    }

    // MARK: Failures

    private func planFailures(_ planned: [OperationPlanner.Planned], _ plan: inout Plan) {
        let order = FailureTypes(plan)
        var sets: [[SwiftType]: FailurePlan.Statuses] = [:]
        for failure in planned.map(\.failure) where !failure.isEmpty {
            sets[order.sorted(failure.keys), default: [:]].merge(failure) { $0.union($1) }
        }
        let taken = Set(plan.typeNames.values)
        plan.failures = sets.map { types, statuses in
            let name = failureName(types, order, besides: taken)
            var failure = FailurePlan(name: name, types: types, statuses: statuses)
            if types.count > 1 || !order.isNominal(types[0]) {
                failure.cases = types.map { SwiftName.member(order.label($0)) }
            }
            return (failure, "\(failure.types)")
        }.sorted { ($0.0.name, $0.1) < ($1.0.name, $1.1) }.map(\.0)
        var used: Set<String> = []
        for index in plan.failures.indices where !used.insert(plan.failures[index].name).inserted {
            // A list of something may be called as a type is.
            plan.failures[index].name += SwiftName.suffix("\(plan.failures[index].types)")
            used.insert(plan.failures[index].name)
        }
        if sets.count == 1 { plan.failure = plan.failures.first?.name }
    }

    /// The name of the failure that is one of several types, which the names of these make up.
    ///
    /// It doesn't depend on other failures, so that a further operation changes nothing.
    private func failureName(_ types: [SwiftType], _ order: FailureTypes, besides taken: Set<String>) -> String {
        let joined = Self.labels(types, order)
        if types.count == 1 { return order.isNominal(types[0]) ? joined : joined + "Failure" }
        if let name = options.history?.failures[joined] { return name }
        let short = joined.utf8.count <= 80 ? joined : joined.prefix(40) + "OrOther" + SwiftName.suffix(joined)
        return taken.contains(short) ? short + SwiftName.suffix(joined) : short
    }

    private static func labels(_ types: [SwiftType], _ order: FailureTypes) -> String {
        types.map(order.label).sorted().joined(separator: "Or")
    }

    // MARK: Groups

    private func planGroups(_ planned: [OperationPlanner.Planned], _ plan: inout Plan) {
        let failures = FailureTypes(plan)
        let modelNames = Set(plan.typeNames.values).union(plan.failures.map(\.name))
        let failureNames = Dictionary(plan.failures.map { ($0.types, $0.name) }) { first, _ in first }
        for (name, members) in Dictionary(grouping: planned, by: { groupName($0.group) }).sorted(by: {
            $0.key < $1.key
        }) {
            let names = requestNames(of: members.map(\.request), in: name, plan, besides: modelNames)
            var requests: [RequestPlan] = []
            for (member, name) in zip(members, names) {
                var request = member.request
                if request.isChosen, request.name != name {
                    let message = "the chosen name \(request.name.quoted) is that of something else"
                    let action = "the request is called \(name)"
                    findings.warn(.unusedOption, at: member.operation.position, message, action: action)
                }
                request.name = name
                if plan.failure == nil, !member.failure.isEmpty {
                    let types = failures.sorted(member.failure.keys)
                    request.failure = failureNames[types]
                }
                requests.append(request)
            }
            let tag = document.tags.first { groupName($0.name) == name }
            plan.groups.append(
                GroupPlan(
                    name: name,
                    documentation: Documentation.line(tag?.description ?? tag?.summary),
                    requests: requests.sorted { $0.name < $1.name },
                )
            )
        }
    }

    /// The names of requests: a name that several operations lead to belongs to the one that had it in an earlier run,
    /// or else to the one that the document calls so.
    private func requestNames(
        of requests: [RequestPlan],
        in group: String,
        _ plan: Plan,
        besides modelNames: Set<String>,
    ) -> [String] {
        func isTaken(_ name: String) -> Bool {
            modelNames.contains(name) || name == plan.name || SwiftName.reservedTypes.contains(name)
        }
        let history = options.history?.requests[group] ?? [:]
        var used: Set<String> = []
        var kept: [String: String] = [:]
        for request in requests where !request.isChosen && kept[request.id] == nil {
            guard let name = history[request.id]?.name, !isTaken(name) else { continue }
            if used.insert(name).inserted { kept[request.id] = name }
        }
        let order = requests.sorted { ($0.isExact ? 0 : 1, $0.id) < ($1.isExact ? 0 : 1, $1.id) }
        let owners = Dictionary(order.map { ($0.name, $0.id) }) { first, _ in first }
        return requests.map { request in
            if let name = kept.removeValue(forKey: request.id) { return name }
            var name = request.name
            if owners[name] != request.id || used.contains(name) { name += SwiftName.suffix(request.id) }
            if isTaken(name) { name += "Request" }
            while isTaken(name) || !used.insert(name).inserted { name += SwiftName.suffix(request.id) }
            return name
        }
    }

    // MARK: History

    /// The names that the next run is to keep.
    private func history(of plan: Plan, _ types: TypePlanner) -> NameHistory {
        var history = NameHistory()
        history.apiName = plan.name
        history.types = types.history(plan.typeNames)
        for group in plan.groups {
            for request in group.requests {
                var entry = NameHistory.RequestEntry(name: request.name)
                for parameter in request.parameters {
                    entry.members[parameter.identity] = parameter.name
                }
                history.requests[group.name, default: [:]][request.id] = entry
            }
        }
        let order = FailureTypes(plan)
        for failure in plan.failures where failure.types.count > 1 {
            history.failures[Self.labels(failure.types, order)] = failure.name
        }
        return history
    }
}
