/// The bytes of a text that was written here, with its escapes undone.
struct UnescapedText: Sequence, IteratorProtocol {
    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    mutating func next() -> UInt8? {
        guard index < text.count else { return nil }
        guard text[index] == UInt8(ascii: "\\") else {
            index += 1
            return text[index - 1]
        }
        index += 2
        switch text[index - 1] {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "u"):
            // Only control characters are written so, and their first two digits are zeros.
            index += 4
            return Self.digit(text[index - 2]) << 4 | Self.digit(text[index - 1])
        default: return text[index - 1]
        }
    }

    private static func digit(_ character: UInt8) -> UInt8 {
        character < 0x3A ? character - 0x30 : character - 0x57
    }
}
