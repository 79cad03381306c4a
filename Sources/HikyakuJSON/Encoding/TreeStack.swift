/// The values that are not written in order: open trees, and slots for their next parts.
struct TreeStack {
    /// A value that is assembled from nodes, with the frames inside it.
    private struct Tree {
        /// The index of the outermost frame.
        let frame: Int
        let root: TreeNode
        /// The nodes that encoders and containers write to, by the serial numbers of their positions.
        var nodes: [Int: TreeNode]
    }

    /// The part of a node that the next value becomes.
    enum Part {
        /// The member of a name, or an element.
        case child(named: [UInt8]?)
        case itself
    }

    /// A frame whose text becomes a part of a node.
    private struct Slot {
        let node: TreeNode
        let part: Part
    }

    private let writer: UnsafeMutablePointer<JSONWriter>
    private var trees: [Tree] = []
    private var slots: [Slot] = []

    init(_ writer: UnsafeMutablePointer<JSONWriter>) {
        self.writer = writer
    }

    var slotCount: Int { slots.count }

    /// The node that a position writes to.
    func node(of position: Position) -> TreeNode? { node(of: position.serial) }

    private func node(of serial: Int) -> TreeNode? {
        trees.lazy.reversed().compactMap { $0.nodes[serial] }.first
    }

    func isRoot(_ frame: Int) -> Bool {
        trees.contains { $0.frame == frame }
    }

    /// Registers a node by a position that was made for it.
    mutating func handOut(_ node: TreeNode, as position: Position) {
        let frame = node.ownPath.frame
        guard let index = trees.lastIndex(where: { $0.frame == frame }) else { return }
        trees[index].nodes[position.serial] = node
    }

    /// Removes the tree whose outermost frame has an index.
    ///
    /// - Returns: Its root.
    mutating func removeTree(at frame: Int) -> TreeNode? {
        remove(in: frame..<(frame + 1))?.root
    }

    /// Removes the trees whose outermost frames are at an index or inside of it.
    mutating func removeTrees(from frame: Int) {
        while remove(in: frame..<Int.max) != nil {}
    }

    mutating func removeAll() {
        (trees, slots) = ([], [])
    }

    private mutating func remove(in frames: Range<Int>) -> Tree? {
        trees.firstIndex { frames.contains($0.frame) }.map { trees.remove(at: $0) }
    }

    private mutating func insert(_ tree: Tree) {
        trees.insert(tree, at: trees.firstIndex { $0.frame > tree.frame } ?? trees.endIndex)
    }
}

extension TreeStack {
    // MARK: Slots

    /// Makes the next value that is written a part of a node.
    mutating func beginPart(_ part: Part, of node: TreeNode, in frames: borrowing FrameStack) {
        let frame = frames[frames.push(.none).depth]
        frame.pointee.kind = .slot
        frame.pointee.count = slots.count
        frame.pointee.firstMember = writer.pointee.members.count
        slots.append(Slot(node: node, part: part))
        if case .itself = part { writer.pointee.depth = node.depth } else { writer.pointee.depth = node.depth + 1 }
    }

    /// Moves the last written value into its node; the innermost frame is its slot.
    mutating func fillSlot(in frames: borrowing FrameStack) {
        let text = Array(writer.pointee.bytes.bytes[frames[frames.top].pointee.start...])[...]
        let slot = dropSlot(in: frames)
        switch slot.part {
        case .child(let name): slot.node.set(TreeNode(.text(text), depth: slot.node.depth + 1), named: name)
        case .itself: slot.node.content = .text(text)
        }
    }

    /// Rolls back the value of the innermost frame, which is a slot.
    mutating func takeBackSlot(in frames: borrowing FrameStack) {
        writer.pointee.members.truncate(to: frames[frames.top].pointee.firstMember)
        _ = dropSlot(in: frames)
    }

    private mutating func dropSlot(in frames: borrowing FrameStack) -> Slot {
        writer.pointee.bytes.truncate(to: frames[frames.top].pointee.start)
        writer.pointee.depth = frames[frames.top].pointee.depth
        frames.pop()
        return slots.removeLast()
    }

    // MARK: Trees

