import HikyakuBase

/// Finds what references refer to.
final class Resolver {
    private let store: FileStore
    private let findings: Findings
    private var found: [Reference: Cursor] = [:]
    /// References whose targets are searched for, to find cycles.
    private var pending: Set<Reference> = []

    private struct Reference: Hashable {
        var file: Int32
        var text: String
    }

    init(store: FileStore, findings: Findings) {
        self.store = store
        self.findings = findings
    }

    /// The value that a reference refers to, which may be a reference itself.
    ///
    /// - Returns: `nil` if there is none; a diagnostic says so.
    func target(of text: String, in cursor: Cursor) -> Cursor? {
        let reference = Reference(file: cursor.file, text: text)
        if let known = found[reference] { return known }
        guard pending.count < 64, pending.insert(reference).inserted else {
            reportCycle(text, at: cursor.position)
            return nil
        }
        defer { pending.remove(reference) }
        let target = search(text, in: cursor)
        if let target { found[reference] = target }
        return target
    }

    /// Follows references until a value is none.
    ///
    /// - Returns: `nil` if a reference can't be resolved, or they refer to each other; a diagnostic says so.
    func resolved(_ cursor: Cursor) -> Cursor? {
        guard var text = cursor.reference else { return cursor }
        var current = cursor
        var seen: Set = [cursor.location]
        while true {
            guard let next = target(of: text, in: current) else { return nil }
            guard let further = next.reference else { return next }
            guard seen.insert(next.location).inserted else {
                reportCycle(text, at: current.position)
                return nil
            }
            (current, text) = (next, further)
        }
    }

    private func search(_ text: String, in cursor: Cursor) -> Cursor? {
        let (path, fragment) = FilePath.parts(of: text)
        guard let file = file(path, of: text, in: cursor) else { return nil }
        guard let root = store.cursor(of: file) else { return nil }
        let pointer = PercentCoding.text(of: Array(fragment.utf8)) ?? fragment
        if pointer.isEmpty { return root }
        if pointer.hasPrefix("/") {
            if let value = value(at: Pointer.tokens(pointer), in: root) { return value }
        } else if let value = anchor(pointer, in: root) {
            return value
        } else if let value = value(at: Pointer.tokens("/" + pointer), in: root) {
            findings.warn(
                .invalidReference,
                at: cursor.position,
                "the pointer of the reference \(text.quoted) doesn't begin with a slash",
                action: "it is read as if it did",
            )
            return value
        }
        findings.warn(
            .danglingReference,
            at: cursor.position,
            "there is nothing at \(text.quoted)",
            action: "it is read as any value",
        )
        return nil
    }

    /// The file of a reference.
    private func file(_ path: String, of text: String, in cursor: Cursor) -> Int32? {
        if path.isEmpty { return cursor.file }
        if FilePath.isURL(path), let known = anchors(of: 0)[path], known.isEmpty { return 0 }
        return store.file(FilePath.resolved(path, from: store.path(of: cursor.file)), referredAt: cursor.position)
    }

    private func value(at tokens: [String], in root: Cursor) -> Cursor? {
        var current = root
        for token in tokens {
            if let next = child(token, of: current) {
                current = next
            } else if current.reference != nil, let target = resolved(current), let next = child(token, of: target) {
                current = next
            } else {
                return nil
            }
        }
        return current
    }

    private func child(_ token: String, of cursor: Cursor) -> Cursor? {
        switch cursor.node.content {
        case .object: return cursor[token]
        case .array(let elements):
            guard let index = Int(token), elements.indices.contains(index) else { return nil }
            return Cursor(node: elements[index], file: cursor.file, location: "\(cursor.location)/\(index)")
        default: return nil
        }
    }

    private func anchor(_ name: String, in root: Cursor) -> Cursor? {
        anchors(of: root.file)["#" + name].flatMap { value(at: Pointer.tokens($0), in: root) }
    }

    /// The pointers of a file's `$anchor`, `$dynamicAnchor`, `$id` and `$self`.
    private func anchors(of file: Int32) -> [String: String] {
        if let known = store.anchors(of: file) { return known }
        var anchors: [String: String] = [:]
        if let root = store.cursor(of: file) {
            collect(root.node, "", into: &anchors)
        }
        store.setAnchors(anchors, of: file)
        return anchors
    }

    // The recursion is limited by the depth of the document.
    private func collect(_ node: DocumentNode, _ pointer: String, into anchors: inout [String: String]) {
        switch node.content {
        case .array(let elements):
            for (index, element) in elements.enumerated() { collect(element, "\(pointer)/\(index)", into: &anchors) }
        case .object(let members):
            for member in members {
                switch member.key {
                case "$anchor", "$dynamicAnchor":
                    if let name = member.value.string { anchors["#" + name] = anchors["#" + name] ?? pointer }
                case "$id", "$self":
                    if let id = member.value.string { anchors[id] = anchors[id] ?? pointer }
                default:
                    collect(member.value, pointer + "/" + Pointer.escaped(member.key), into: &anchors)
                }
            }
        default: break
        }
    }

    private func reportCycle(_ text: String, at position: SourcePosition) {
        findings.warn(
            .referenceCycle,
            at: position,
            "the reference \(text.quoted) leads back to itself",
            action: "it is read as any value",
        )
    }
}
