/// What all that reads one document shares: its bytes and how values look in it.
@usableFromInline
class ReadingContext {
    final let settings: HikyakuJSONDecoder
    /// The document's first byte, which is somebody else's until ``keepBytes()``.
    private(set) final var bytes: UnsafePointer<UInt8>
    final let byteCount: Int
    private final var isOwner = false

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
}
