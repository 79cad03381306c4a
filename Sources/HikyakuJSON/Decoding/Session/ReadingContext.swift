/// What all that reads one document shares: its bytes and how values look in it.
@usableFromInline
class ReadingContext {
    final let settings: HikyakuJSONDecoder
    /// The document's first byte, which is somebody else's until ``keepBytes(_:)``.
    private(set) final var bytes: UnsafePointer<UInt8>
    final let byteCount: Int
    /// How many levels are left to a reader when it begins to look at the thread's stack.
    final let checkedDepth: Int
    /// A copy of the document, for those parts of it that somebody keeps.
    private final var copy: DocumentCopy?
    /// What the keys of those parts were converted to that are decoded through containers, once there are any.
    private final var keyTextsOfParts: KeyTexts?
    /// As far as coding paths were asked for, so that those to all elements of an array are found in one walk.
    private final var walk: DocumentWalk?

    init(_ bytes: UnsafeBufferPointer<UInt8>, settings: HikyakuJSONDecoder) {
        // Whoever reads has looked for an empty document before.
        self.bytes = bytes.baseAddress.unsafelyUnwrapped
        byteCount = bytes.count
        checkedDepth = max(0, settings.depthMax - ThreadStack.trustedDepth)
        self.settings = settings
    }

    /// Goes on with a copy of the document, for decoders that somebody keeps beyond the call.
    final func keepBytes(_ copy: DocumentCopy) {
        self.copy = copy
        bytes = copy.start
    }

    /// The copy of the document, which all parts that are kept of it have in common: there may be thousands.
    func sharedCopy() -> DocumentCopy {
        if let copy { return copy }
        let made = DocumentCopy(bytes, byteCount)
        copy = made
        return made
    }

    /// The key texts for a part that is decoded by a session of its own, which all such parts have in common.
    final func keyTextsForPart() -> KeyTexts? {
        if let keyTextsOfParts { return keyTextsOfParts }
        keyTextsOfParts = .make(for: settings.keyDecodingStrategy)
        return keyTextsOfParts
    }

    final var end: UnsafePointer<UInt8> { bytes + byteCount }

    /// The keys and indices that lead to the value that begins with a byte.
    func codingPath(toByte offset: Int) -> [any CodingKey] {
        var walk =
            walk.flatMap { $0.offset <= offset ? $0 : nil }
            ?? DocumentWalk(UnsafeBufferPointer(start: bytes, count: byteCount))
        walk.advance(to: offset)
        let path = walk.codingPath()
        self.walk = walk
        return path
    }
}

/// The bytes of a document in memory of their own.
@usableFromInline
final class DocumentCopy {
    let start: UnsafePointer<UInt8>

    init(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        copy.initialize(from: bytes, count: count)
        start = UnsafePointer(copy)
    }

    deinit {
        start.deallocate()
    }
}

extension ReadingContext {
    /// Adds the coding path to an error, where that knows of a byte only, or of none: then it is at the fallback.
    @inline(never)
    final func located(_ error: any Error, or fallback: Int? = nil) -> any Error {
        (error as? DecodingError)?.mapContext { located($0, fallback) } ?? error
    }

    private final func located(_ context: DecodingError.Context, _ fallback: Int?) -> DecodingError.Context {
        let failures = context.underlyingError as? CollectedFailures
        var cause = failures.map(\.cause) ?? context.underlyingError
        var path = context.codingPath
        // A path that is there was made by containers, or by the type itself for another document.
        if path.isEmpty, let offset = (cause as? JSONPlace)?.byteOffset ?? fallback {
            path = codingPath(toByte: offset)
            cause = cause ?? JSONPlace(byteOffset: offset)
        }
        if var failures {
            failures.cause = cause
            // In the order of the document, so that the document is walked through once.
            failures.others = failures.others.map { $0.mapContext { located($0, nil) } }
            cause = failures
        }
        let text = context.debugDescription
        return DecodingError.Context(codingPath: path, debugDescription: text, underlyingError: cause)
    }
}
