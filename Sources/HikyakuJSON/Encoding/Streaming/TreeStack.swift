/// What of a document isn't written in order: the innermost open trees, and what may yet become a part of one.
struct TreeStack {
    /// A value that is put together, with the frames inside of it.
    struct Tree {
        /// The index of the outermost frame.
        let frame: Int
        let root: TreeNode
        /// What was handed out to write to, by the serial numbers of positions.
        var nodes: [Int: TreeNode]
    }

    /// Where a node takes the value that is written at the end of the bytes.
    struct Slot {
        enum Part {
            case member([UInt8])
            case element
            case itself
        }

        let node: TreeNode
        let part: Part

        var indexKey: PathKey? {
            if case .element = part { PathKey(node.count) } else { nil }
        }
    }

    private(set) var trees: [Tree] = []
    var slots: [Slot] = []

    func node(of serial: Int) -> TreeNode? {
        for tree in trees.reversed() {
            if let node = tree.nodes[serial] { return node }
        }
        return nil
    }

    // MARK: Trees

    func isRoot(_ frame: Int) -> Bool {
        trees.contains { $0.frame == frame }
    }

    mutating func insert(_ tree: Tree) {
        trees.insert(tree, at: trees.firstIndex { $0.frame > tree.frame } ?? trees.endIndex)
    }

    /// Takes out the tree that begins with one of some frames.
    mutating func remove(in frames: Range<Int>) -> Tree? {
        trees.firstIndex { frames.contains($0.frame) }.map { trees.remove(at: $0) }
    }

    /// Keeps what a node is found by.
    mutating func handOut(_ node: TreeNode, as serial: Int) {
        let frame = node.ownPath.frame
        guard let index = trees.lastIndex(where: { $0.frame == frame }) else { return }
        trees[index].nodes[serial] = node
    }
}

/// A frame that was closed because somebody wrote on around it, while it may yet be written to.
struct ClosedFrame {
    let serial: Int
    let depth: Int
    let isEmpty: Bool
    let place: Frame.Place
    /// Which element it is, if it is one.
    let index: Int
    let start: Int
    let end: Int
}
