/// A value that is assembled before it is written, since its parts are not encoded in the order of the document.
final class TreeNode {
    enum Content {
        /// Nothing was encoded.
        case empty
        /// A complete value in its final form.
        case text([UInt8])
        case object(Members)
        case array([TreeNode])
    }

    /// The members in the order of their keys' first appearance; the last value of a key wins.
    struct Members {
        private(set) var names: [[UInt8]] = []
        private(set) var nodes: [[UInt8]: TreeNode] = [:]

        mutating func set(_ node: TreeNode, named name: [UInt8]) {
            if nodes.updateValue(node, forKey: name) == nil { names.append(name) }
        }
    }

    /// What a complete value becomes of its parent.
    enum Part {
        /// The value itself, or further members of it.
        case itself
        case element
        case member([UInt8])
    }

    var content = Content.empty
    let part: Part
    /// The key in coding paths, if anything is encoded inside of the value.
    var key: (any CodingKey)?
    /// The number of open objects and arrays around it.
    let depth: Int
    /// Whether its `encode(to:)` has returned or thrown.
    var isComplete = false
    /// The session's tree keeps all nodes with parts.
    private unowned let parent: TreeNode?

    init(depth: Int) {
        (part, parent, self.depth) = (.itself, nil, depth)
    }

    init(_ part: Part, of parent: TreeNode) {
        (self.part, self.parent) = (part, parent)
        if case .itself = part { depth = parent.depth } else { depth = parent.depth + 1 }
        if case .element = part { key = JSONCodingKey(parent.count) }
    }

    /// Whether nothing was encoded.
    var isEmpty: Bool {
        if case .empty = content { true } else { false }
    }

    /// Whether neither it nor a value around it is complete.
    var isOpen: Bool {
        var node = self
        while !node.isComplete {
            guard let parent = node.parent else { return true }
            node = parent
        }
        return false
    }

    /// How many elements an array has.
    var count: Int {
        if case .array(let elements) = content { elements.count } else { 0 }
    }

    /// The coding path from the outermost value of the tree.
    var path: [any CodingKey] {
        // Without recursion: the stack may be at its end.
        var keys: [any CodingKey] = []
        var next: TreeNode? = self
        while let node = next {
            if let key = node.key { keys.append(key) }
            next = node.parent
        }
        return keys.reversed()
    }

    /// Makes it an object or an array; text is split into its parts.
    ///
    /// - Returns: Whether it is of that kind.
    func open(_ kind: Frame.Kind) -> Bool {
        switch content {
        case .empty: content = kind == .object ? .object(Members()) : .array([])
        case .text(let text):
            guard text.first == (kind == .object ? Byte.openBrace : Byte.openBracket) else { return false }
            content = kind == .object ? .object(Members()) : .array([])
            return (try? split(text)) != nil
        case .object: return kind == .object
        case .array: return kind == .array
        }
        return true
    }

    /// Adds the parts of an object or an array that this module has written.
    private func split(_ text: [UInt8]) throws {
        func add(_ part: Part, from reader: inout JSONReader) throws {
            let start = reader.offset
            try reader.skip()
            let node = TreeNode(part, of: self)
            node.content = .text(Array(text[start..<reader.offset]))
            _ = node.attach()
        }
        try text.withUnsafeBufferPointer { bytes in
            try JSONReader.document(bytes, settings: HikyakuJSONDecoder()) { reader in
                if text.first == Byte.openBracket { return try reader.readArray { try add(.element, from: &$0) } }
                try reader.readObject { key, reader in try add(.member(Array(key.utf8)), from: &reader) }
            }
        }
    }

    /// Makes it a part of its parent.
    ///
    /// - Returns: Whether the parent can have it.
    func attach() -> Bool {
        guard let parent else { return true }
        switch (part, parent.content) {
        case (.itself, .empty): parent.content = content
        case (.itself, _):
            guard parent.open(.object), open(.object), case .object(let members) = content else { return false }
            for name in members.names { members.nodes[name].map { parent.set($0, named: name) } }
        case (.member(let name), _): parent.set(self, named: name)
        case (.element, .array(var elements)):
            // Avoids a copy of the elements.
            parent.content = .empty
            elements.append(self)
            parent.content = .array(elements)
        case (.element, _): break
        }
        return true
    }

    /// The part of the same key as another one.
    func part(like part: Part) -> TreeNode? {
        guard case .member(let name) = part, case .object(let members) = content else { return nil }
        return members.nodes[name]
    }

    private func set(_ node: TreeNode, named name: [UInt8]) {
        guard case .object(var members) = content else { return }
        content = .empty
        members.set(node, named: name)
        content = .object(members)
    }

    func write(to writer: inout JSONWriter) throws {
        switch content {
        case .empty: try writer.writeObject { _ in }
        case .text(let text): try writer.appendValue { bytes in text.withUnsafeBufferPointer { bytes.append($0) } }
        case .object(let members):
            try writer.writeObject { writer in
                for name in members.names {
                    try writer.writeMember(String(decoding: name, as: UTF8.self)) { writer in
                        try members.nodes[name]?.write(to: &writer)
                    }
                }
            }
        case .array(let elements):
            try writer.writeArray { writer in
                for element in elements { try element.write(to: &writer) }
            }
        }
    }
}

/// The values of a session that are assembled before they are written.
///
/// The text of a part is at the end of the document until the next call, and then moves into its node.
final class ValueTree {
    private let writer: UnsafeMutablePointer<JSONWriter>
    /// The nodes that encoders and containers write to, by the serial numbers of their positions.
    private var nodes: [Int: TreeNode] = [:]
    /// The values that are being encoded, the innermost last.
    private(set) var open: [TreeNode] = []
    /// The part that was begun last, until it is attached.
    private var begun: TreeNode?
    /// The length of the document without the tree.
    private var start = 0

    init(_ writer: UnsafeMutablePointer<JSONWriter>) {
        self.writer = writer
    }

    /// Begins a new tree.
    ///
    /// - Returns: Its root.
    func begin() -> TreeNode {
        (nodes, open, begun, start) = ([:], [], nil, writer.pointee.bytes.count)
        return TreeNode(depth: writer.pointee.depth)
    }

    /// Begins a part of a node, which is the text that is written next, or a value of its own.
    func begin(_ part: TreeNode.Part, of node: TreeNode) {
        let child = TreeNode(part, of: node)
        begun = child
        writer.pointee.depth = child.depth
        // What fails next is not what has failed before.
        writer.pointee.settings.recorder?.forget()
    }

    /// The part that was begun last, as a value of its own.
    func takeBegun() -> TreeNode? {
        defer { begun = nil }
        return begun
    }

    func enter(_ node: TreeNode) {
        open.append(node)
    }

    /// Ends the innermost value, which can't be written to any more.
    func leave() {
        open.popLast()?.isComplete = true
    }

    /// Registers a node that a position writes to.
    func add(_ node: TreeNode, at position: Position) {
        nodes[position.serial] = node
    }

    /// The node that a position writes to, even if it is complete.
    func node(of position: Position) -> TreeNode? {
        fill()
        return nodes[position.serial]
    }

    /// Moves text that was written at the end of the document into the part that was begun, or into a whole value.
    func fill(_ value: TreeNode? = nil) {
        let text = writer.pointee.bytes.bytes[start...]
        guard let node = begun ?? value, !text.isEmpty else { return }
        node.content = .text(Array(text))
        dropText()
        if let part = takeBegun() { _ = part.attach() }
    }

    func dropText() {
        writer.pointee.bytes.truncate(to: start)
        writer.pointee.members.truncate(to: 0)
    }
}
