#if os(Linux)
/// Reads the answers of a server of HTTP/1.1 one after the other, as they come.
///
/// It is as lenient as a careless gateway: what is wrong with an answer is to reach the transport.
struct AnswerReader {
    typealias Field = (name: [UInt8], value: [UInt8])

    enum Event {
        case informational(status: [UInt8], [Field])
        case head(status: [UInt8], [Field], hasBody: Bool)
        case body([UInt8])
        case end(trailers: [Field])
        /// What comes after the end, without a request for it.
        case excess([UInt8])
    }

    private enum State {
        case head
        case length(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        case untilClose
        case end
    }

    /// What of the head came so far, as long as it isn't whole.
    private(set) var waiting: [UInt8] = []
    /// Whether the answer keeps the rules, so that its connection may be used again.
    private(set) var isSound = true
    private var state = State.head
    private let isForHead: Bool

    init(isForHead: Bool) {
        self.isForHead = isForHead
    }

    /// Whether the answer is whole, where the connection ends now.
    var isWholeAtClose: Bool {
        switch state {
        case .end, .untilClose: true
        default: false
        }
    }
    var isInHead: Bool { if case .head = state { true } else { false } }

    mutating func read(_ bytes: [UInt8]) -> [Event] {
        waiting += bytes
        var events: [Event] = []
        while let event = next() { events.append(event) }
        return events
    }

    private mutating func next() -> Event? {
        switch state {
        case .head: return readHead()
        case .length(0):
            state = .end
            return .end(trailers: [])
        case .length(let left):
            guard let piece = takePiece(upTo: left) else { return nil }
            state = .length(left - piece.count)
            return .body(piece)
        case .chunkSize:
            guard let line = takeLine() else { return nil }
            let digits = String(decoding: line.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            let size = Int(digits, radix: 16) ?? 0
            state = size == 0 ? .trailers : .chunk(size)
            return next()
        case .chunk(let left):
            guard let piece = takePiece(upTo: left) else { return nil }
            state = piece.count == left ? .chunkEnd : .chunk(left - piece.count)
            return .body(piece)
        case .chunkEnd:
            guard takeLine() != nil else { return nil }
            state = .chunkSize
            return next()
        case .trailers:
            if waiting.starts(with: [0x0D, 0x0A]) {
                waiting.removeFirst(2)
                state = .end
                return .end(trailers: [])
            }
            guard let block = takeBlock() else { return nil }
            state = .end
            return .end(trailers: Self.fields(in: block[...]))
        case .untilClose: return takePiece(upTo: .max).map { .body($0) }
        case .end:
            guard let piece = takePiece(upTo: .max) else { return nil }
            isSound = false
            return .excess(piece)
        }
    }

    private mutating func readHead() -> Event? {
        guard let block = takeBlock() else { return nil }
        let lines = block.split(separator: 0x0A)
        let words = (lines.first ?? []).split(separator: 0x20)
        let status = words.count > 1 ? words[1].filter { $0 != 0x0D } : []
        let all = Self.fields(in: block[(lines.first?.endIndex ?? 0)...])
        if !Self.isSound(status, lines.dropFirst(), all) { isSound = false }
        let fields = all.filter { !Self.isForConnection($0.name) }
        if status.first == UInt8(ascii: "1"), !status.elements("101") { return .informational(status: status, fields) }
        let hasBody = !isForHead && !status.elements("204") && !status.elements("304")
        state = hasBody ? Self.framing(all) : .length(0)
        if case .length(0) = state { return .head(status: status, fields, hasBody: false) }
        return .head(status: status, fields, hasBody: true)
    }

    private static func isSound(_ status: [UInt8], _ lines: ArraySlice<ArraySlice<UInt8>>, _ fields: [Field]) -> Bool {
        let lengths = fields.filter { $0.name.elements("content-length") }.map(\.value)
        let codings = fields.filter { $0.name.elements("transfer-encoding") }.map(\.value)
        return status.count == 3 && status.allSatisfy { 0x30...0x39 ~= $0 } && !status.elements("101")
            && fields.count == lines.count { !$0.elementsEqual([0x0D]) }
            && fields.allSatisfy { $0.name.allSatisfy { 0x21...0x7E ~= $0 } && $0.value.allSatisfy { $0 >= 0x20 } }
            && lengths.count + codings.count < 2 && codings.allSatisfy { $0.elements("chunked") }
            && lengths.joined().allSatisfy { 0x30...0x39 ~= $0 }
    }

    private static func framing(_ fields: [Field]) -> State {
        if fields.contains(where: { $0.name.elements("transfer-encoding") }) { return .chunkSize }
        guard let length = fields.first(where: { $0.name.elements("content-length") }) else { return .untilClose }
        return UInt32(String(decoding: length.value, as: UTF8.self)).map { .length(Int($0)) } ?? .untilClose
    }

    private static func isForConnection(_ name: [UInt8]) -> Bool {
        ["connection", "keep-alive", "transfer-encoding", "upgrade"].contains { name.elements($0) }
    }

    /// The fields in lines, with their names in lower case.
    static func fields(in block: ArraySlice<UInt8>) -> [Field] {
        block.split(separator: 0x0A).compactMap { line in
            let line = line.last == 0x0D ? line.dropLast() : line
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            var value = line[(colon + 1)...]
            while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
            while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
            let name = line[..<colon].map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }
            return (name, Array(value))
        }
    }

    // MARK: - What is waiting

    private mutating func takePiece(upTo count: Int) -> [UInt8]? {
        guard !waiting.isEmpty, count > 0 else { return nil }
        let piece = Array(waiting.prefix(count))
        waiting.removeFirst(piece.count)
        return piece
    }

    mutating func takeAll() -> [UInt8] {
        defer { waiting = [] }
        return waiting
    }

    /// The name in a line without an end, which is taken up to its colon.
    mutating func takeNameOfEndlessLine() -> [UInt8]? {
        guard !waiting.contains(0x0A), let colon = waiting.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = waiting[..<colon].map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }
        waiting.removeFirst(colon + 2)
        return name
    }

    /// The next line, without its end.
    mutating func takeLine() -> [UInt8]? {
        guard let end = waiting.firstIndex(of: 0x0A) else { return nil }
        let line = Array(waiting[..<end].filter { $0 != 0x0D })
        waiting.removeFirst(end + 1)
        return line
    }

    /// The lines up to an empty one.
    private mutating func takeBlock() -> [UInt8]? {
        var index = 3
        while index < waiting.count {
            if waiting[index] == 0x0A, waiting[index - 1] == 0x0D, waiting[index - 2] == 0x0A {
                let block = Array(waiting[..<(index - 1)])
                waiting.removeFirst(index + 1)
                return block
            }
            index += 1
        }
        return nil
    }
}

extension Array<UInt8> {
    func elements(_ text: StaticString) -> Bool {
        elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
#endif
