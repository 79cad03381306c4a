/// A document that is decoded through containers: what its bytes are, and what stands where.
///
/// Decoders and containers are small values that hold the session and a place in its index. Those that outlive the call
/// go on to work, since the session has a copy of the bytes then.
final class DecodingSession: ReadingContext {
    let index: JSONIndex
    /// What objects with many members have beside the index, by their places.
    var tables: [Int: MemberTable] = [:]
    /// What keys were converted to, where keys are.
    let keyTexts: KeyTexts?
    let tools: DecodingTools
    /// As far as coding paths were asked for, which nobody does while all goes well.
    private var trail: PathTrail?
    /// What reads the document in which the session has a value only.
    private var outer: ReadingContext?
    /// The way to the session's value, once it was asked for there.
    private var pathAround: [any CodingKey]?

    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int? = nil,
        in outer: ReadingContext? = nil,
        settings: HikyakuJSONDecoder,
        tools: DecodingTools,
    ) throws(JSONSyntaxError) {
        index = try IndexBuilder.index(bytes, from: start, depthMax: settings.depthMax)
        keyTexts = outer.map { $0.keyTextsForPart() } ?? KeyTexts.make(for: settings.keyDecodingStrategy)
        self.outer = outer
        self.tools = tools
        super.init(bytes, settings: settings)
    }

    /// Decodes a document, or the value that begins somewhere in it; `outer` is what reads the document around it.
    static func decode<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int? = nil,
        in outer: ReadingContext? = nil,
        settings: HikyakuJSONDecoder,
        tools: DecodingTools = .take(),
        _ body: (DecodingSession) throws -> Value,
    ) throws -> (value: Value, end: Int) {
        var session = try DecodingSession(bytes, from: start, in: outer, settings: settings, tools: tools)
        defer {
            tools.release(from: session)
            if isKnownUniquelyReferenced(&session) {
                tools.giveBack()
            } else {
                tools.retire()
                session.keep()
            }
        }
        return (try body(session), session.index.end)
    }

    /// Looks whether the thread's stack has room for what is in an array or object.
    @inline(__always)
    func checkStack(at place: Int) throws {
        if index.isDeep, ThreadStack.isAtEnd { throw JSONSyntaxError(.stackEnd, at: offset(of: place)) }
    }

    @inline(__always)
    func start(of entry: JSONEntry) -> UnsafePointer<UInt8> { bytes + entry.offset }

    /// The keys and indices that lead to a value.
    func codingPath(to place: Int) -> [any CodingKey] {
        makeTrail()
        let path = trail?.path(to: place, in: self) ?? []
        guard outer != nil || pathAround != nil else { return path }
        return wayHere() + path
    }

    /// The keys and indices that lead to the session's value.
    private func wayHere() -> [any CodingKey] {
        if let pathAround { return pathAround }
        let path = outer?.codingPath(toByte: offset(of: 0)) ?? []
        pathAround = path
        return path
    }

    private func makeTrail() {
        if trail == nil { trail = PathTrail(of: self) }
    }

    /// An object has other keys from now on.
    @inline(__always)
    func forgetPath(through object: Int) {
        trail?.forgetKeys(of: object)
    }

    /// What the ways that were asked for so far cost.
    var trailLevelCount: Int { trail?.levelCount ?? 0 }

    override func codingPath(toByte offset: Int) -> [any CodingKey] {
        makeTrail()
        return codingPath(to: trail?.place(ofByte: offset, in: self) ?? 0)
    }

    /// The value that begins with a byte, and the byte behind it; `nil` where none begins.
    func value(atByte offset: Int) -> (place: Int, end: Int)? {
        makeTrail()
        return trail?.value(atByte: offset, in: self)
    }

    /// Goes on beyond the call, after which the document around is no more.
    private func keep() {
        _ = wayHere()
        keepBytes(sharedCopy())
        outer = nil
    }

    override func sharedCopy() -> DocumentCopy {
        // Whatever reads the document around has the same bytes.
        outer?.sharedCopy() ?? super.sharedCopy()
    }
}
