/// What is done with the types of a document.
struct TypeUses {
    /// Types of values that users create, for requests.
    var created: Set<String>
    /// Types of what the service sends.
    var read: Set<String>
    /// Types of requests that change something, where a member that is missing leaves it as it is.
    var partial: Set<String>
}

extension TypePlanner {
    /// The plans with names, sorted by name, with boxes where types contain themselves.
    func finished(
        uses: TypeUses,
        apiName: String,
        reserved: Set<String>,
    ) -> (types: [TypePlan], names: [String: String]) {
        let history = options.history ?? NameHistory()
        let names = TypeNames.resolve(wishes, apiName: apiName, reserved: reserved, history: history)
        var plans = plans
        breakAliasCycles(&plans)
        nestUnions(&plans)
        for id in plans.keys {
            plans[id]?.name = names[id] ?? ""
            plans[id]?.isCreated = uses.created.contains(id)
        }
        choose(options.closedEnums, "closed enumerations", \.isClosed, &plans) { kind in
            if case .values = kind { true } else { false }
        }
        choose(options.synthesizedEquality, "synthesized equality", \.isCompared, &plans) { kind in
            switch kind {
            case .object, .tuple, .union: true
            case .values, .alias: false
            }
        }
        for (id, wish) in wishes where wish.isChosen && wish.parts.count == 1 {
            warnOfTakenName(wish.name, names[id] ?? "", apiName, at: plans[id]?.position ?? SourcePosition())
        }
        makeIndirect(&plans)
        box(&plans)
        makeLargeIndirect(&plans)
        let defaults = DefaultValues(plans, findings)
        for id in plans.keys {
            guard case .object(var properties, let others) = plans[id]?.kind else { continue }
            for index in properties.indices { finish(&properties[index], of: id, uses, defaults) }
            plans[id]?.kind = .object(properties, others: others)
        }
        return (plans.values.sorted { $0.name < $1.name }, names)
    }

    /// Warns if a type can't have the name that the user chose.
    private func warnOfTakenName(_ chosen: String, _ name: String, _ apiName: String, at position: SourcePosition) {
        guard name != chosen else { return }
        let message = "the chosen name \(chosen.quoted) is that of another type"
        findings.warn(.unusedOption, at: position, message, action: "the type is called \(name)")
    }

    /// Marks the types that an option names.
    private func choose(
        _ chosen: Set<String>,
        _ option: String,
        _ mark: WritableKeyPath<TypePlan, Bool>,
        _ plans: inout [String: TypePlan],
        _ fits: (TypePlan.Kind) -> Bool,
    ) {
        guard !chosen.isEmpty else { return }
        var found: Set<String> = ["all"]
        for (id, plan) in plans where fits(plan.kind) {
            let names = [plan.name, wishes[id]?.exact ?? plan.name]
            guard chosen.contains("all") || names.contains(where: chosen.contains) else { continue }
            plans[id]?[keyPath: mark] = true
            found.formUnion(names)
        }
        for name in chosen.subtracting(found).sorted() {
            findings.warn(
                .unusedOption,
                at: SourcePosition(),
                "no type that fits the option of \(option) is called \(name.quoted)",
                action: "the name is ignored",
            )
        }
    }

    /// Decides what a property is for those who create values, and for those who read them.
    private func finish(_ property: inout PropertyPlan, of id: String, _ uses: TypeUses, _ defaults: DefaultValues) {
        let (isCreated, isRead) = (uses.created.contains(id), uses.read.contains(id))
        if property.isReadOnly, isCreated {
            // Who creates a value has none for what only the service sets, and a request doesn't send it.
            property.type = property.type.asOptional
            property.isLeftOut = true
            return
        }
        if property.isWriteOnly, isRead {
            // A response doesn't have it.
            property.hasNoDefault = isCreated && property.isRequired && !property.type.isOptional
            property.type = property.type.asOptional
            return
        }
        guard !property.isBoxed, let value = defaults.source(of: property) else { return }
        let isNullable = property.type.isOptional && (property.isRequired || property.allowsNull)
        guard !isNullable else { return }
        // To send a default where nothing was said would change what the request is not about.
        if uses.partial.contains(id), !property.isConstant {
            property.documentation = Self.documentation(property.documentation, value)
            return
        }
        if !property.isRequired {
            property.type = property.type.withoutOptional
            property.isDefaulted = true
        }
        property.defaultValue = value
    }

    private static func documentation(_ text: String?, _ value: Code) -> String? {
        guard value.utf8Count < 40, !value.text.contains("`") else { return text }
        // A summary is one sentence.
        guard let text, text.hasSuffix(".") else { return "The service's default is `\(value.text)`." }
        return "\(text.dropLast()) (the service's default is `\(value.text)`)."
    }

    private func breakAliasCycles(_ plans: inout [String: TypePlan]) {
        let edges = plans.mapValues { plan -> [String] in
            if case .alias(let type) = plan.kind { type.models } else { [] }
        }
        for id in TypeCycles(edges).cycles.keys { plans[id]?.kind = .alias(.anything) }
    }

