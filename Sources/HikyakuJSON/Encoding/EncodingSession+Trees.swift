/// Values that aren't written in order.
extension EncodingSession {
    // MARK: Positions that aren't the innermost

    /// Makes a position the innermost one, or finds the node to write to.
    @inline(never) func returnTo(_ position: Position) throws -> TreeNode? {
        guard frames[top].pointee.kind != .lent else { throw refusal ?? failure(Self.wroteAside) }
        fillSlot()
        if frames.isTop(position) { return nil }
        if frames.isOpen(position) {
            if closeAside(above: position.depth) { return nil }
            return makeTree(from: position.depth)
        }
        if trees.node(of: position.serial) == nil, let depth = openFrame(around: position) { makeTree(from: depth) }
        guard let node = trees.node(of: position.serial) else { throw refusal ?? failure(Self.wroteLate) }
        // A closed value is still text.
        if case .text = node.content { _ = node.open(.object) || node.open(.array) }
        return node
    }

    /// Whether a position may still be written to, now or after a value that writes itself.
    func isIncomplete(_ position: Position) -> Bool {
        frames.isOpen(position) || trees.node(of: position.serial) != nil
            || frames.closed.contains { $0.serial == position.serial }
    }

    /// The innermost open frame around one that was closed.
    private func openFrame(around position: Position) -> Int? {
        guard let closed = frames.closed.last(where: { $0.serial == position.serial }) else { return nil }
        return (1..<min(closed.depth, top + 1)).last {
            let frame = frames[$0].pointee
            return frame.serial > 0 && frame.serial < closed.serial && frame.kind != .slot
        }
    }

    /// Closes frames that may be written to again.
    ///
    /// - Returns: Whether their content keeps its offsets, so that it can be found again.
    private func closeAside(above depth: Int) -> Bool {
        if settings.sortsKeys {
            // Sorting the members of an object moves the closed values inside it.
            let isMoved = frames.closed.last.map { $0.end > frames[depth + 1].pointee.start } ?? false
            if isMoved || top > depth + 1 { return false }
        }
        for index in (depth + 1)...top where frames[index].pointee.kind.isApart { return false }
        while top > depth {
            let frame = frames[top]
            var place = frame.pointee.place
            if case .key = place, let key = key(of: top) {
                // The key is on the stack only while the value is encoded.
                place = .kept(keptKeys.count)
                keptKeys.append(key)
            }
            let index = frames[top - 1].pointee.count - 1
            let isEmpty = frame.pointee.kind == .empty
            finishTop()
            frames.closed.append(
                ClosedFrame(
                    serial: frame.pointee.serial,
                    depth: top,
                    isEmpty: isEmpty,
                    place: place,
                    index: index,
                    start: frame.pointee.start,
                    end: writer.pointee.bytes.count,
                )
            )
            if frame.pointee.table > 0 { tables.removeSubrange((frame.pointee.table - 1)...) }
            frames.pop()
        }
        frames[depth].pointee.hasExtras = true
        return true
    }

    /// Completes an encoded value that is not the innermost one.
    @inline(never) func closeLate(_ position: Position) {
        fillSlot()
        if frames.isOpen(position) { return close(above: position.depth - 1) }
        guard let node = trees.node(of: position.serial) ?? (try? returnTo(position)) else { return }
        if isOnStack(position) { close(above: position.depth - 1) }
        // Values that were written around it meanwhile come first.
        node.reattach()
    }

    private func isOnStack(_ position: Position) -> Bool {
        guard position.depth <= top else { return false }
        let serial = frame(position).pointee.serial
        return serial == position.serial || serial == ~position.serial
    }

    /// Rolls back a member or an element whose value has thrown.
    @inline(never) func undo(_ child: Position, at parent: Position) {
        fillSlot()
        guard isOnStack(child) else {
            if let node = try? returnTo(child) { takeBack(node, at: parent) }
            return
        }
        let node = trees.node(of: child.serial)
        let objects = (child.depth...top).first { frames[$0].pointee.kind == .object || trees.isRoot($0) }
        if let objects { writer.pointee.members.truncate(to: frames[objects].pointee.firstMember) }
        while top >= child.depth { drop() }
        while trees.remove(in: child.depth..<Int.max) != nil {}
        if frames[top].pointee.kind != .tree { return takeBackTop() }
        if let node { takeBack(node, at: parent) }
    }

    private func takeBack(_ node: TreeNode, at parent: Position) {
        if node === trees.node(of: parent.serial) { node.content = .empty } else { node.detach() }
    }

    /// Rolls back what was begun for a value.
    @inline(never) func takeBackTop() {
        let frame = frames[top]
        guard frame.pointee.kind == .slot else { return takeBackLast() }
        writer.pointee.members.truncate(to: frame.pointee.firstMember)
        dropSlot()
    }

