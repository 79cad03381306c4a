#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One value that is encoded over a tree, since its parts don't come in the order of the document.
///
/// It keeps to what Foundation's encoder does: the last value of a key wins, a container that is asked for again goes
/// on, and what was handed out may be written to for as long as the value is encoded.
final class TreeRun {
    let session: EncodingSession
    private var refusal: EncodingError?
    /// The session of the last value that wrote itself, for the next.
    private var idle: EncodingSession?

    init(session: EncodingSession) {
        self.session = session
    }

    /// - Returns: Whether anything was encoded.
    func encode(_ encode: (TreeEncoder) throws -> Void) throws -> Bool {
        let writer = session.writer
        let root = TreeNode(depth: writer.pointee.depth)
        try encode(TreeEncoder(run: self, node: root, path: nil, level: 0))
        if let refusal { throw refusal }
        if case .empty = root.content { return false }
        writer.pointee.beginDirectly()
        try root.write(to: &writer.pointee)
        return true
    }

    /// Has a value write itself, apart from the document.
    func text<Value: JSONWritable>(of value: Value, in encoder: TreeEncoder) throws -> [UInt8] {
        // One that is in use isn't idle: a value that writes itself may encode others.
        let leaf = idle ?? EncodingSession(settings: session.settings)
        idle = nil
        defer {
            leaf.parent = .none
            idle = leaf
        }
        leaf.prefersTree = true
        leaf.parent = .tree(session, encoder.path)
        leaf.outerFrames = session.outerFrames + encoder.level
        leaf.reset(toCount: 0, depth: encoder.node.depth)
        try leaf.writeDirectly(value)
        return Array(leaf.writer.pointee.bytes.bytes)
    }

    func path(of path: TreePath?) -> [any CodingKey] {
        session.codingPath + (path?.keys ?? [])
    }

    /// Keeps an error for the end, for a function that can't throw.
    func refuse(_ text: String, at path: TreePath?) {
        refusal = refusal ?? failure(text, at: path)
    }

    func failure(_ text: String, at path: TreePath?) -> EncodingError {
        session.failure(text, path: self.path(of: path))
    }
}

/// An encoder of a value in a tree, and its container of a single value.
struct TreeEncoder: Encoder {
    let run: TreeRun
    let node: TreeNode
    let path: TreePath?
    /// How many values encode one another around this one.
    let level: Int
    /// Whether the strategy for keys passes over the next container.
    var keepsKeys = false

    var codingPath: [any CodingKey] { run.path(of: path) }
    var userInfo: [CodingUserInfoKey: Any] { run.session.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(TreeKeyedContainer(encoder: opened(.object(TreeNode.Members()))))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        TreeUnkeyedContainer(encoder: opened(.array([])))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        self
    }

    /// Encodes a value as this node's content.
    func encodeContents<Value: Encodable>(_ value: Value) throws {
        if run.session.outerFrames + level >= ThreadStack.trustedDepth { try checkDepth() }
        switch run.session.kinds.kind(of: Value.self) {
        case .plain: try value.encode(to: self)
        case .writable(let type): node.content = .text(try text(of: value, as: type))
        case .streamed(let type):
            var encoder = self
            encoder.keepsKeys = type.keepsKeys
            try value.encode(to: encoder)
        }
    }

    private func checkDepth() throws {
        guard run.session.outerFrames + level < FrameStack.countMax else {
            throw run.failure(JSONWriter.tooDeep, at: path)
        }
        guard !ThreadStack.isAtEnd else { throw run.failure(JSONWriter.stackEnd(depth: node.depth), at: path) }
    }

    /// An encoder for a value inside of this one.
    func child(_ node: TreeNode, _ key: any CodingKey) -> TreeEncoder {
        TreeEncoder(run: run, node: node, path: TreePath(key, in: path), level: level + 1)
    }

    /// Makes the node an object or an array, if it isn't yet; one that is something else stays, and the end says so.
    func opened(_ empty: TreeNode.Content) -> TreeEncoder {
        switch (node.content, empty) {
        case (.object, .object), (.array, .array): return self
        case (.empty, _) where node.depth < JSONWriter.depthMax:
            node.content = empty
            return self
        case (.empty, _): run.refuse(JSONWriter.tooDeep, at: path)
        default: run.refuse("Encoded a value as two different things. Ask the encoder for one container.", at: path)
        }
        let aside = TreeNode(depth: node.depth)
        aside.content = empty
        return TreeEncoder(run: run, node: aside, path: path, level: level)
    }

    private func text<Value>(of value: Value, as type: any JSONWritable.Type) throws -> [UInt8] {
        func text<Writable: JSONWritable>(_: Writable.Type) throws -> [UInt8] {
            // Both types are the same; only the compiler doesn't know.
            let value = unsafeBitCast(value, to: Writable.self)
            return try run.text(of: value, in: self)
        }
        return try text(type)
    }
}

extension TreeEncoder {
    /// Encodes the members of a value that writes itself into the node's object, among those that others encode there.
    func encodeMembers<Value: JSONWritable & Encodable>(of value: Value) throws {
        let text = Data(try run.text(of: value, in: self))
        guard text.first == Byte.openBrace else { return try encode(value) }
        var encoder = self
        encoder.keepsKeys = true
        var container = encoder.container(keyedBy: PathKey.self)
        var members: [(key: String, value: JSONValue)] = []
        try HikyakuJSONDecoder().withReader(of: text) { reader in
            try reader.readObject { key, reader in members.append((key, try reader.read(JSONValue.self))) }
        }
        for member in members { try container.encode(member.value, forKey: PathKey(member.key)) }
    }
}

extension TreeEncoder: SingleValueEncodingContainer {
    func encodeNil() throws {
        try encode(Bool?.none)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        guard case .empty = node.content else {
            throw run.failure("Encoded two single values as one. Encode one, or an array of both.", at: path)
        }
        do {
            try TreeEncoder(run: run, node: node, path: path, level: level + 1).encodeContents(value)
        } catch {
            node.content = .empty
            throw error
        }
        if case .empty = node.content { node.content = .object(TreeNode.Members()) }
    }
}
