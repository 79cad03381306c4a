/// Changes to a document by the [Overlay Specification 1.0](https://spec.openapis.org/overlay/v1.0.0.html).
struct Overlay {
    private let findings: Findings

    init(findings: Findings) {
        self.findings = findings
    }

    /// How deep a value may be that is changed, so that overlays can't make a document deeper and deeper.
    private static let depthMax = 200
    /// The values that an action may look at.
    private static let countMax = 1_000_000

    /// Applies the actions of an overlay one after another.
    ///
    /// - Parameters:
    ///   - overlay: The overlay.
    ///   - root: The document.
    ///   - budget: The values that all overlays may look at and write.
    func apply(_ overlay: DocumentNode, to root: inout DocumentNode, _ budget: inout Budget) {
        if overlay["overlay"]?.scalarText == nil {
            report(.invalidOverlay, overlay, "the file has no 'overlay' with a version", "it is read as one of 1.0")
        }
        guard let actions = overlay["actions"]?.array else {
            return report(.invalidOverlay, overlay, "the overlay has no 'actions'", "it changes nothing")
        }
        for action in actions { apply(action: action, to: &root, &budget) }
    }

    private func apply(action: DocumentNode, to root: inout DocumentNode, _ budget: inout Budget) {
        guard let target = action["target"]?.string else {
            return report(.invalidOverlay, action, "an action has no 'target'", "it is left out")
        }
        let path: JSONPath
        do throws(JSONPath.Fault) {
            path = try JSONPath(target)
        } catch {
            let message = "the target \(target.quoted) is not supported: \(error.words)"
            return report(.unsupportedPath, action["target"] ?? action, message, "the action is left out")
        }
        let countMax = min(Self.countMax, budget.max / 4, budget.max - budget.spent)
        let (found, effort) = path.search(in: root, countMax: countMax)
        _ = budget.take(effort)
        guard let locations = found, budget.take(locations.count * (action["update"]?.size ?? 1)) else {
            let message = "the target \(target.quoted) selects too many values"
            return report(.limitExceeded, action["target"] ?? action, message, "the action is left out")
        }
        if locations.contains(where: { $0.count > Self.depthMax }) {
            let message = "the target \(target.quoted) selects a value that is nested too deep"
            return report(.limitExceeded, action["target"] ?? action, message, "the action is left out")
        }
        if locations.isEmpty {
            let message = "the target \(target.quoted) selects nothing"
            return report(.unmatchedPath, action["target"] ?? action, message, "the action changes nothing")
        }
        if action["remove"]?.bool == true {
            // From the end, so that the other locations stay right.
            for location in locations.reversed() { root.remove(at: location[...]) }
        } else if let update = action["update"] {
            for location in locations { root.update(at: location[...]) { Self.merge(update, into: &$0) } }
        } else {
            report(.invalidOverlay, action, "an action has neither 'update' nor 'remove'", "it is left out")
        }
    }

    /// Merges objects member by member, appends to arrays, and replaces other values.
    private static func merge(_ update: DocumentNode, into node: inout DocumentNode) {
        switch (node.content, update.content) {
        case (.object(var members), .object(let further)):
            for member in further {
                if let index = members.firstIndex(where: { $0.key == member.key }) {
                    mergeValue(member.value, into: &members[index].value)
                } else {
                    members.append(member)
                }
            }
            node.content = .object(members)
        case (.array(let elements), _):
            // The update of an array is an element; several of them are what most authors mean by an array.
            node.content = .array(elements + (update.array ?? [update]))
        default:
            node = update
        }
    }

    private static func mergeValue(_ update: DocumentNode, into node: inout DocumentNode) {
        switch (node.content, update.content) {
        case (.object, .object), (.array, .array): merge(update, into: &node)
        default: node = update
        }
    }

    private func report(_ code: Diagnostic.Code, _ node: DocumentNode, _ message: String, _ action: String) {
        findings.warn(code, at: node.position, message, action: action)
    }
}

extension DocumentNode {
    /// How many values it has, with itself.
    var size: Int {
        switch content {
        case .array(let elements): elements.reduce(1) { $0 + $1.size }
        case .object(let members): members.reduce(1) { $0 + $1.value.size }
        default: 1
        }
    }

    /// Changes the value at a location.
    fileprivate mutating func update(at location: ArraySlice<Int>, _ body: (inout DocumentNode) -> Void) {
        guard let index = location.first else { return body(&self) }
        // The content is taken out while it changes, to avoid copies.
        switch content {
        case .array(var elements) where elements.indices.contains(index):
            content = .null
            elements[index].update(at: location.dropFirst(), body)
            content = .array(elements)
        case .object(var members) where members.indices.contains(index):
            content = .null
            members[index].value.update(at: location.dropFirst(), body)
            content = .object(members)
        default: break
        }
    }

    /// Removes the value at a location; the whole document can't be removed.
    fileprivate mutating func remove(at location: ArraySlice<Int>) {
        guard let index = location.last else { return }
        update(at: location.dropLast()) { parent in
            switch parent.content {
            case .array(var elements) where elements.indices.contains(index):
                elements.remove(at: index)
                parent.content = .array(elements)
            case .object(var members) where members.indices.contains(index):
                members.remove(at: index)
                parent.content = .object(members)
            default: break
            }
        }
    }
}
