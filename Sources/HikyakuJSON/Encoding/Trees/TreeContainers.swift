/// Writes the members of an object in a tree.
struct TreeKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: TreeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws {
        try encode(Bool?.none, forKey: key)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let node = TreeNode(depth: encoder.node.depth + 1)
        try encoder.child(node, key).encodeContents(value)
        set(node, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key,
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(TreeKeyedContainer<NestedKey>(encoder: nested(.object(TreeNode.Members()), key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        TreeUnkeyedContainer(encoder: nested(.array([]), key))
    }

    func superEncoder() -> any Encoder {
        superEncoder(PathKey.superclass)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        superEncoder(key)
    }

    private func superEncoder(_ key: any CodingKey) -> TreeEncoder {
        let node = TreeNode(depth: encoder.node.depth + 1)
        set(node, key)
        return encoder.child(node, key)
    }

    /// The container that a key has already, or a new one.
    private func nested(_ empty: TreeNode.Content, _ key: Key) -> TreeEncoder {
        guard case .object(let members) = encoder.node.content, let node = members[text(of: key)] else {
            return superEncoder(key).opened(empty)
        }
        switch (node.content, empty) {
        case (.object, .object), (.array, .array), (.empty, _): return encoder.child(node, key).opened(empty)
        default: return superEncoder(key).opened(empty)
        }
    }

    private func set(_ node: TreeNode, _ key: any CodingKey) {
        guard case .object(var members) = encoder.node.content else { return }
        // So that the members aren't copied.
        encoder.node.content = .empty
        members.set(node, forKey: text(of: key))
        encoder.node.content = .object(members)
    }

    private func text(of key: any CodingKey) -> String {
        encoder.keepsKeys ? key.stringValue : encoder.run.session.converted(key.stringValue)
    }
}

/// Writes the elements of an array in a tree.
struct TreeUnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: TreeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int {
        if case .array(let elements) = encoder.node.content { elements.count } else { 0 }
    }

    func encodeNil() throws {
        try encode(Bool?.none)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let node = TreeNode(depth: encoder.node.depth + 1)
        try encoder.child(node, PathKey(count)).encodeContents(value)
        append(node)
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(TreeKeyedContainer<NestedKey>(encoder: nested().opened(.object(TreeNode.Members()))))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        TreeUnkeyedContainer(encoder: nested().opened(.array([])))
    }

    func superEncoder() -> any Encoder {
        nested()
    }

    private func nested() -> TreeEncoder {
        let child = encoder.child(TreeNode(depth: encoder.node.depth + 1), PathKey(count))
        append(child.node)
        return child
    }

    private func append(_ node: TreeNode) {
        guard case .array(var elements) = encoder.node.content else { return }
        // So that the elements aren't copied.
        encoder.node.content = .empty
        elements.append(node)
        encoder.node.content = .array(elements)
    }
}