    /// Marks unions among the alternatives of others, and leaves out those that contain themselves so.
    private func nestUnions(_ plans: inout [String: TypePlan]) {
        var edges: [String: [String]] = [:]
        for (id, plan) in plans {
            guard case .union(let union) = plan.kind else { continue }
            edges[id] = union.cases.compactMap { self.union($0.type, plans) }
        }
        let cycles = TypeCycles(edges).cycles
        for id in edges.keys.sorted() {
            guard case .union(var union) = plans[id]?.kind else { continue }
            let all = union.cases.count
            union.cases.removeAll { item in
                guard let cycle = cycles[id], let inner = self.union(item.type, plans) else { return false }
                return cycles[inner] == cycle
            }
            if union.cases.count < all, let plan = plans[id] {
                findings.warn(
                    .notGenerated,
                    at: plan.position,
                    "an alternative of \((wishes[id]?.name ?? "").quoted) is the choice itself",
                    action: "it is left out",
                )
            }
            for index in union.cases.indices {
                guard let inner = self.union(union.cases[index].type, plans) else { continue }
                union.cases[index].isUnion = true
                nest(inner, &plans)
            }
            if case .union(let current) = plans[id]?.kind { union.isNested = current.isNested }
            plans[id]?.kind = union.cases.isEmpty ? .alias(.anything) : .union(union)
        }
    }

    private func nest(_ id: String, _ plans: inout [String: TypePlan]) {
        guard case .union(var union) = plans[id]?.kind else { return }
        union.isNested = true
        plans[id]?.kind = .union(union)
    }

    /// The union that a type is, or is another name of.
    private func union(_ type: SwiftType, _ plans: [String: TypePlan]) -> String? {
        guard case .model(var id) = type else { return nil }
        while case .alias(.model(let target)) = plans[id]?.kind { id = target }
        if case .union = plans[id]?.kind { return id }
        return nil
    }

    private func makeIndirect(_ plans: inout [String: TypePlan]) {
        for id in TypeCycles(plans.mapValues(Self.stored)).cycles.keys {
            if case .union = plans[id]?.kind { plans[id]?.isIndirect = true }
        }
    }

    /// Stores the cases of large unions elsewhere: each would be as large as the largest of them, and the code that
    /// copies one would copy the values of all, one after another.
    private func makeLargeIndirect(_ plans: inout [String: TypePlan]) {
        var sizes = StoredSizes(plans)
        for id in plans.keys.sorted() { _ = sizes.size(of: id) }
        for id in sizes.largeUnions { plans[id]?.isIndirect = true }
    }

    private func box(_ plans: inout [String: TypePlan]) {
        let cycles = TypeCycles(plans.mapValues { $0.isIndirect ? [] : Self.stored($0) }).cycles
        for (id, cycle) in cycles {
            switch plans[id]?.kind {
            case .object(var properties, let others):
                Self.box(&properties, cycle, cycles)
                plans[id]?.kind = .object(properties, others: others)
            case .tuple(var tuple):
                Self.box(&tuple.elements, cycle, cycles)
                plans[id]?.kind = .tuple(tuple)
            default: break
            }
        }
    }

    private static func box(_ properties: inout [PropertyPlan], _ cycle: Int, _ cycles: [String: Int]) {
        var names = Set(properties.map(\.name))
        for index in properties.indices {
            guard let target = properties[index].type.storedModel, cycles[target] == cycle else { continue }
            let name = properties[index].name
            var boxName = "boxed" + (name.first.map { String($0).uppercased() } ?? "") + name.dropFirst()
            while !names.insert(boxName).inserted { boxName += "Value" }
            properties[index].boxName = boxName
        }
    }

    private static func stored(_ plan: TypePlan) -> [String] { plan.storedTypes.compactMap(\.storedModel) }

    /// A type with all types in it.
    func reachable(from types: [SwiftType]) -> Set<String> {
        var found: Set<String> = []
        var open = types.flatMap(\.models)
        while let id = open.popLast() {
            guard found.insert(id).inserted, let plan = plans[id] else { continue }
            switch plan.kind {
            case .object(let properties, let others):
                open += properties.flatMap(\.type.models) + (others?.type.models ?? [])
            case .tuple(let tuple):
                open += tuple.elements.flatMap(\.type.models) + (tuple.others?.type.models ?? [])
            case .union(let union): open += union.cases.flatMap(\.type.models)
            case .alias(let type): open += type.models
            case .values: break
            }
        }
        return found
    }
}

/// How many values are stored in place in a value of each type, in the types that it contains as well.
private struct StoredSizes {
    private let plans: [String: TypePlan]
    private var known: [String: Int] = [:]
    /// Unions of too many values to be stored in place.
    private(set) var largeUnions: Set<String> = []
    private var depth = 0

    init(_ plans: [String: TypePlan]) {
        self.plans = plans
    }

    mutating func size(of id: String) -> Int {
        if let size = known[id] { return size }
        // A deeper one is large anyway.
        guard let plan = plans[id], !plan.isIndirect, depth < 50 else { return 1 }
        depth += 1
        var size = 0
        for type in plan.storedTypes {
            size = min(size + (type.storedModel.map { self.size(of: $0) } ?? 1), 1_000_000)
        }
        depth -= 1
        if case .union = plan.kind, size > 100 {
            largeUnions.insert(id)
            size = 1
        }
        known[id] = size
        return size
    }
}

extension TypePlan {
    /// The types of what a value has in place.
    fileprivate var storedTypes: [SwiftType] {
        switch kind {
        case .object(let properties, _): properties.filter { !$0.isBoxed }.map(\.type)
        case .tuple(let tuple): tuple.elements.filter { !$0.isBoxed }.map(\.type)
        case .union(let union): union.cases.map(\.type)
        case .alias(let type): [type]
        case .values: [.text]
        }
    }
}
