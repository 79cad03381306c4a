/// A value whose parts are assembled before it is written.
final class TreeNode {
    enum Content {
        /// Nothing was encoded.
        case empty
        /// A complete value in its final form.
        case text(ArraySlice<UInt8>)
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

        mutating func remove(_ name: [UInt8]) {
            nodes[name] = nil
            if let index = names.lastIndex(of: name) { names.remove(at: index) }
        }
    }

    var content: Content
    /// The number of open objects and arrays around it.
    let depth: Int
    /// Its key in the document, if it is a member.
    private(set) var name: [UInt8]?
    /// Its key in coding paths, if an encoder or a container writes to it.
    private(set) var key: (any CodingKey)?
    private(set) weak var parent: TreeNode?
    /// The index of its frame, if the enclosing value is written in order.
    var frame: Int?

    /// Its offset in the text from which its tree was created.
    var start: Int

    init(_ content: Content, depth: Int, start: Int = 0) {
        self.content = content
        self.depth = depth
        self.start = start
    }

    /// Whether nothing was encoded.
    var isEmpty: Bool {
        if case .empty = content { true } else { false }
    }

    /// How many elements an array has.
    var count: Int {
        if case .array(let elements) = content { elements.count } else { 0 }
    }

    /// The coding path from the value that has a frame, and that frame's index.
    var ownPath: (keys: [any CodingKey], frame: Int) {
        // Without recursion: the stack may be at its end.
        var keys: [any CodingKey] = []
        var node = self
        while node.frame == nil, let parent = node.parent {
            if let key = node.key { keys.append(key) }
            node = parent
        }
        return (keys.reversed(), node.frame ?? 0)
    }

    // MARK: Children

    /// Makes it an object or an array; text is split into its parts.
    ///
    /// - Returns: Whether it is of that kind.
    func open(_ kind: Frame.Kind) -> Bool {
        switch content {
        case .empty: content = kind == .object ? .object(Members()) : .array([])
        case .text(let text):
            guard text.first == (kind == .object ? Byte.openBrace : Byte.openBracket) else { return false }
            content = kind == .object ? .object(Members()) : .array([])
            for part in TextParts.all(of: text) {
                let node = TreeNode(.text(part.value), depth: depth + 1, start: part.value.startIndex)
                set(node, named: part.name)
            }
        case .object: return kind == .object
        case .array: return kind == .array
        }
        return true
    }

    /// Sets a member, or appends an element.
    func set(_ node: TreeNode, named name: [UInt8]?) {
        switch content {
        case .object(var members):
            // Avoids a copy of the members.
            content = .empty
            if let name { members.set(node, named: name) }
            content = .object(members)
        case .array(var elements):
            content = .empty
            elements.append(node)
            content = .array(elements)
        case .empty, .text: break
        }
    }

    /// Adds a child that may be written to later, with its position.
    func adopt(_ node: TreeNode, named name: [UInt8]?, key: (any CodingKey)?) {
        node.settle(in: self, named: name, key: key ?? (name == nil ? JSONCodingKey(count) : nil))
        set(node, named: name)
    }

    func settle(in parent: TreeNode?, named name: [UInt8]?, key: (any CodingKey)?) {
        (self.parent, self.name, self.key) = (parent, name, key)
    }

    /// Moves to the end as the last encoded value, and replaces another value of the same key.
    func reattach() {
        detach()
        parent?.set(self, named: name)
    }

    /// Removes itself from its object or array.
    func detach() {
        guard let parent else { return }
        switch parent.content {
        case .object(var members):
            guard let name, members.nodes[name] === self else { return }
            parent.content = .empty
            members.remove(name)
            parent.content = .object(members)
        case .array(var elements):
            parent.content = .empty
            if let index = elements.lastIndex(where: { $0 === self }) { elements.remove(at: index) }
            parent.content = .array(elements)
        case .empty, .text: break
        }
    }
}

extension TreeNode {
    // MARK: Values that were written before

    /// Creates a node from the text of an incomplete value.
    ///
    /// The child is the incomplete value inside it, whose key ends the text.
    convenience init(
        _ kind: Frame.Kind,
        _ text: ArraySlice<UInt8>,
        depth: Int,
        child: TreeNode?,
        key: (any CodingKey)?,
    ) {
        self.init(kind == .empty ? .empty : .text(text), depth: depth, start: text.startIndex)
        guard kind == .object || kind == .array, open(kind), let child else { return }
        if case .object(let members) = content {
            adopt(child, named: members.names.last, key: key)
        } else {
            adopt(child, named: nil, key: key)
        }
    }

    /// The child that begins at an index of the text.
    func child(at start: Int, key: (any CodingKey)?) -> TreeNode? {
        if case .text(let text) = content, !open(text.first == Byte.openBrace ? .object : .array) { return nil }
        var (name, index, child): ([UInt8]?, Int, TreeNode?) = (nil, 0, nil)
        switch content {
        case .object(let members):
            index = Self.firstIndex(in: members.names.count) { (members.nodes[members.names[$0]]?.start ?? 0) >= start }
            if index < members.names.count { name = members.names[index] }
            child = name.flatMap { members.nodes[$0] }
        case .array(let elements):
            index = Self.firstIndex(in: elements.count) { elements[$0].start >= start }
            if index < elements.count { child = elements[index] }
        case .empty, .text: return nil
        }
        child?.settle(in: self, named: name, key: key)
        return child
    }

    private static func firstIndex(in count: Int, where isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
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

/// Splits an object or an array that this module has written into its parts.
enum TextParts {
    /// The parts in order; the last one of an incomplete text may be a key without a value.
    static func all(of text: ArraySlice<UInt8>) -> [(name: [UInt8]?, value: ArraySlice<UInt8>)] {
        var parts: [(name: [UInt8]?, value: ArraySlice<UInt8>)] = []
        var (name, start, level, index): ([UInt8]?, Int, Int, Int) = (nil, text.startIndex + 1, 0, text.startIndex + 1)
        func finish(at end: Int) {
            let value = trimmed(text[start..<end])
            if name != nil || !value.isEmpty { parts.append((name, value)) }
            (name, start) = (nil, end + 1)
        }
        while index < text.endIndex, level >= 0 {
            switch text[index] {
            case Byte.quote: index = endOfText(from: index, in: text)
            case Byte.openBrace, Byte.openBracket: level += 1
            case Byte.closeBrace, Byte.closeBracket: level -= 1
            case Byte.comma where level == 0: finish(at: index)
            case UInt8(ascii: ":") where level == 0:
                let key = trimmed(text[start..<index]).dropFirst().dropLast()
                name = key.withUnsafeBufferPointer { Array(EscapeScan.string($0).utf8) }
                start = index + 1
            default: break
            }
            index += 1
        }
        finish(at: level < 0 ? index - 1 : text.endIndex)
        return parts
    }

    private static func endOfText(from start: Int, in text: ArraySlice<UInt8>) -> Int {
        var index = start + 1
        while index < text.endIndex, text[index] != Byte.quote { index += text[index] == Byte.backslash ? 2 : 1 }
        return index
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte <= UInt8(ascii: " ") }
        guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
        else { return text[text.endIndex...] }
        return text[first...last]
    }
}
