/// Makes the tree of a document from the parts that a reader of JSON or YAML finds.
///
/// It keeps the open arrays and objects itself, so that a deep document can't exhaust the stack, and it completes them
/// if a document ends too early.
struct TreeBuilder {
    private struct Key {
        var text: String
        var position: SourcePosition
        /// Whether the members of the value are merged into the object.
        var isMerge: Bool
        var isDropped: Bool
    }

    private struct Frame {
        var isObject: Bool
        var position: SourcePosition
        var elements: [DocumentNode] = []
        var members: [DocumentMember] = []
        /// The key whose value comes next; `nil` before a key.
        var key: Key?
        var anchor: String?
        /// The values inside, for what aliases cost, and how deep they are nested.
        var size = 1
        var height = 1
        var merges: [DocumentNode] = []
    }

    /// The values so far, with those that aliases repeat.
    private(set) var count = 0
    /// Those of them that aliases repeat.
    private var repeatedCount = 0
    private(set) var root: DocumentNode?
    private var frames: [Frame] = []
    private var anchors: [String: (node: DocumentNode, size: Int, height: Int)] = [:]
    private let limits: ReadingLimits
    private let findings: Findings

    init(limits: ReadingLimits, findings: Findings) {
        self.limits = limits
        self.findings = findings
    }

    var depth: Int { frames.count }
    /// Whether more may be read; the limit was diagnosed otherwise.
    private(set) var isFull = false
    /// Whether an object is open and waits for a key.
    var expectsKey: Bool {
        guard let frame = frames.last else { return false }
        return frame.isObject && frame.key == nil
    }

    mutating func begin(isObject: Bool, count: Int = 0, at position: SourcePosition, anchor: String? = nil) {
        var frame = Frame(isObject: isObject, position: position, anchor: anchor)
        if isObject {
            frame.members.reserveCapacity(min(count, 1 << 16))
        } else {
            frame.elements.reserveCapacity(min(count, 1 << 16))
        }
        frames.append(frame)
    }

    /// Takes the key of the next value; `isDropped` if its member is to be left out.
    mutating func key(_ text: String, at position: SourcePosition, isMerge: Bool = false, isDropped: Bool = false) {
        guard !frames.isEmpty else { return }
        frames[frames.count - 1].key = Key(text: text, position: position, isMerge: isMerge, isDropped: isDropped)
    }

    /// Names what is neither a member nor an element, but a key.
    mutating func setAnchor(_ anchor: String, _ content: DocumentNode.Content, at position: SourcePosition) {
        anchors[anchor] = (DocumentNode(content, at: position), 1, 0)
    }

    /// The text of an anchored value, for a key that is an alias.
    func text(ofAnchor name: String) -> String? { anchors[name]?.node.scalarText }

    mutating func scalar(_ content: DocumentNode.Content, at position: SourcePosition, anchor: String? = nil) {
        let node = DocumentNode(content, at: position)
        if let anchor { anchors[anchor] = (node, 1, 0) }
        add(node, size: 1)
    }

    mutating func alias(_ name: String, at position: SourcePosition) {
        guard let (node, size, height) = anchors[name] else {
            let isOpen = frames.contains { $0.anchor == name }
            findings.warn(
                .invalidAlias,
                at: position,
                isOpen ? "the alias \(name.quoted) is inside of its own anchor" : "no anchor is \(name.quoted)",
                action: "it is read as null",
            )
            return add(DocumentNode(.null, at: position), size: 1)
        }
        guard size <= limits.nodesMax - count else { return stop(at: position) }
        guard frames.count + height <= limits.depthMax else {
            findings.add(
                .error,
                .limitExceeded,
                at: position,
                "more than \(limits.depthMax) arrays and objects are nested, with those of aliases",
                action: "the alias \(name.quoted) is read as null",
            )
            return add(DocumentNode(.null, at: position), size: 1)
        }
        // A few lines of aliases of aliases may stand for millions of values.
        let written = count - repeatedCount
        guard size <= limits.repeatedNodesMax + written * limits.repeatedNodesForEach - repeatedCount else {
            return stop(at: position, "aliases repeat more than \(repeatedCount) values")
        }
        repeatedCount += size
        add(node, size: size, height: height)
    }

