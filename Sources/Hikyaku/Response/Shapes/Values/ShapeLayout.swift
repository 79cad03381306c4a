/// Where the parts of a shape stand; found once for each shape.
struct ShapeLayout: Sendable {
    private(set) var paths: [ResponsePath] = []
    /// Why nothing can be read so.
    private(set) var problem: String?

    /// Adds a part, and looks whether it can be beside the others.
    mutating func add<Part: DecodedPart>(_ part: Part.Type) where Part.Key: ResponseKey {
        let path = ResponsePath(part.Key.path)
        let isTaken = paths.contains(path)
        let shared = path.keys.isEmpty ? "are both the whole document" : "share the key \(path)"
        problem =
            problem ?? path.problem ?? (part.Content == part ? nil : part.Content.definitionProblem)
            ?? (isTaken ? "two parts \(shared): give one of them another by KeyedResponse" : nil)
        paths.append(path)
    }
}

/// A shape with parts.
protocol LaidOut {
    static func makeLayout() -> ShapeLayout
}

extension ShapeLayout {
    private static let known = Lock<[ObjectIdentifier: ShapeLayout]>([:])

    static func of(_ shape: any LaidOut.Type) -> ShapeLayout {
        let identifier = ObjectIdentifier(shape)
        if let layout = known.withLock({ $0[identifier] }) { return layout }
        // Made outside of the lock, since parts have layouts too.
        let layout = shape.makeLayout()
        known.withLock { $0[identifier] = layout }
        return layout
    }
}
