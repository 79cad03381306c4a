import HikyakuJSON

/// A path that selects values of a document: what overlays use of [RFC 9535](https://www.rfc-editor.org/rfc/rfc9535).
///
/// Names, indexes, wildcards, slices, recursive descent, several selectors in brackets, and filters with comparisons,
/// `&&`, `||` and `!` are supported; functions are not.
struct JSONPath {
    /// A part of the path.
    struct Segment {
        /// Whether it applies to all descendants (`..`).
        var isRecursive: Bool
        var selectors: [Selector]
    }

    enum Selector {
        case name(String)
        case index(Int)
        case wildcard
        case slice(start: Int?, end: Int?, step: Int)
        case filter(Filter)
    }

    /// A condition on a value.
    indirect enum Filter {
        case exists(Query)
        case compares(Operand, Comparison, Operand)
        case and(Filter, Filter)
        case or(Filter, Filter)
        case not(Filter)
    }

    enum Comparison {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    /// A path in a filter: from the tested value (`@`), or from the document (`$`).
    struct Query {
        var isAbsolute: Bool
        var segments: [Segment]
    }

    enum Operand {
        case literal(DocumentNode.Content)
        case query(Query)
    }

    /// A step to a value: its index among the members or elements of the enclosing one.
    typealias Location = [Int]

    var segments: [Segment]

    /// The locations of the selected values, in the order of the document and without repetitions.
    ///
    /// - Returns: `nil` if there are more than `countMax` on the way.
    func locations(in root: DocumentNode, countMax: Int = 1_000_000) -> [Location]? {
        search(in: root, countMax: countMax).locations
    }

    /// The locations of the selected values, and how many values were looked at.
    func search(in root: DocumentNode, countMax: Int) -> (locations: [Location]?, effort: Int) {
        var search = Search(root: root, budget: countMax)
        let found = search.select(segments, [(root, [])]).map(\.location)
        guard search.budget > 0 else { return (nil, countMax) }
        var seen: Set<Location> = []
        let locations = found.filter { seen.insert($0).inserted }.sorted { $0.lexicographicallyPrecedes($1) }
        return (locations, countMax - search.budget)
    }

    /// A selection in progress.
    private struct Search {
        typealias Found = (node: DocumentNode, location: Location)

        let root: DocumentNode
        /// How many more values may be looked at.
        var budget: Int

        mutating func select(_ segments: [Segment], _ start: [Found]) -> [Found] {
            var current = start
            for segment in segments {
                var next: [Found] = []
                let bases = segment.isRecursive ? current.flatMap { descendants(of: $0) } : current
                for base in bases {
                    for selector in segment.selectors { next += select(selector, base) }
                }
                current = next
            }
            return current
        }

        /// A value and all inside it.
        private mutating func descendants(of found: Found) -> [Found] {
            var all = [found]
            var index = 0
            while index < all.count, budget > 0 {
                all += children(of: all[index])
                index += 1
            }
            return all
        }

        private mutating func children(of found: Found) -> [Found] {
            let nodes = found.node.array ?? found.node.object?.map(\.value) ?? []
            budget -= nodes.count
            guard budget > 0 else { return [] }
            return nodes.enumerated().map { ($1, found.location + [$0]) }
        }

        private mutating func select(_ selector: Selector, _ base: Found) -> [Found] {
            budget -= 1
            guard budget > 0 else { return [] }
            switch selector {
            case .name(let name):
                guard let index = base.node.object?.firstIndex(where: { $0.key == name }) else { return [] }
                return child(index, of: base)
            case .index(let index):
                guard let count = base.node.array?.count else { return [] }
                return child(index < 0 ? index + count : index, of: base)
            case .wildcard: return children(of: base)
            case .slice(let start, let end, let step):
                guard let count = base.node.array?.count else { return [] }
                return Self.indexes(start, end, step, count).flatMap { child($0, of: base) }
            case .filter(let filter): return children(of: base).filter { holds(filter, $0.node) }
            }
        }

        private func child(_ index: Int, of base: Found) -> [Found] {
            let nodes = base.node.array ?? base.node.object?.map(\.value) ?? []
            return nodes.indices.contains(index) ? [(nodes[index], base.location + [index])] : []
        }

        /// The indexes of a slice by RFC 9535, section 2.3.4.
        private static func indexes(_ start: Int?, _ end: Int?, _ step: Int, _ count: Int) -> [Int] {
            let place = { (index: Int) in index < 0 ? index + count : index }
            if step > 0 {
                let first = min(max(place(start ?? 0), 0), count)
                let last = min(max(place(end ?? count), 0), count)
                return Array(stride(from: first, to: last, by: step))
            }
            guard step < 0 else { return [] }
            let first = min(max(start.map(place) ?? count - 1, -1), count - 1)
            let last = min(max(end.map(place) ?? -1, -1), count - 1)
            return Array(stride(from: first, to: last, by: step))
        }

        // MARK: Filters

        private mutating func holds(_ filter: Filter, _ node: DocumentNode) -> Bool {
            switch filter {
            case .exists(let query): return !values(of: query, node).isEmpty
            case .and(let one, let other): return holds(one, node) && holds(other, node)
            case .or(let one, let other): return holds(one, node) || holds(other, node)
            case .not(let inner): return !holds(inner, node)
            case .compares(let one, let comparison, let other):
                let (first, second) = (value(of: one, node), value(of: other, node))
                budget -= (first?.size ?? 0) + (second?.size ?? 0)
                return budget > 0 && comparison.holds(first, second)
            }
        }

        private mutating func values(of query: Query, _ node: DocumentNode) -> [DocumentNode] {
            select(query.segments, [(query.isAbsolute ? root : node, [])]).map(\.node)
        }

        private mutating func value(of operand: Operand, _ node: DocumentNode) -> DocumentNode? {
            switch operand {
            case .literal(let content): return DocumentNode(content, at: node.position)
            case .query(let query):
                let values = values(of: query, node)
                return values.count == 1 ? values.first : nil
            }
        }
    }
}

extension JSONPath.Comparison {
    /// Compares two values, either of which may be missing.
    fileprivate func holds(_ one: DocumentNode?, _ other: DocumentNode?) -> Bool {
        switch self {
        case .equal: one?.jsonValue == other?.jsonValue
        case .notEqual: one?.jsonValue != other?.jsonValue
        case .less: Self.isLess(one, other)
        case .greater: Self.isLess(other, one)
        case .lessOrEqual: Self.isLess(one, other) || one != nil && one?.jsonValue == other?.jsonValue
        case .greaterOrEqual: Self.isLess(other, one) || one != nil && one?.jsonValue == other?.jsonValue
        }
    }

    private static func isLess(_ one: DocumentNode?, _ other: DocumentNode?) -> Bool {
        if let one = one?.number?.double, let other = other?.number?.double { return one < other }
        if let one = one?.string, let other = other?.string { return one < other }
        return false
    }
}