    /// Whether nothing was encoded at the outermost position.
    func isEmpty(_ position: Position) -> Bool {
        fillSlot()
        guard let node = trees.node(of: position.serial) else { return frame(position).pointee.kind == .empty }
        return node.isEmpty
    }

    // MARK: Writing to nodes

    /// Makes the next value that is written a part of a node.
    func beginPart(_ part: TreeStack.Slot.Part, of node: TreeNode) {
        let position = frames.push(.none, start: writer.pointee.bytes.count, depth: writer.pointee.depth)
        let frame = frame(position)
        frame.pointee.kind = .slot
        frame.pointee.count = trees.slots.count
        frame.pointee.firstMember = writer.pointee.members.count
        trees.slots.append(TreeStack.Slot(node: node, part: part))
        if case .itself = part { writer.pointee.depth = node.depth } else { writer.pointee.depth = node.depth + 1 }
    }

    /// Moves the last written value into its node, if it was written for one.
    private func fillSlot() {
        let frame = frames[top]
        guard frame.pointee.kind == .slot else { return }
        let text = Array(writer.pointee.bytes.bytes[frame.pointee.start...])[...]
        let slot = dropSlot()
        switch slot.part {
        case .child(let name): slot.node.set(TreeNode(.text(text), depth: slot.node.depth + 1), named: name)
        case .itself: slot.node.content = .text(text)
        }
    }

    @discardableResult private func dropSlot() -> TreeStack.Slot {
        writer.pointee.bytes.truncate(to: frames[top].pointee.start)
        writer.pointee.depth = frames[top].pointee.depth
        frames.pop()
        return trees.slots.removeLast()
    }

    /// Makes a node an object or an array, unless it is one already.
    func open(_ kind: Frame.Kind, _ node: TreeNode) throws {
        if node.isEmpty, node.depth >= JSONWriter.depthMax { throw tooDeep() }
        if !node.open(kind) { throw failure(Self.twoKinds, path: path(of: node)) }
    }

    /// A position for writing to a new child of a node, or to the existing object or array of a key.
    func handOut(
        _ kind: Frame.Kind,
        in node: TreeNode,
        named name: [UInt8]?,
        key: (any CodingKey)?,
    ) throws -> Position {
        var child = TreeNode(.empty, depth: node.depth + 1)
        if kind != .empty, let name, case .object(let members) = node.content, let old = members.nodes[name] {
            if old.isEmpty || old.open(kind) { child = old }
        }
        node.adopt(child, named: name, key: key)
        if kind != .empty { try open(kind, child) }
        let position = frames.makePosition()
        trees.handOut(child, as: position.serial)
        return position
    }

    /// Encodes the members of a `JSONWritable` value into the object at a position.
    func encodeMembers<Value: JSONWritable & Encodable>(of value: Value, at position: Position) throws {
        let encoder = StreamEncoder(session: self, position: position)
        var node = try enter(position)
        if node == nil, frame(position).pointee.kind != .empty { node = makeTree(from: position.depth) }
        guard let node, !node.isEmpty else { return try encoder.encode(value) }
        let aside = TreeNode(.empty, depth: node.depth)
        aside.settle(in: node.parent, named: nil, key: node.key)
        aside.frame = node.frame
        beginPart(.itself, of: aside)
        try encodeChild(value, kinds.kind(of: Value.self), place: .none, of: position)
        fillSlot()
        guard node.open(.object), aside.open(.object), case .object(let members) = aside.content else {
            throw twoValues(at: position)
        }
        for name in members.names {
            if let member = members.nodes[name] { node.set(member, named: name) }
        }
    }

    // MARK: Trees

    /// Converts the text of a frame and of the frames inside it, up to the next slot, into nodes.
    ///
    /// - Returns: The frame's node.
    @discardableResult func makeTree(from depth: Int) -> TreeNode {
        let end = (depth...top).first { frames[$0].pointee.kind == .slot } ?? top + 1
        let inner = trees.remove(in: depth..<end)
        let textEnd = inner?.frame ?? end
        let base = frames[depth].pointee.start
        let bytesEnd = textEnd > top ? writer.pointee.bytes.count : frames[textEnd].pointee.start
        let text = Array(writer.pointee.bytes.bytes[base..<bytesEnd])
        let firstMember = (depth..<end).first { [.object, .tree].contains(frames[$0].pointee.kind) }
            .map { frames[$0].pointee.firstMember }

        var nodes = inner?.nodes ?? [:]
        var chain: [Int: TreeNode] = [:]
        var child = inner?.root
        child?.frame = nil
        child?.start = bytesEnd - base
        for index in (depth..<textEnd).reversed() {
            let frame = frames[index]
            let end = child == nil ? bytesEnd : frames[index + 1].pointee.start
            let isOpen = frame.pointee.kind == .object || frame.pointee.kind == .array
            if isOpen { frame.pointee.depth -= 1 }
            let node: TreeNode
            if let child, frame.pointee.kind == .value {
                node = child
            } else {
                node = TreeNode(
                    frame.pointee.kind,
                    text[(frame.pointee.start - base)..<(end - base)],
                    depth: frame.pointee.depth,
                    child: child,
                    key: child == nil ? nil : key(of: index + 1),
                )
            }
            nodes[frame.pointee.serial] = node
            chain[index] = node
            child = node
            frame.pointee.serial = ~frame.pointee.serial
        }
        for index in depth..<textEnd { frames[index].pointee.kind = .tree }
        let root = child ?? TreeNode(.empty, depth: 0)
        for closed in takeClosed(in: base..<bytesEnd).reversed() {
            guard let parent = chain[closed.depth - 1] else { continue }
            let start = closed.start - base
            let node = parent.start == start ? parent : parent.child(at: start, key: key(of: closed, in: parent))
            if closed.isEmpty { node?.content = .empty }
            chain[closed.depth] = node
            nodes[closed.serial] = node
        }
        if end > top { writer.pointee.bytes.truncate(to: base) }
        frames[depth].pointee.firstMember = firstMember ?? writer.pointee.members.count
        root.frame = depth
        trees.insert(TreeStack.Tree(frame: depth, root: root, nodes: nodes))
        return root
    }

