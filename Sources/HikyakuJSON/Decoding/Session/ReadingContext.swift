/// What all that reads one document shares: its bytes and how values look in it.
@usableFromInline
class ReadingContext {
    final let settings: HikyakuJSONDecoder
    /// The document's first byte, which is somebody else's until ``keepBytes()``.
    private(set) final var bytes: UnsafePointer<UInt8>
    final let byteCount: Int
    private final var isOwner = false
    /// As far as coding paths were asked for, so that those to all elements of an array are found in one walk.
    private final var walk: DocumentWalk?

    init(_ bytes: UnsafeBufferPointer<UInt8>, settings: HikyakuJSONDecoder) {
        // Whoever reads has looked for an empty document before.
        self.bytes = bytes.baseAddress.unsafelyUnwrapped
        byteCount = bytes.count
        self.settings = settings
    }

    deinit {
        if isOwner { bytes.deallocate() }
    }

    /// Takes a copy of the document, for decoders that somebody keeps beyond the call.
    final func keepBytes() {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: byteCount)
        copy.initialize(from: bytes, count: byteCount)
        bytes = UnsafePointer(copy)
        isOwner = true
    }

    final var end: UnsafePointer<UInt8> { bytes + byteCount }

    /// The keys and indices that lead to the value that begins with a byte.
    func codingPath(toByte offset: Int) -> [any CodingKey] {
        var walk =
            walk.flatMap { $0.offset <= offset ? $0 : nil }
            ?? DocumentWalk(UnsafeBufferPointer(start: bytes, count: byteCount))
        walk.advance(to: offset)
        self.walk = walk
        return walk.codingPath
    }
}

extension ReadingContext {
    /// Adds the coding path to an error, where that knows of a byte only, or of none: then it is at the fallback.
    @inline(never)
    final func located(_ error: any Error, or fallback: Int? = nil) -> any Error {
        guard let error = error as? DecodingError else { return error }
        switch error {
        case .typeMismatch(let type, let context): return DecodingError.typeMismatch(type, located(context, fallback))
        case .valueNotFound(let type, let context):
            return DecodingError.valueNotFound(type, located(context, fallback))
        case .keyNotFound(let key, let context): return DecodingError.keyNotFound(key, located(context, fallback))
        case .dataCorrupted(let context): return DecodingError.dataCorrupted(located(context, fallback))
        @unknown default: return error
        }
    }

    private final func located(_ context: DecodingError.Context, _ fallback: Int?) -> DecodingError.Context {
        // A path was made by containers, or is a type's own and from elsewhere.
        guard context.codingPath.isEmpty else { return context }
        guard let offset = (context.underlyingError as? JSONPlace)?.byteOffset ?? fallback else { return context }
        return DecodingError.Context(
            codingPath: codingPath(toByte: offset),
            debugDescription: context.debugDescription,
            underlyingError: context.underlyingError ?? JSONPlace(byteOffset: offset),
        )
    }
}
