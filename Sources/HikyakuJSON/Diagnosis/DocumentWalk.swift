/// Goes through a document from its first byte and knows at each where it is: the line, and the containers around.
///
/// It takes what it reads for well-formed, as it is before the place of a syntax error; of anything else it makes
/// something, but goes on. Comments are passed over, since a lenient decoder does so too.
struct DocumentWalk {
    /// An array or object whose end has not come yet.
    private struct Level {
        let start: Int
        let isObject: Bool
        /// The opening quote of a text that is a key if a colon comes.
        var text: Int?
        /// The opening quote of the member's key, from the colon on up to the comma.
        var key: Int?
        /// The same as a coding key, made once it is asked for: it may be long and many values may be below it.
        var codingKey: (any CodingKey)?
        /// How many commas came.
        var commas = 0
        /// Whether a value or key came since the last comma.
        var hasMember = false
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    /// Where the walk stands: before a token, or before white space.
    private(set) var offset: Int
    private(set) var line = 1
    private var lineStart = 0
    private var levels: [Level] = []

    /// What a pointer may have at most, in bytes: each of many diagnoses has one.
    private static let pointerBytesMax = 16 * 1024

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        offset = Self.start(of: bytes)
    }

    /// Where the document begins: behind a mark of the order of bytes, if there is one.
    static func start(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// How many containers are open.
    var depth: Int { levels.count }

    /// Whether the innermost container is an object; `nil` outside of all.
    var isInObject: Bool? { levels.last?.isObject }

    /// Where the innermost container begins; `nil` outside of all.
    var containerStart: Int? { levels.last?.start }

    /// Whether the next byte is the end of an array in which that many elements came.
    var elementsAtEnd: Int? {
        guard let level = levels.last, !level.isObject, offset < bytes.count, bytes[offset] == Byte.closeBracket else {
            return nil
        }
        return level.commas + (level.hasMember ? 1 : 0)
    }

    /// The line and column of a place, both from 1, which the walk may have reached up to the token it is in.
    func position(of place: Int) -> (line: Int, column: Int) {
        var line = line
        var start = lineStart
        for index in offset..<max(offset, min(place, bytes.count)) where bytes[index] == Byte.lineFeed {
            line += 1
            start = index + 1
        }
        return (line, place - start + 1)
    }

    /// Goes on to the target, or to the beginning of the token that the limit is in.
    ///
    /// - Parameters:
    ///   - target: Where to stop; a token in which it is, is read too if that ends within the limit.
    ///   - limit: What isn't passed by; without one, the target.
    mutating func advance(to target: Int, within limit: Int? = nil) {
        let target = min(target, bytes.count)
        let limit = min(max(limit ?? target, target), bytes.count)
        while offset < target {
            let end = tokenEnd(limit: limit)
            guard end <= limit else { return }
            take(tokenUpTo: end)
        }
    }

    /// The place behind the token, and beyond the limit where it isn't known to end before.
    private func tokenEnd(limit: Int) -> Int {
        switch bytes[offset] {
        case Byte.quote: textEnd(limit: limit)
        case Byte.slash: commentEnd(limit: limit)
        default: offset + 1
        }
    }

    private func textEnd(limit: Int) -> Int {
        var place = offset + 1
        while place < limit {
            switch bytes[place] {
            case Byte.quote: return place + 1
            case Byte.backslash: place += 2
            default: place += 1
            }
        }
        return limit + 1
    }

    private func commentEnd(limit: Int) -> Int {
        guard offset + 1 < limit else { return offset + 1 }
        let isLine = bytes[offset + 1] == Byte.slash
        guard isLine || bytes[offset + 1] == UInt8(ascii: "*") else { return offset + 1 }
        var place = offset + 2
        while place < limit {
            if isLine, bytes[place] == Byte.lineFeed { return place }
            place += 1
            // A star of the beginning ends nothing.
            let isEnd = bytes[place - 1] == Byte.slash && bytes[place - 2] == UInt8(ascii: "*") && place > offset + 3
            if !isLine, isEnd { return place }
        }
        return limit + 1
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
                $0.text = nil
                $0.key = nil
                $0.codingKey = nil
                $0.hasMember = false
            }
        case Byte.closeBrace, Byte.closeBracket:
            if !levels.isEmpty { levels.removeLast() }
        case Byte.quote:
            mutateLevel {
                $0.hasMember = true
                $0.text = start
            }
            countLines(from: start, to: end)
        case Byte.slash:
            countLines(from: start, to: end)
        case let byte:
            mutateLevel { $0.hasMember = true }
            guard byte == Byte.openBrace || byte == Byte.openBracket else { return }
            levels.append(Level(start: start, isObject: byte == Byte.openBrace))
        }
    }

    /// No text of a strict document has a line feed, but comments have.
    private mutating func countLines(from start: Int, to end: Int) {
        for index in start..<end where bytes[index] == Byte.lineFeed {
            line += 1
            lineStart = index + 1
        }
    }

    private mutating func mutateLevel(_ change: (inout Level) -> Void) {
        guard !levels.isEmpty else { return }
        change(&levels[levels.count - 1])
    }

    /// Which of the containers' members the place is.
    enum Part {
        /// The value that stands there, or has to.
        case value
        /// What would come behind the last element of the innermost array, at whose end the place is.
        case end
        /// The innermost container.
        case container
        /// The member whose key stands there.
        case key
    }

    /// The place as a JSON Pointer; where that would be too long, the one of a container around the place.
    func pointer(to part: Part = .value) -> String {
        limitedPointer(to: part).text
    }

    /// The pointer to a member of the object that begins here, or to the object if that pointer is too long.
    func pointer(toMember key: String) -> String {
        var (pointer, isWhole) = limitedPointer(to: .value)
        if isWhole { _ = Self.append(JSONPointer.escaped(key), to: &pointer) }
        return pointer
    }

    /// Appends an escaped token, unless the pointer becomes too long.
    private static func append(_ token: String, to pointer: inout String) -> Bool {
        guard pointer.utf8.count + token.utf8.count < pointerBytesMax else { return false }
        pointer += "/" + token
        return true
    }

    private func limitedPointer(to part: Part) -> (text: String, isWhole: Bool) {
        var pointer = ""
        for (index, level) in levels.enumerated() {
            let isLast = index == levels.count - 1
            if isLast, part == .container { break }
            let token: String
            if level.isObject {
                guard let key = isLast && part == .key ? offset : level.key,
                    let text = TextToken(bytes, at: key).whole(bytesMax: Self.pointerBytesMax)
                else { return (pointer, false) }
                token = JSONPointer.escaped(text)
            } else {
                token = String(isLast && part == .end ? elementsAtEnd ?? level.commas : level.commas)
            }
            guard Self.append(token, to: &pointer) else { return (pointer, false) }
        }
        return (pointer, true)
    }

    /// The place as a coding path, with the keys as they are in the document.
    mutating func codingPath() -> [any CodingKey] {
        for place in levels.indices where levels[place].codingKey == nil {
            guard levels[place].isObject, let key = levels[place].key else { continue }
            levels[place].codingKey = TextToken(bytes, at: key).whole(bytesMax: .max).map { JSONCodingKey($0) }
        }
        return levels.compactMap { $0.isObject ? $0.codingKey : JSONCodingKey($0.commas) }
    }

    /// The pointer to where a coding path says that it leads.
    static func pointer(to path: [any CodingKey]) -> String {
        var pointer = ""
        for key in path {
            guard append(key.intValue.map(String.init) ?? JSONPointer.escaped(key.stringValue), to: &pointer) else {
                break
            }
        }
        return pointer
    }

}
