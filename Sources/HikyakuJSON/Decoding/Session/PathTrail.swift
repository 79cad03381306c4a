/// Finds the way to a place in an index, which nothing keeps while all goes well.
///
/// It remembers how far it came in each container, so that the ways to all elements of an array take no longer to find
/// than the array is.
struct PathTrail {
    private struct Step {
        let container: Int
        var child: Int
        var ordinal: Int
        /// The byte of the container's last bracket, once it was looked for.
        var last: Int?
        /// The key that was made last, and the entry it was made from, which is another one once keys are converted.
        private var made: (key: any CodingKey, entry: UInt64)?

        init(container: Int) {
            self.container = container
            child = container + 2
            ordinal = 0
        }

        /// The child's key or index; a key is made once, since it may be long and many values may be below it.
        mutating func key(in session: DecodingSession) -> any CodingKey {
            guard session.entry(at: container).kind == .object else { return JSONCodingKey(ordinal) }
            let entry = session.entry(at: child)
            if let made, made.entry == entry.word { return made.key }
            let key = JSONCodingKey(session.text(ofKey: entry))
            made = (key, entry.word)
            return key
        }

        mutating func goBack() {
            child = container + 2
            ordinal = 0
        }

        /// The place of the child's value.
        func value(in session: DecodingSession) -> Int {
            session.entry(at: container).kind == .object ? child + 1 : child
        }
    }

    private var steps: [Step] = []
    /// How many children were gone past so far, which is what all ways together cost.
    private(set) var stepCount = 0

    mutating func path(to place: Int, in session: DecodingSession) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        while container < place, session.entry(at: container).isContainer {
            let depth = path.count
            var step = step(to: place, from: start(in: container, at: depth, session) { $0 <= place }, session)
            path.append(step.key(in: session))
            keep(step, at: depth)
            container = step.value(in: session)
        }
        return path
    }

    /// The innermost value that begins with a byte or before it.
    mutating func place(ofByte byte: Int, in session: DecodingSession) -> Int {
        search(byte, in: session).place
    }

    /// The value that begins with a byte, and the byte behind it; `nil` where none begins.
    mutating func value(atByte byte: Int, in session: DecodingSession) -> (place: Int, end: Int)? {
        let (place, depth) = search(byte, in: session)
        guard session.offset(of: place) == byte else { return nil }
        let entry = session.entry(at: place)
        if entry.isContainer { return (place, end(ofContainer: place, at: depth, in: session)) }
        if entry.isString { return (place, entry.offset + session.textLength(of: entry) + 1) }
        return (place, entry.offset + session.numberLength(of: entry))
    }

    /// The byte behind a container that the steps lead to.
    ///
    /// An index doesn't have it; but behind a container there are only the ends of those around that end with it.
    private mutating func end(ofContainer place: Int, at depth: Int, in session: DecodingSession) -> Int {
        let next = session.index.end(of: place)
        var outermost = depth
        while outermost > 0, session.index.end(of: steps[outermost - 1].container) == next { outermost -= 1 }
        var end = next < session.index.count ? session.entry(at: next).offset : session.index.end
        for around in outermost..<depth {
            // Kept, since what is inside of it may be asked for as well, and there may be much space between.
            end = steps[around].last ?? session.lastBracket(before: end)
            steps[around].last = end
        }
        return session.lastBracket(before: end) + 1
    }

    /// The innermost value that begins with a byte or before it, and how deep it is.
    private mutating func search(_ byte: Int, in session: DecodingSession) -> (place: Int, depth: Int) {
        var place = 0
        var depth = 0
        while session.entry(at: place).isContainer {
            let start = start(in: place, at: depth, session) { session.offset(of: $0) <= byte }
            guard let step = step(toByte: byte, from: start, session),
                session.offset(of: step.value(in: session)) <= byte
            else { break }
            keep(step, at: depth)
            place = step.value(in: session)
            depth += 1
        }
        return (place, depth)
    }

    private mutating func keep(_ step: Step, at depth: Int) {
        // Those further in may be of other containers now, which they say themselves.
        if depth < steps.count { steps[depth] = step } else { steps.append(step) }
    }

    /// Goes on to the last child that begins before a byte; `nil` where none does.
    private mutating func step(toByte byte: Int, from start: Step, _ session: DecodingSession) -> Step? {
        let end = session.index.end(of: start.container)
        let isObject = session.entry(at: start.container).kind == .object
        var found: Step?
        var step = start
        while step.child < end, session.offset(of: step.child) <= byte {
            found = step
            step.child = session.index.next(after: isObject ? step.child + 1 : step.child)
            step.ordinal += 1
            stepCount += 1
        }
        return found
    }

    /// Where to go on in a container: where the last search ended, or at the member that was found last in a large object,
    /// whichever is further without being too far.
    private func start(
        in container: Int,
        at depth: Int,
        _ session: DecodingSession,
        _ isWithin: (_ child: Int) -> Bool,
    ) -> Step {
        let isKnown = depth < steps.count && steps[depth].container == container
        var step = isKnown ? steps[depth] : Step(container: container)
        if !isWithin(step.child) { step.goBack() }
        if let member = session.memberFoundLast(in: container), member > step.child, isWithin(member) {
            // Nobody asks for the ordinal of a member.
            step.child = member
        }
        return step
    }

    /// Goes on to the child that is the place or holds it.
    private mutating func step(to place: Int, from start: Step, _ session: DecodingSession) -> Step {
        var step = start
        let isObject = session.entry(at: step.container).kind == .object
        while true {
            let next = session.index.next(after: isObject ? step.child + 1 : step.child)
            guard next <= place else { return step }
            step.child = next
            step.ordinal += 1
            stepCount += 1
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
