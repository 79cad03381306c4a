/// Gives types different names.
enum TypeNames {
    /// The names by id.
    ///
    /// Of several types with the same name, one keeps it: one that had it in an earlier run, a named schema before
    /// others, one that the document calls so before others, and then the first by its path. The others get a prefix of
    /// the folder or a suffix that is made of their own path.
    static func resolve(
        _ wishes: [String: NameWish],
        apiName: String,
        reserved: Set<String>,
        history: NameHistory,
    ) -> [String: String] {
        var used = reserved
        var names = kept(wishes, history, &used)
        used.formUnion(history.requestNames)
        var groups: [String: [(id: String, wish: NameWish)]] = [:]
        for (id, wish) in wishes where names[id] == nil {
            let name = wish.name
            let isTaken = SwiftName.reservedTypes.contains(name) || SwiftName.commonTypes.contains(name)
            groups[isTaken ? apiName + name : name, default: []].append((id, wish))
        }
        var losers: [(id: String, wish: NameWish)] = []
        for (name, group) in groups.sorted(by: { $0.key < $1.key }) {
            let order = group.sorted { one, other in
                let first = (one.wish.rank, one.wish.exact == name ? 0 : 1, one.wish.path, one.id)
                return first < (other.wish.rank, other.wish.exact == name ? 0 : 1, other.wish.path, other.id)
            }
            var rest = order[...]
            if let first = order.first, used.insert(name).inserted {
                names[first.id] = name
                rest = order.dropFirst()
            }
            losers += rest
        }
        for (id, wish) in losers.sorted(by: {
            ($0.wish.rank, $0.wish.identity, $0.id) < ($1.wish.rank, $1.wish.identity, $1.id)
        }) {
            names[id] = distinct(wish, &used)
        }
        return names
    }

    /// The names of an earlier run, apart from those that the user chose another name for.
    private static func kept(
        _ wishes: [String: NameWish],
        _ history: NameHistory,
        _ used: inout Set<String>,
    ) -> [String: String] {
        guard !history.types.isEmpty else { return [:] }
        var names: [String: String] = [:]
        for (id, wish) in wishes.sorted(by: { $0.key < $1.key }) {
            guard let entry = history.types[wish.identity] else { continue }
            if wish.isChosen, entry.wishedName != wish.name { continue }
            guard !SwiftName.reservedTypes.contains(entry.name), used.insert(entry.name).inserted else { continue }
            names[id] = entry.name
        }
        return names
    }

    private static func distinct(_ wish: NameWish, _ used: inout Set<String>) -> String {
        if wish.parts.count == 1 {
            for outer in wish.outer {
                let name = SwiftName.part(outer) + wish.name
                if used.insert(name).inserted { return name }
            }
        }
        var name = wish.name + SwiftName.suffix(wish.identity)
        while !used.insert(name).inserted { name += "X" }
        return name
    }
}

/// Finds types that contain themselves.
struct TypeCycles {
    private let edges: [String: [String]]
    private var indexes: [String: Int] = [:]
    private var lowest: [String: Int] = [:]
    private var stack: [String] = []
    private var onStack: Set<String> = []
    private var count = 0
    /// The cycle that each type is in, by a number.
    private(set) var cycles: [String: Int] = [:]

    init(_ edges: [String: [String]]) {
        self.edges = edges
        for id in edges.keys.sorted() where indexes[id] == nil { visit(id) }
    }

    /// Visits without recursion, since chains of types may be long.
    private mutating func visit(_ first: String) {
        var path: [(id: String, next: Int)] = [(first, 0)]
        enter(first)
        while let (id, next) = path.last {
            let targets = edges[id] ?? []
            if next < targets.count {
                path[path.count - 1].next += 1
                let target = targets[next]
                if indexes[target] == nil {
                    enter(target)
                    path.append((target, 0))
                } else if onStack.contains(target) {
                    lowest[id] = min(lowest[id] ?? 0, indexes[target] ?? 0)
                }
            } else {
                path.removeLast()
                if let outer = path.last?.id { lowest[outer] = min(lowest[outer] ?? 0, lowest[id] ?? 0) }
                if lowest[id] == indexes[id] { leave(id) }
            }
        }
    }