    mutating func end() {
        guard let frame = frames.popLast() else { return }
        let node: DocumentNode
        if frame.isObject {
            let members = checked(frame.merges.isEmpty ? frame.members : merged(frame))
            node = DocumentNode(.object(members), at: frame.position)
        } else {
            node = DocumentNode(.array(frame.elements), at: frame.position)
        }
        if let anchor = frame.anchor { anchors[anchor] = (node, frame.size, frame.height) }
        // The values inside are counted already.
        put(node, size: frame.size, height: frame.height)
    }

    /// Completes what is open.
    mutating func finish() -> DocumentNode? {
        while !frames.isEmpty { end() }
        return root
    }

    private mutating func stop(at position: SourcePosition, _ message: String? = nil) {
        if !isFull {
            findings.add(
                .error,
                .limitExceeded,
                at: position,
                message ?? "the document has more than \(limits.nodesMax) values",
                action: "the rest of it is left out",
            )
        }
        isFull = true
    }

    private mutating func add(_ node: DocumentNode, size: Int, height: Int = 0) {
        count += size
        put(node, size: size, height: height)
        if count > limits.nodesMax { stop(at: node.position) }
    }

    private mutating func put(_ node: DocumentNode, size: Int, height: Int) {
        let last = frames.count - 1
        guard last >= 0 else {
            if root == nil { root = node }
            return
        }
        frames[last].size += size
        frames[last].height = max(frames[last].height, height + 1)
        guard frames[last].isObject else { return frames[last].elements.append(node) }
        guard let key = frames[last].key else { return }
        frames[last].key = nil
        if key.isDropped { return }
        if key.isMerge, merge(node, into: last) { return }
        frames[last].members.append(DocumentMember(key.text, at: key.position, node))
    }

    /// Keeps objects to be merged (`<<`); `false` if the value is none.
    private mutating func merge(_ node: DocumentNode, into index: Int) -> Bool {
        let sources = node.array ?? [node]
        guard !sources.isEmpty, sources.allSatisfy({ $0.object != nil }) else { return false }
        frames[index].merges += sources
        return true
    }

    /// The members of an object and those of merged objects that it has not itself.
    private mutating func merged(_ frame: Frame) -> [DocumentMember] {
        var members = frame.members
        var keys = Set(members.map(\.key))
        for member in frame.merges.flatMap({ $0.object ?? [] }) where keys.insert(member.key).inserted {
            members.append(member)
            count += 1
        }
        if count > limits.nodesMax { stop(at: frame.position) }
        return members
    }

    /// Diagnoses repeated keys and keeps their last members, each in the place of the first one.
    private func checked(_ members: [DocumentMember]) -> [DocumentMember] {
        guard Self.hasDuplicates(members) else { return members }
        var indexes: [String: Int] = [:]
        var kept: [DocumentMember] = []
        for member in members {
            guard let first = indexes[member.key] else {
                indexes[member.key] = kept.count
                kept.append(member)
                continue
            }
            findings.warn(
                .duplicateKey,
                at: member.keyPosition,
                "the key \(member.key.quoted) is also at line \(kept[first].keyPosition.line)",
                action: "the last value is used",
            )
            kept[first] = member
        }
        return kept
    }

    private static func hasDuplicates(_ members: [DocumentMember]) -> Bool {
        guard members.count > 12 else {
            for index in members.indices.dropFirst() {
                for other in 0..<index where members[other].key == members[index].key { return true }
            }
            return false
        }
        var keys = Set<String>(minimumCapacity: members.count)
        return !members.allSatisfy { keys.insert($0.key).inserted }
    }
}
