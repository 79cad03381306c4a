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
                let first = (one.wish.rank, one.wish.exact == name ? 0 : 1, one.wish.path, one.wish.identity, one.id)
                let second = (other.wish.rank, other.wish.exact == name ? 0 : 1, other.wish.path)
                return first < (second.0, second.1, second.2, other.wish.identity, other.id)
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
