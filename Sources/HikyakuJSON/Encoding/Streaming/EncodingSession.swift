#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One document on its way through Codable.
///
/// Encoders and containers are small values that hold the session and a ``Position``. Each writes straight to the
/// document's bytes; one that writes on while its children are open closes them. Where a write doesn't come in the
/// order of the document, because its frame is closed or its key was written before, what has been written of the
/// values around it is taken back into a ``TreeNode``, to which all of them write from then on.
final class EncodingSession {
    let settings: EncodingSettings
    /// Apart from the session, so that no access to it has to be checked while it runs.
    let writer: UnsafeMutablePointer<JSONWriter>
    let frames = FrameStack()
    /// How many frames are open around this session's.
    var outerFrames = 0
    /// What a function that can't throw would have thrown.
    var refusal: (any Error)?
    var keptKeys: [any CodingKey] = []
    /// What isn't written in order.
    var trees = TreeStack()
    /// Those of objects with many keys, the innermost last.
    var tables: [KeyTable] = []
    let kinds = TypeKinds()
    let hash = KeyHash()
    let convertsKeys: Bool
    var keys: KeyConversion
    /// Where this session's value stands, if it is inside of another's.
    var parent = ParentPath.none

    init(settings: EncodingSettings) {
        self.settings = settings
        if case .useDefaultKeys = settings.keys { convertsKeys = false } else { convertsKeys = true }
        keys = KeyConversion(settings.keys)
        writer = .allocate(capacity: 1)
        writer.initialize(to: JSONWriter(settings: settings))
        writer.pointee.session = self
    }

    deinit {
        writer.deinitialize(count: 1)
        writer.deallocate()
    }

    // MARK: Frames

    @inline(__always) var top: Int { frames.top }

    @inline(__always) func frame(_ position: Position) -> UnsafeMutablePointer<Frame> {
        frames[position.depth]
    }

    /// Opens a frame inside of the innermost one.
    func push(_ place: Frame.Place) throws -> Position {
        if outerFrames + top >= ThreadStack.trustedDepth { try checkDepth() }
        return frames.push(place, start: writer.pointee.bytes.count, depth: writer.pointee.depth)
    }

    /// Opens a frame under a key that the session has to keep, since the frame outlives the call.
    func push(keeping key: any CodingKey) throws -> Position {
        let position = try push(.kept(keptKeys.count))
        keptKeys.append(key)
        return position
    }

    /// Makes a position the innermost one, for writing; its children are complete with that.
    ///
    /// - Returns: The node to write to instead, where the value isn't written in order.
    @inline(__always) func enter(_ position: Position) throws -> TreeNode? {
        if frames.isTop(position) { return nil }
        return try returnTo(position)
    }

    /// Completes a value that was encoded as the innermost one.
    @inline(__always) func close(_ position: Position) {
        if frames.isTop(position) { return closeTop() }
        closeLate(position)
    }

    func close(above depth: Int) {
        while top > depth { closeTop() }
    }

    /// Completes the innermost value, to which nobody writes from then on.
    private func closeTop() {
        finishTop()
        drop()
    }

    /// Writes what completes the innermost value.
    @inline(__always) func finishTop() {
        let frame = frames[top]
        switch frame.pointee.kind {
        case .value, .lent, .slot: break
        case .object: closeObject(frame)
        case .array: writer.pointee.appendClose(UInt8(ascii: "]"), isEmpty: frame.pointee.count == 0)
        case .tree: writeTree(at: top)
        case .empty:
            // As in Foundation, what encodes nothing is an object without members.
            writer.pointee.appendOpen(UInt8(ascii: "{"))
            writer.pointee.appendClose(UInt8(ascii: "}"), isEmpty: true)
        }
    }

    private func closeObject(_ frame: UnsafeMutablePointer<Frame>) {
        if settings.sortsKeys {
            writer.pointee.sortMembers(from: frame.pointee.firstMember)
        } else {
            writer.pointee.members.truncate(to: frame.pointee.firstMember)
        }
        writer.pointee.appendClose(UInt8(ascii: "}"), isEmpty: frame.pointee.count == 0)
    }

    /// Forgets the innermost frame.
    @inline(__always) func drop() {
        let frame = frames[top]
        if frame.pointee.hasExtras { dropExtras(of: frame) }
        if case .kept(let index) = frame.pointee.place { keptKeys.removeSubrange(index...) }
        frames.pop()
    }

    @inline(never) private func dropExtras(of frame: UnsafeMutablePointer<Frame>) {
        if frame.pointee.table > 0 { tables.removeSubrange((frame.pointee.table - 1)...) }
        forgetClosed(from: frame.pointee.start)
    }

    private func forgetClosed(from start: Int) {
        let all = frames.closed
        var (count, firstKey) = (all.count, keptKeys.count)
        while count > 0, all[count - 1].end > start {
            count -= 1
            if case .kept(let index) = all[count].place { firstKey = min(firstKey, index) }
        }
        frames.removeClosed(count..<all.count)
        keptKeys.removeSubrange(firstKey...)
    }

    /// Takes back the member or element that was begun last in the innermost frame, or the single value there.
    func takeBackLast() {
        let frame = frames[top]
        let isContainer = frame.pointee.kind == .object || frame.pointee.kind == .array
        let start = isContainer ? frame.pointee.lastStart : frame.pointee.start
        writer.pointee.bytes.truncate(to: start)
        if frame.pointee.hasExtras { forgetClosed(from: start) }
        writer.pointee.depth = frame.pointee.depth
        if frame.pointee.kind == .object {
            frame.pointee.count -= 1
            writer.pointee.members.truncate(to: frame.pointee.firstMember + frame.pointee.count)
        } else if frame.pointee.kind == .array {
            frame.pointee.count -= 1
        } else {
            frame.pointee.kind = .empty
        }
    }

    // MARK: Failures

    @inline(never) private func checkDepth() throws {
        guard outerFrames + top - trees.slots.count < FrameStack.countMax else { throw tooDeep() }
        guard !ThreadStack.isAtEnd else { throw failure(JSONWriter.stackEnd(depth: writer.pointee.depth)) }
    }

    func tooDeep() -> EncodingError {
        failure(JSONWriter.tooDeep)
    }

    /// Keeps an error for the end, for a function that can't throw.
    func refuse(_ error: any Error) {
        if error is EncodingError { refusal = refusal ?? error }
    }

    func failure(_ text: String, value: Any = (), path: [any CodingKey]? = nil) -> EncodingError {
        let path = path ?? codingPath
        return .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: text))
    }

    /// What the strategy has for a number that isn't finite.
    func text<Value: FloatingPoint>(
        ofNonConforming value: Value,
        at position: Position,
        key: (any CodingKey)? = nil,
    ) throws -> String {
        if let text = settings.text(ofNonConforming: value) { return text }
        let path = codingPath(of: position) + (key.map { [$0] } ?? [])
        throw failure(EncodingSettings.nonConforming(value), value: value, path: path)
    }

    /// Goes back to a place in the document, with no frame open.
    func reset(toCount count: Int, depth: Int) {
        while top > 0 { drop() }
        trees = TreeStack()
        forgetClosed(from: 0)
        writer.pointee.bytes.truncate(to: count)
        writer.pointee.members.truncate(to: 0)
        writer.pointee.depth = depth
    }
}
