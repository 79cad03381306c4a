/// A value of a document that isn't written in order, and so is put together before it is written.
final class TreeNode {
    enum Content {
        /// Nothing was encoded.
        case empty
        /// A complete value, as it will stand in the document.
        case text([UInt8])
        case object(Members)
        case array([TreeNode])
    }

    /// The members in the order in which their keys came first; the last value of a key is the one that counts.
    struct Members {
        private(set) var keys: [[UInt8]] = []
        private(set) var nodes: [[UInt8]: TreeNode] = [:]

        subscript(key: String) -> TreeNode? { nodes[Array(key.utf8)] }

        mutating func set(_ node: TreeNode, forKey key: String) {
            let key = Array(key.utf8)
            if nodes.updateValue(node, forKey: key) == nil { keys.append(key) }
        }
    }

    var content = Content.empty
    /// How many objects and arrays are open around it.
    let depth: Int

    init(depth: Int) {
        self.depth = depth
    }

    func write(to writer: inout JSONWriter) throws {
        switch content {
        case .empty: try writer.writeObject { _ in }
        case .text(let text):
            try writer.beginValue()
            text.withUnsafeBufferPointer { writer.bytes.append($0) }
            writer.endValue()
        case .object(let members):
            try writer.writeObject { writer in
                for key in members.keys {
                    try writer.writeMember(String(decoding: key, as: UTF8.self)) { writer in
                        try members.nodes[key]?.write(to: &writer)
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

/// The way to a value in a tree, from the inside out.
final class TreePath {
    private let parent: TreePath?
    private let key: any CodingKey

    init(_ key: any CodingKey, in parent: TreePath?) {
        self.key = key
        self.parent = parent
    }

    var keys: [any CodingKey] {
        // Not by calls inside of calls: the stack may be at its end.
        var keys = [key]
        var next = parent
        while let path = next {
            keys.append(path.key)
            next = path.parent
        }
        return keys.reversed()
    }
}
