/// Finds the way to a place in an index, which nothing keeps while all goes well.
///
/// It remembers how far it came in each container, so that the ways to all elements of an array take no longer to find
/// than the array is; and the way itself, which values that are next to each other have in common but for its end.
struct PathTrail {
    private struct Step {
        let container: Int
        var child: Int
        var ordinal: Int
        /// The byte of the container's last bracket, once it was looked for.
        var last: Int?

        init(container: Int) {
            self.container = container
            child = container + 2
            ordinal = 0
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

    /// How far a search came in a container that the steps lead to no more.
    private struct Mark {
        let child: Int
        let ordinal: Int
    }

    private var steps: [Step] = []
    /// The keys of those first steps each of which leads to the next one: the way that was asked for last.
    private var path: [any CodingKey] = []
    /// Marks of containers with many children, by their places: a type may go on in several of them in turn.
    private var marks: [Int: Mark] = [:]
    /// Keys that are long, by their places, with the entries that they were made from: each is made once, since many
    /// values may be below it.
    private var longKeys: [Int: (entry: UInt64, key: JSONCodingKey)] = [:]
    /// How many children were gone past so far, which is what all ways together cost.
    private(set) var stepCount = 0
    /// How many containers were gone into so far, which is the other thing that they cost.
    private(set) var levelCount = 0

    /// In a container where no more than these were gone past, a search begins at the beginning again.
    private static let unmarkedMax = 16
    private static let shortKeyBytesMax = 64

    mutating func path(to place: Int, in session: DecodingSession) -> [any CodingKey] {
        guard place > 0 else { return [] }
        var depth = depthInCommon(with: place, session)
        var container = depth < path.count ? steps[depth].container : 0
        while container < place, session.entry(at: container).isContainer {
            levelCount += 1
            let step = step(to: place, from: start(in: container, at: depth, session) { $0 <= place }, session)
            keep(step, at: depth)
            if path.count == depth { path.append(key(of: step, in: session)) }
            container = step.value(in: session)
            depth += 1
        }
        path.removeLast(path.count - depth)
        return path
    }

    /// How many steps lead to the innermost container of the way that holds the place.
    private func depthInCommon(with place: Int, _ session: DecodingSession) -> Int {
        var depth = path.count
        while depth > 0 {
            depth -= 1
            let container = steps[depth].container
            if container < place, place < session.index.end(of: container) { break }
        }
        return depth
    }

    /// Lets go of the keys of an object, which have become others, and of what follows.
    mutating func forgetKeys(of object: Int) {
        var depths = 0..<path.count
        while let middle = depths.isEmpty ? nil : depths.lowerBound + depths.count / 2 {
            let container = steps[middle].container
            if container == object { return path.removeLast(path.count - middle) }
            depths = container < object ? middle + 1..<depths.upperBound : depths.lowerBound..<middle
        }
    }

    /// The child's key or index.
    private mutating func key(of step: Step, in session: DecodingSession) -> any CodingKey {
        guard session.entry(at: step.container).kind == .object else { return JSONCodingKey(step.ordinal) }
        let entry = session.entry(at: step.child)
        // Those that were converted are kept elsewhere.
        guard entry.kind != .convertedKey, entry.length > Self.shortKeyBytesMax else {
            return JSONCodingKey(session.text(ofKey: entry))
        }
        if let made = longKeys[step.child], made.entry == entry.word { return made.key }
        let key = JSONCodingKey(session.text(ofKey: entry))
        longKeys[step.child] = (entry.word, key)
        return key
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
        guard depth < steps.count else { return steps.append(step) }
        let former = steps[depth]
        let isOther = former.container != step.container
        if isOther, former.ordinal > Self.unmarkedMax {
            marks[former.container] = Mark(child: former.child, ordinal: former.ordinal)
        }
        if depth < path.count, isOther || former.child != step.child { path.removeLast(path.count - depth) }
        // Those further in may be of other containers now, which they say themselves.
        steps[depth] = step
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

    /// Where to go on in a container: where the last search ended, or at the member that was found last in a large
    /// object, whichever is further without being too far.
    private func start(
        in container: Int,
        at depth: Int,
        _ session: DecodingSession,
        _ isWithin: (_ child: Int) -> Bool,
    ) -> Step {
        var step = known(container, at: depth)
        if !isWithin(step.child) { step.goBack() }
        if let member = session.memberFoundLast(in: container), member > step.child, isWithin(member) {
            // Nobody asks for the ordinal of a member.
            step.child = member
        }
        return step
    }

    private func known(_ container: Int, at depth: Int) -> Step {
        if depth < steps.count, steps[depth].container == container { return steps[depth] }
        var step = Step(container: container)
        if !marks.isEmpty, let mark = marks[container] { (step.child, step.ordinal) = (mark.child, mark.ordinal) }
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

/// Where a session has its trail, once it needs one.
final class TrailPlace {
    var trail = PathTrail()
}

/// A key or an index on the way to a value.
///
/// Small enough for an existential to hold it in itself, so that a path is one piece of memory; the text of an index,
/// which hardly anybody asks for, is made then.
enum JSONCodingKey: CodingKey {
    case text(String)
    case index(Int)

    init(_ text: String) {
        self = .text(text)
    }

    init(_ index: Int) {
        self = .index(index)
    }

    init?(stringValue: String) {
        self = .text(stringValue)
    }

    init?(intValue: Int) {
        self = .index(intValue)
    }

    var stringValue: String {
        switch self {
        case .text(let text): text
        case .index(let index): "Index \(index)"
        }
    }

    var intValue: Int? {
        switch self {
        case .text: nil
        case .index(let index): index
        }
    }
}
