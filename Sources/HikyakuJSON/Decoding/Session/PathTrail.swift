/// Finds the way to a place in an index, which nothing keeps while all goes well.
///
/// It remembers how far it came in each container, so that the ways to all elements of an array take no longer to find
/// than the array is.
struct PathTrail {
    private struct Step {
        let container: Int
        var child: Int
        var ordinal: Int
    }

    private var steps: [Step] = []

    mutating func path(to place: Int, in session: DecodingSession) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        while container < place, session.entry(at: container).isContainer {
            let depth = path.count
            let step = step(to: place, from: start(in: container, before: place, at: depth), session)
            // Those further in may be of other containers now, which they say themselves.
            if depth < steps.count { steps[depth] = step } else { steps.append(step) }
            if session.entry(at: container).kind == .object {
                path.append(JSONCodingKey(session.text(ofKeyAt: step.child)))
                container = step.child + 1
            } else {
                path.append(JSONCodingKey(step.ordinal))
                container = step.child
            }
        }
        return path
    }

    /// The innermost value that begins with a byte or before it.
    mutating func place(ofByte byte: Int, in session: DecodingSession) -> Int {
        var place = 0
        var depth = 0
        while session.entry(at: place).isContainer {
            let known = depth < steps.count && steps[depth].container == place ? steps[depth] : nil
            let first = Step(container: place, child: place + 2, ordinal: 0)
            let start = known.flatMap { session.offset(of: $0.child) <= byte ? $0 : nil } ?? first
            let isObject = session.entry(at: place).kind == .object
            guard let step = step(toByte: byte, from: start, session),
                session.offset(of: isObject ? step.child + 1 : step.child) <= byte
            else { break }
            // Those further in may be of other containers now, which they say themselves.
            if depth < steps.count { steps[depth] = step } else { steps.append(step) }
            place = isObject ? step.child + 1 : step.child
            depth += 1
        }
        return place
    }

    /// Goes on to the last child that begins before a byte; `nil` where none does.
    private func step(toByte byte: Int, from start: Step, _ session: DecodingSession) -> Step? {
        let end = session.index.end(of: start.container)
        let isObject = session.entry(at: start.container).kind == .object
        var found: Step?
        var step = start
        while step.child < end, session.offset(of: step.child) <= byte {
            found = step
            step.child = session.index.next(after: isObject ? step.child + 1 : step.child)
            step.ordinal += 1
        }
        return found
    }

    /// Where to go on in a container: where the last search ended, if that is not too far.
    private func start(in container: Int, before place: Int, at depth: Int) -> Step {
        if depth < steps.count, steps[depth].container == container, steps[depth].child <= place {
            return steps[depth]
        }
        return Step(container: container, child: container + 2, ordinal: 0)
    }

    /// Goes on to the child that is the place or holds it.
    private func step(to place: Int, from start: Step, _ session: DecodingSession) -> Step {
        var step = start
        let isObject = session.entry(at: step.container).kind == .object
        while true {
            let next = session.index.next(after: isObject ? step.child + 1 : step.child)
            guard next <= place else { return step }
            step.child = next
            step.ordinal += 1
        }
    }
}

/// A key or an index on the way to a value.
struct JSONCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ text: String) {
        stringValue = text
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        self.init(intValue)
    }
}