    private func key(of closed: ClosedFrame, in parent: TreeNode) -> (any CodingKey)? {
        switch closed.place {
        case .key(let key, let type): type.loaded(from: key)
        case .kept(let index): keptKeys[index]
        case .none: JSONCodingKey(closed.index)
        }
    }

    private func takeClosed(in range: Range<Int>) -> [ClosedFrame] {
        let end = frames.closed.lastIndex { $0.start < range.upperBound }.map { $0 + 1 } ?? 0
        let start = frames.closed.lastIndex { $0.end <= range.lowerBound }.map { $0 + 1 } ?? 0
        guard start < end else { return [] }
        defer { frames.closed.removeSubrange(start..<end) }
        return Array(frames.closed[start..<end])
    }

    /// Writes the tree whose outermost frame is the innermost open frame.
    func writeTree(at index: Int) {
        guard let tree = trees.remove(in: index..<(index + 1)) else { return }
        let frame = frames[index].pointee
        writer.pointee.bytes.truncate(to: frame.start)
        writer.pointee.members.truncate(to: frame.firstMember)
        writer.pointee.depth = frame.depth
        writer.pointee.beginDirectly()
        do { try tree.root.write(to: &writer.pointee) } catch { refuse(error) }
    }

    // MARK: Failures

    private static var twoKinds: String {
        "Encoded one value to containers of different kinds. Use one container for each value."
    }

    private static var wroteLate: String {
        "Encoded to a container or an encoder after its value was complete. Encode before its encode(to:) returns."
    }

    private static var wroteAside: String {
        "Encoded to a container while a JSONWritable value inside it was being written. Encode before or after that value."
    }
}

/// The values that are not written in order: open trees, and slots for their next parts.
struct TreeStack {
    /// A value that is assembled from nodes, with the frames inside it.
    struct Tree {
        /// The index of the outermost frame.
        let frame: Int
        let root: TreeNode
        /// The nodes that encoders and containers write to, by the serial numbers of their positions.
        var nodes: [Int: TreeNode]
    }

    /// The part of a node that the next value becomes.
    struct Slot {
        enum Part {
            /// The member of a name, or an element.
            case child(named: [UInt8]?)
            case itself
        }

        let node: TreeNode
        let part: Part

        var indexKey: JSONCodingKey? {
            if case .child(nil) = part { JSONCodingKey(node.count) } else { nil }
        }
    }

    private(set) var trees: [Tree] = []
    var slots: [Slot] = []

    func node(of serial: Int) -> TreeNode? {
        trees.lazy.reversed().compactMap { $0.nodes[serial] }.first
    }

    // MARK: Trees

    fileprivate func isRoot(_ frame: Int) -> Bool {
        trees.contains { $0.frame == frame }
    }

    mutating func insert(_ tree: Tree) {
        trees.insert(tree, at: trees.firstIndex { $0.frame > tree.frame } ?? trees.endIndex)
    }

    /// Removes the tree whose outermost frame is in a range.
    mutating func remove(in frames: Range<Int>) -> Tree? {
        trees.firstIndex { frames.contains($0.frame) }.map { trees.remove(at: $0) }
    }

    /// Registers a node by the serial number of a position.
    mutating func handOut(_ node: TreeNode, as serial: Int) {
        let frame = node.ownPath.frame
        guard let index = trees.lastIndex(where: { $0.frame == frame }) else { return }
        trees[index].nodes[serial] = node
    }
}

/// A frame that was closed by a write to an enclosing value, and may be written to again.
struct ClosedFrame {
    let serial: Int
    let depth: Int
    let isEmpty: Bool
    let place: Frame.Place
    /// Its index, if it is an element.
    let index: Int
    let start: Int
    let end: Int
}
