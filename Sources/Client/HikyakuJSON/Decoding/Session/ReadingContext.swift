/// The state that is shared by all readers of one document: its bytes and the decoder's settings.
@usableFromInline
class ReadingContext {
    final let settings: HikyakuJSONDecoder
    /// The document's first byte, which is borrowed until ``keepBytes(_:)``.
    private(set) final var bytes: UnsafePointer<UInt8>
    final let byteCount: Int
    /// The number of remaining levels at which a reader begins to check the thread's stack.
    final let checkedDepth: Int
    /// A copy of the document for decoders that outlive the call.
    private final var copy: DocumentCopy?
    /// The converted keys of parts that are decoded through containers, created on demand.
    private final var keyTextsOfParts: KeyTexts?
    /// Kept between coding paths, so that those of all elements of an array are found in one walk.
    private final var walk: DocumentWalk?
    /// How members that are read by name are searched for.
    final var memberSearch = MemberSearch.guessing

    init(_ bytes: UnsafeBufferPointer<UInt8>, settings: HikyakuJSONDecoder) {
        // All callers have checked that the document is not empty.
        self.bytes = bytes.baseAddress.unsafelyUnwrapped
        byteCount = bytes.count
        checkedDepth = max(0, settings.depthMax - ThreadStack.trustedDepth)
        self.settings = settings
    }

    /// Switches to a copy of the document, for decoders that outlive the call.
    final func keepBytes(_ copy: DocumentCopy) {
        self.copy = copy
        bytes = copy.start
    }

    /// The copy of the document, shared by all parts that outlive the call: there may be thousands.
    func sharedCopy() -> DocumentCopy {
        if let copy { return copy }
        let made = DocumentCopy(bytes, byteCount)
        copy = made
        return made
    }

    /// The key texts that all parts with sessions of their own share.
    final func keyTextsForPart() -> KeyTexts? {
        if let keyTextsOfParts { return keyTextsOfParts }
        keyTextsOfParts = .make(for: settings.keyDecodingStrategy)
        return keyTextsOfParts
    }

    final var end: UnsafePointer<UInt8> { bytes + byteCount }

    /// The keys and indices that lead to the value at a byte offset.
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

/// A copy of a document's bytes.
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
    /// Adds the coding path to an error that has only an offset, or none: then the fallback is used.
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
