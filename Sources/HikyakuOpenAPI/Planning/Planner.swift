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
        var (types, requests, planned, payloads) = planAll(findings, first)
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
        let read = types.reachable(from: requests.readTypes + payloads.flatMap(\.types).map(\.type))
        let created = types.reachable(from: requests.createdTypes)
        let namespaces = Set(planned.map { Self.groupName($0.group) } + [name, name + "Failure"])
        (plan.types, plan.typeNames) = types.finished(
            created: created,
            read: read,
            apiName: name,
            reserved: namespaces,
        )
        plan.environments = EnvironmentPlanner(document, options, findings, name).plans()
        plan.security = SecurityPlanner(document, findings, name).plans(besides: Set(plan.typeNames.values))
        planLists(&planned, types, &plan)
        planHeaders(&planned, &plan)
        plan.payloads = PayloadPlanner.named(payloads, besides: Set(plan.typeNames.values))
        planFailures(planned, &plan)
        planGroups(planned, &plan)
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

    private func planHeaders(_ planned: inout [OperationPlanner.Planned], _ plan: inout Plan) {
        var names = HeaderNames()
        // In a fixed order, so that the order of the document has no influence.
        for index in planned.indices.sorted(by: { planned[$0].request.id < planned[$1].request.id }) {
            planned[index].request.headers = names.name(of: planned[index].headers).map { "\(plan.name).\($0)" }
        }
        plan.headers = names.plans.sorted { $0.name < $1.name }
    }

    // MARK: Failures

    private func planFailures(_ planned: [OperationPlanner.Planned], _ plan: inout Plan) {
        let order = FailureTypes(plan)
        var sets: [[SwiftType]] = []
        for failure in planned.map(\.failure) where !failure.isEmpty {
            let sorted = order.sorted(failure)
            if !sets.contains(sorted) { sets.append(sorted) }
        }
        plan.failures = sets.map { types in
            var failure = FailurePlan(name: failureName(types, sets, plan), types: types)
            if types.count > 1 || !order.isNominal(types[0]) {
                failure.cases = types.map { SwiftName.member(order.label($0)) }
            }
            return failure
        }.sorted { $0.name < $1.name }
        if sets.count == 1 { plan.failure = plan.failures.first?.name }
    }

    private func failureName(_ types: [SwiftType], _ sets: [[SwiftType]], _ plan: Plan) -> String {
        let order = FailureTypes(plan)
        let names = types.map(order.label).sorted()
        if names.count == 1, order.isNominal(types[0]) { return names[0] }
        if sets.count == 1 { return plan.name + "Failure" }
        if names.count == 1 { return names[0] + "Failure" }
        let joined = names.joined(separator: "Or")
        return joined.count <= 80 ? joined : names[0] + "OrOther" + SwiftName.suffix(joined)
    }

    // MARK: Groups

    private func planGroups(_ planned: [OperationPlanner.Planned], _ plan: inout Plan) {
        let failures = FailureTypes(plan)
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
                    let types = failures.sorted(member.failure)
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
