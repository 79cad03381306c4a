/// The keys that a ``JSONReadable`` type knows, prepared once: a `static let` of the type.
///
/// Their texts are the raw values.
public struct JSONKeys<Key: RawRepresentable & CaseIterable & Sendable>: Sendable where Key.RawValue == String {
    @usableFromInline let keys: [Key]
    @usableFromInline let texts: KeyList

    /// Prepares all cases.
    public init() {
        keys = Array(Key.allCases)
        texts = KeyList(keys.map(\.rawValue))
    }
}

/// The texts of keys, compared with those of documents.
@usableFromInline
final class KeyList: Sendable {
    /// A key as it stands in a document without white space behind another member: `,"title":`.
    private struct Text {
        let start: UnsafePointer<UInt8>
        /// The length of all of it.
        let count: Int
        /// Whether it can stand so: a quote, a backslash or a control character has to be escaped, and would be taken
        /// for the end of a key or be accepted where no document has it.
        let isPlain: Bool

        /// The length of what doesn't belong to the key: the comma and the quote, the quote and the colon.
        static let frame = 4
    }

    // The compiler can't see that nothing is written after `init`, and freed in `deinit` alone.
    private nonisolated(unsafe) let texts: UnsafeMutableBufferPointer<Text>
    private nonisolated(unsafe) let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ keys: [String]) {
        let framed = keys.map { Array((",\"" + $0 + "\":").utf8) }
        bytes = .allocate(capacity: framed.reduce(1) { $0 + $1.count })
        _ = bytes.initialize(from: framed.joined())
        texts = .allocate(capacity: keys.count)
        var place = bytes.baseAddress.unsafelyUnwrapped
        for (number, text) in framed.enumerated() {
            let isPlain = !text.dropFirst(2).dropLast(2).contains {
                $0 == Byte.quote || $0 == Byte.backslash || $0 < 0x20
            }
            let key = Text(start: UnsafePointer(place), count: text.count, isPlain: isPlain)
            texts.initializeElement(at: number, to: key)
            place += text.count
        }
    }

    deinit {
        texts.deallocate()
        bytes.deallocate()
    }

    /// The length of the key with that number and all around it, if that stands here.
    @inline(__always)
    func length(
        ofKey number: Int,
        ifAt place: UnsafePointer<UInt8>,
        isFirst: Bool,
        before end: UnsafePointer<UInt8>,
    ) -> Int? {
        guard number < texts.count else { return nil }
        let text = texts[number]
        let count = isFirst ? text.count - 1 : text.count
        guard text.isPlain, end - place > count, Bytes.equal(place, isFirst ? text.start + 1 : text.start, count) else {
            return nil
        }
        return count
    }

    /// The number of a key.
    func number(of key: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let start = key.baseAddress else { return texts.firstIndex { $0.count == Text.frame } }
        return texts.firstIndex { text in
            text.count == key.count + Text.frame && Bytes.equal(start, text.start + 2, key.count)
        }
    }
}