    private mutating func enter(_ id: String) {
        indexes[id] = count
        lowest[id] = count
        count += 1
        stack.append(id)
        onStack.insert(id)
    }

    private mutating func leave(_ id: String) {
        var members: [String] = []
        while let member = stack.popLast() {
            onStack.remove(member)
            members.append(member)
            if member == id { break }
        }
        guard members.count > 1 || edges[id]?.contains(id) == true else { return }
        for member in members { cycles[member] = indexes[id] }
    }
}

extension TypePlanner {
    /// The plans with names, sorted by name, with boxes where types contain themselves.
    func finished(
        created: Set<String>,
        read: Set<String>,
        apiName: String,
        reserved: Set<String>,
    ) -> (types: [TypePlan], names: [String: String]) {
        let history = options.history ?? NameHistory()
        let names = TypeNames.resolve(wishes, apiName: apiName, reserved: reserved, history: history)
        var plans = plans
        breakAliasCycles(&plans)
        for id in plans.keys {
            plans[id]?.name = names[id] ?? ""
            let (isCreated, isRead) = (created.contains(id), read.contains(id))
            plans[id]?.isCreated = isCreated
            guard case .object(var properties, let others) = plans[id]?.kind else { continue }
            for index in properties.indices {
                // Who creates a value has no values for what only the service writes, and a response none for what it
                // never sends.
                let property = properties[index]
                guard property.isReadOnly && isCreated || property.isWriteOnly && isRead else { continue }
                properties[index].type = property.type.asOptional
            }
            plans[id]?.kind = .object(properties, others: others)
        }
        makeIndirect(&plans)
        box(&plans)
        return (plans.values.sorted { $0.name < $1.name }, names)
    }

    private func breakAliasCycles(_ plans: inout [String: TypePlan]) {
        let edges = plans.mapValues { plan -> [String] in
            if case .alias(let type) = plan.kind { type.models } else { [] }
        }
        for id in TypeCycles(edges).cycles.keys { plans[id]?.kind = .alias(.anything) }
    }

    private func makeIndirect(_ plans: inout [String: TypePlan]) {
        for id in TypeCycles(plans.mapValues(Self.stored)).cycles.keys {
            if case .union = plans[id]?.kind { plans[id]?.isIndirect = true }
        }
    }

    private func box(_ plans: inout [String: TypePlan]) {
        let cycles = TypeCycles(plans.mapValues { $0.isIndirect ? [] : Self.stored($0) }).cycles
        for (id, cycle) in cycles {
            guard case .object(var properties, let others) = plans[id]?.kind else { continue }
            for index in properties.indices {
                guard let target = properties[index].type.storedModel, cycles[target] == cycle else { continue }
                properties[index].isBoxed = true
            }
            plans[id]?.kind = .object(properties, others: others)
        }
    }

    private static func stored(_ plan: TypePlan) -> [String] {
        switch plan.kind {
        case .object(let properties, _): properties.compactMap(\.type.storedModel)
        case .union(let union): union.cases.compactMap(\.type.storedModel)
        case .alias(let type): type.storedModel.map { [$0] } ?? []
        case .values: []
        }
    }

    /// The names of types and members that the next run is to keep.
    func history(_ names: [String: String]) -> [String: NameHistory.TypeEntry] {
        var entries: [String: NameHistory.TypeEntry] = [:]
        for (id, wish) in wishes.sorted(by: { $0.key < $1.key }) where entries[wish.identity] == nil {
            guard let name = names[id] else { continue }
            var entry = NameHistory.TypeEntry(name: name, members: memberNames[id] ?? [:])
            if wish.name != name { entry.wish = wish.name }
            entries[wish.identity] = entry
        }
        return entries
    }

    /// A type with all types in it.
    func reachable(from types: [SwiftType]) -> Set<String> {
        var found: Set<String> = []
        var open = types.flatMap(\.models)
        while let id = open.popLast() {
            guard found.insert(id).inserted, let plan = plans[id] else { continue }
            switch plan.kind {
            case .object(let properties, let others):
                open += properties.flatMap(\.type.models) + (others?.type.models ?? [])
            case .union(let union): open += union.cases.flatMap(\.type.models)
            case .alias(let type): open += type.models
            case .values: break
            }
        }
        return found
    }
}