    /// Converts the text of a frame and of the frames inside it, up to the next slot, into nodes.
    ///
    /// - Returns: The frame's node.
    @discardableResult mutating func makeTree(from depth: Int, in frames: borrowing FrameStack) -> TreeNode {
        var (end, firstMember): (Int, Int?) = (depth, nil)
        while end <= frames.top, frames[end].pointee.kind != .slot {
            let isObject = frames[end].pointee.kind == .object || frames[end].pointee.kind == .tree
            if isObject, firstMember == nil { firstMember = frames[end].pointee.firstMember }
            end += 1
        }
        let inner = remove(in: depth..<end)
        let textEnd = inner?.frame ?? end
        let base = frames[depth].pointee.start
        let bytesEnd = textEnd > frames.top ? writer.pointee.bytes.count : frames[textEnd].pointee.start
        inner?.root.frame = nil
        inner?.root.start = bytesEnd - base

        var chain = makeNodes(of: depth..<textEnd, base..<bytesEnd, around: inner?.root, in: frames)
        var nodes = inner?.nodes ?? [:]
        for (index, node) in chain {
            let frame = frames[index]
            nodes[frame.pointee.serial] = node
            frame.pointee.serial = ~frame.pointee.serial
            frame.pointee.kind = .tree
        }
        let root = chain[depth] ?? inner?.root ?? TreeNode(.empty, depth: 0)
        for closed in frames.takeClosed(in: base..<bytesEnd).reversed() {
            guard let parent = chain[closed.depth - 1] else { continue }
            let start = closed.start - base
            let node = parent.start == start ? parent : parent.child(at: start, key: frames.key(of: closed))
            if closed.isEmpty { node?.content = .empty }
            chain[closed.depth] = node
            nodes[closed.serial] = node
        }
        if end > frames.top { writer.pointee.bytes.truncate(to: base) }
        frames[depth].pointee.firstMember = firstMember ?? writer.pointee.members.count
        root.frame = depth
        insert(Tree(frame: depth, root: root, nodes: nodes))
        return root
    }

    /// Makes the nodes of frames from a range of the text, by the frames' indices.
    ///
    /// The child is the node inside the innermost of the frames.
    private func makeNodes(
        of range: Range<Int>,
        _ textRange: Range<Int>,
        around child: TreeNode?,
        in frames: borrowing FrameStack,
    ) -> [Int: TreeNode] {
        let base = textRange.lowerBound
        let text = Array(writer.pointee.bytes.bytes[textRange])
        var chain: [Int: TreeNode] = [:]
        var child = child
        for index in range.reversed() {
            let frame = frames[index]
            let end = child == nil ? textRange.upperBound : frames[index + 1].pointee.start
            if frame.pointee.kind == .object || frame.pointee.kind == .array { frame.pointee.depth -= 1 }
            if child == nil || frame.pointee.kind != .value {
                child = TreeNode(
                    frame.pointee.kind,
                    text[(frame.pointee.start - base)..<(end - base)],
                    depth: frame.pointee.depth,
                    child: child,
                    key: child == nil ? nil : key(of: index + 1, in: frames),
                )
            }
            chain[index] = child
        }
        return chain
    }

    // MARK: Paths

    /// The path of an open frame.
    func path(to depth: Int, in frames: borrowing FrameStack) -> [any CodingKey] {
        var pieces: [[any CodingKey]] = []
        var index = depth
        while index > 0 {
            let frame = frames[index].pointee
            let node = frame.kind == .slot ? slots[frame.count].node : node(of: ~frame.serial)
            if let node, node.frame != index || frame.kind == .slot {
                let (keys, depth) = node.ownPath
                pieces.append(keys)
                index = depth
            } else {
                if let key = key(of: index, in: frames) { pieces.append([key]) }
                index -= 1
            }
        }
        return pieces.reversed().flatMap { $0 }
    }

    /// The key of an open frame in its parent.
    private func key(of index: Int, in frames: borrowing FrameStack) -> (any CodingKey)? {
        if let key = frames.key(of: index) { return key }
        let parent = frames[index - 1].pointee
        guard parent.kind == .slot, case .child(nil) = slots[parent.count].part else { return nil }
        return JSONCodingKey(slots[parent.count].node.count)
    }
}
