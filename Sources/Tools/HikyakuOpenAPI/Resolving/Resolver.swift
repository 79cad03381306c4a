import HikyakuBase

/// Finds what references refer to.
final class Resolver {
    private let store: FileStore
    private let findings: Findings
    private var found: [Reference: Cursor] = [:]
    /// References that are names, and the pointers that they mean.
    private var named: [String: String] = [:]
    /// The indexes of members of large objects, by their locations.
    private var indexes: [String: [String: Int]] = [:]
    /// How many references may lead from one to the next; following long chains from each of their ends takes hours.
    private static let hopsMax = 64
    /// References whose targets are searched for, to find cycles.
    private var pending: Set<Reference> = []

    private struct Reference: Hashable {
        var file: Int32
        var text: String
    }

    /// How much may be made of the files that were read so far.
    var workMax: Work { Work(bytes: store.byteCount) }

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
            guard seen.count <= Self.hopsMax else {
                findings.warn(
                    .limitExceeded,
                    at: cursor.position,
                    "more than \(Self.hopsMax) references lead to each other",
                    action: "it is left out; a schema is any value",
                )
                return nil
            }
            (current, text) = (next, further)
        }
    }

    private func search(_ text: String, in cursor: Cursor) -> Cursor? {
        let (path, fragment) = FilePath.parts(of: text)
        guard let file = file(path, of: text, in: cursor) else { return nil }
        guard let root = store.cursor(of: file) else { return nil }
        let pointer = named[text] ?? PercentCoding.text(of: Array(fragment.utf8)) ?? fragment
        if pointer.isEmpty { return root }
        if pointer.begins(with: "/") {
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
        if let (value, isMeant) = guess(pointer, in: root, from: cursor) {
            if isMeant { return value }
            findings.warn(
                .invalidReference,
                at: cursor.position,
                "there is nothing at \(text.quoted)",
                action: "it is read as \(value.location.quoted)",
            )
            return value
        }
        findings.warn(
            .danglingReference,
            at: cursor.position,
            "there is nothing at \(text.quoted)",
            action: "it is left out; a schema is any value",
        )
        return nil
    }

    /// What a pointer to nothing seems to mean: a schema that moved between versions of OpenAPI, or one inside of the
    /// schema that refers to it.
    ///
    /// - Returns: The value, and whether the document says so: a schema with `$id` is the root of its references.
    private func guess(_ pointer: String, in root: Cursor, from cursor: Cursor) -> (value: Cursor, isMeant: Bool)? {
        let tokens = Pointer.tokens(pointer)
        guard let name = tokens.last, tokens.count > 1 else { return nil }
        if ["$defs", "definitions"].contains(tokens.first), root.file == cursor.file {
            // The innermost value is the reference itself.
            var outer = Pointer.tokens(FilePath.parts(of: cursor.location).fragment).dropLast()
            while !outer.isEmpty {
                if let value = value(at: outer + tokens, in: root) {
                    return (value, self.value(at: Array(outer), in: root)?.node["$id"] != nil)
                }
                outer = outer.dropLast()
            }
        }
        for places in [["components", "schemas"], ["definitions"], ["$defs"]] where tokens == places + [name] {
            for others in [["components", "schemas"], ["definitions"], ["$defs"]] where others != places {
                if let value = value(at: others + [name], in: root) { return (value, false) }
            }
        }
        return nil
    }

    /// The file of a reference.
    private func file(_ path: String, of text: String, in cursor: Cursor) -> Int32? {
        if path.isEmpty { return cursor.file }
        if FilePath.isURL(path), let known = anchors(of: 0)[path], known.isEmpty { return 0 }
        if path == text, isName(path), let component = component(path) {
            findings.warn(
                .invalidReference,
                at: cursor.position,
                "the reference \(text.quoted) is a name",
                action: "it is read as \(component.quoted)",
            )
            named[text] = component
            return 0
        }
        return store.file(FilePath.resolved(path, from: store.path(of: cursor.file)), referredAt: cursor.position)
    }

    /// Whether a reference may be the name of a component, as in versions before 2.0: it has no extension.
    private func isName(_ text: String) -> Bool { !text.has("/") && !text.has(".") && !text.has("%") }

    /// The pointer of a component of the first file.
    private func component(_ name: String) -> String? {
        guard let root = store.cursor(of: 0) else { return nil }
        for places in [["components", "schemas"], ["definitions"]] {
            guard let value = value(at: places + [name], in: root) else { continue }
            return FilePath.parts(of: value.location).fragment
        }
        return nil
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
        case .object(let members):
            guard members.count > 32 else { return cursor[token] }
            return index(of: cursor, members)[token].map { cursor.child(members[$0]) }
        case .array(let elements):
            guard let index = Int(token), elements.indices.contains(index) else { return nil }
            return Cursor(node: elements[index], file: cursor.file, location: "\(cursor.location)/\(index)")
        default: return nil
        }
    }

    /// The indexes of a large object's members, such as the components.
    private func index(of cursor: Cursor, _ members: [DocumentMember]) -> [String: Int] {
        if let known = indexes[cursor.location] { return known }
        let index = Dictionary(zip(members.lazy.map(\.key), members.indices)) { first, _ in first }
        indexes[cursor.location] = index
        return index
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
            action: "it is left out; a schema is any value",
        )
    }
}
