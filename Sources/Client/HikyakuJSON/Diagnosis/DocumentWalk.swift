/// Walks through a document from its first byte and keeps track of the line and the enclosing containers.
///
/// It assumes that the document is well-formed up to a syntax error. Malformed input gives some position, never a
/// failure.
struct DocumentWalk {
    /// An open array or object.
    private struct Level {
        let start: Int
        let isObject: Bool
        /// The opening quote of a string, which is a key if a colon follows.
        var text: Int?
        /// The opening quote of the member's key, from the colon to the next comma.
        var key: Int?
        /// The key as a coding key, created once on demand, since a long key may have many values below it.
        var codingKey: (any CodingKey)?
        /// The number of commas so far, and the offset of the last one.
        var commas = 0
        var comma: Int?
        /// Whether a value or key followed the last comma.
        var hasMember = false

        mutating func beginMember() {
            (text, key, codingKey, hasMember) = (nil, nil, nil, false)
        }
    }

    /// An incomplete document may have moved when it is read further.
    var bytes: UnsafeBufferPointer<UInt8>
    /// The offset of the next token or white space.
    private(set) var offset: Int
    private(set) var line = 1
    private var lineStart = 0
    private var levels: [Level] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        offset = Bytes.start(of: bytes)
    }

    /// Begins inside of an incomplete document, whose bytes are set before it is read.
    init(from start: Int) {
        bytes = UnsafeBufferPointer(start: nil, count: 0)
        offset = start
    }

    /// How many containers are open.
    var depth: Int { levels.count }

    /// Whether the innermost container is an object; `nil` outside of all.
    var isInObject: Bool? { levels.last?.isObject }

    /// The offset of the innermost container; `nil` outside of all.
    var containerStart: Int? { levels.last?.start }

    /// The number of elements, if the next byte ends an array.
    var elementsAtEnd: Int? {
        guard let level = levels.last, !level.isObject, offset < bytes.count, bytes[offset] == Byte.closeBracket else {
            return nil
        }
        return level.commas + (level.hasMember ? 1 : 0)
    }

    /// The line and column of an offset, both from 1.
    ///
    /// The walk must have reached the token that contains it.
    func position(of place: Int) -> (line: Int, column: Int) {
        var line = line
        var start = lineStart
        for index in offset..<max(offset, min(place, bytes.count)) where bytes[index] == Byte.lineFeed {
            line += 1
            start = index + 1
        }
        return (line, place - start + 1)
    }

    /// Advances to the target, or to the beginning of the token that contains the limit.
    ///
    /// - Parameters:
    ///   - target: The offset to stop at. The token that contains it is read too if it ends within the limit.
    ///   - limit: The offset that is not passed; by default, the target.
    mutating func advance(to target: Int, within limit: Int? = nil) {
        let target = min(target, bytes.count)
        let limit = min(max(limit ?? target, target), bytes.count)
        while offset < target {
            let end = tokenEnd(limit: limit)
            guard end <= limit else { return }
            take(tokenUpTo: end)
        }
    }

    /// The end of the token, or an offset beyond the limit if the token does not end before.
    private func tokenEnd(limit: Int) -> Int {
        guard bytes[offset] == Byte.quote else { return offset + 1 }
        return TextScan.closingQuote(ofTextAt: offset, in: bytes, before: limit) + 1
    }

    private mutating func take(tokenUpTo end: Int) {
        let start = offset
        offset = end
        switch bytes[start] {
        case Byte.carriageReturn, Byte.tab, Byte.space:
            return
        case Byte.colon:
            mutateLevel {
                if $0.isObject, $0.key == nil { $0.key = $0.text }
            }
        case Byte.lineFeed:
            line += 1
            lineStart = end
        case Byte.comma:
            mutateLevel {
                $0.commas += 1
                $0.comma = start
                $0.beginMember()
            }
        case Byte.closeBrace, Byte.closeBracket:
            if !levels.isEmpty { levels.removeLast() }
        case Byte.quote:
            mutateLevel {
                $0.hasMember = true
                $0.text = start
            }
            countLines(from: start, to: end)
        case let byte:
            mutateLevel { $0.hasMember = true }
            guard byte == Byte.openBrace || byte == Byte.openBracket else { return }
            levels.append(Level(start: start, isObject: byte == Byte.openBrace))
        }
    }

    /// Strings have no line feeds, unless the document is malformed.
    private mutating func countLines(from start: Int, to end: Int) {
        for index in start..<end where bytes[index] == Byte.lineFeed {
            line += 1
            lineStart = index + 1
        }
    }

    /// Forgets what was read after an offset, at which a value, a member or a separator begins.
    ///
    /// It is at most back to the beginning of each container's current element or member.
    mutating func goBack(to offset: Int) {
        guard offset < self.offset else { return }
        self.offset = offset
        while let last = levels.last, last.start >= offset { levels.removeLast() }
        mutateLevel { level in
            if let comma = level.comma, comma >= offset {
                // A comma follows again.
                level.comma = nil
                level.commas -= 1
                level.beginMember()
            } else if let key = level.key, key >= offset {
                level.beginMember()
            }
        }
    }

    private mutating func mutateLevel(_ change: (inout Level) -> Void) {
        guard !levels.isEmpty else { return }
        change(&levels[levels.count - 1])
    }

    /// The part of a container that a pointer leads to.
    enum Part {
        /// The value at the offset, or the one expected there.
        case value
        /// The element that would follow the last one, at the end of the innermost array.
        case end
        /// The innermost container.
        case container
        /// The member whose key is at the offset.
        case key
    }

    /// The position as a JSON Pointer.
    ///
    /// If it is too long, the pointer leads to an enclosing container.
    func pointer(to part: Part = .value, revealingValues: Bool) -> ShownPointer {
        limitedPointer(to: part, revealingValues).pointer
    }

    /// The pointer to a member of the object that begins here, or to the object if that pointer is too long.
    ///
    /// - Parameter key: The key of the type, which is always shown.
    /// - Returns: The pointer.
    func pointer(toMember key: String) -> ShownPointer {
        var (pointer, isWhole) = limitedPointer(to: .value, false)
        if isWhole { _ = pointer.append(keyOfType: key) }
        return pointer
    }

    private func limitedPointer(to part: Part, _ revealingValues: Bool) -> (pointer: ShownPointer, isWhole: Bool) {
        var pointer = ShownPointer(revealingValues: revealingValues)
        for (index, level) in levels.enumerated() {
            let isLast = index == levels.count - 1
            if isLast, part == .container { break }
            let isAppended: Bool
            if level.isObject {
                guard let key = isLast && part == .key ? offset : level.key,
                    let text = TextToken(bytes, at: key).whole(bytesMax: ShownPointer.bytesMax)
                else { return (pointer, false) }
                isAppended = pointer.append(key: text)
            } else {
                let place = isLast && part == .end ? elementsAtEnd ?? level.commas : level.commas
                isAppended = pointer.append(index: place)
            }
            guard isAppended else { return (pointer, false) }
        }
        return (pointer, true)
    }

    /// The position as a coding path with the keys of the document.
    ///
    /// - Parameter isBeforeNext: Whether a value is complete, and the path is that of the next one.
    /// - Returns: The path; a member whose key isn't known yet has none.
    mutating func codingPath(isBeforeNext: Bool = false) -> [any CodingKey] {
        for place in levels.indices where levels[place].codingKey == nil {
            guard levels[place].isObject, let key = levels[place].key else { continue }
            levels[place].codingKey = TextToken(bytes, at: key).whole(bytesMax: .max).map { JSONCodingKey($0) }
        }
        var path = levels.compactMap { $0.isObject ? $0.codingKey : JSONCodingKey($0.commas) }
        guard isBeforeNext, let last = levels.last else { return path }
        if !last.isObject || last.codingKey != nil { path.removeLast() }
        return last.isObject ? path : path + [JSONCodingKey(last.commas + 1)]
    }
}
