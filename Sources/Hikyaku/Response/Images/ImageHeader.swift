#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The header of an image in any supported format.
struct ImageHeader {
    typealias Size = (width: Int, height: Int)

    let bytes: ImageBytes

    /// The format whose signature the first bytes are.
    var format: ResponseImage.Format? {
        if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
        if bytes.has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
        if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) { return .gif }
        if bytes.has("RIFF", at: 0) && bytes.has("WEBP", at: 8) { return .webp }
        return bytes.has("ftyp", at: 4) ? BoxedImageHeader(bytes: bytes).format : nil
    }

    /// The size in the header; `nil` if it is incomplete or damaged.
    func size(_ format: ResponseImage.Format) -> Size? {
        switch format {
        case .png: png
        case .jpeg: jpeg
        case .gif: bytes.littleEndian(2, at: 6).flatMap { width in bytes.littleEndian(2, at: 8).map { (width, $0) } }
        case .webp: webp
        case .avif, .heic, .heif: BoxedImageHeader(bytes: bytes).size
        }
    }

    /// The IHDR chunk must be the first one; a size has 31 bits.
    private var png: Size? {
        guard bytes.bigEndian(4, at: 8) == 13, bytes.has("IHDR", at: 12),
            let width = bytes.bigEndian(4, at: 16), let height = bytes.bigEndian(4, at: 20),
            width <= Int32.max, height <= Int32.max
        else { return nil }
        return (width, height)
    }

    /// Skips from segment to segment to the frame header (ITU-T T.81, B.2.2).
    private var jpeg: Size? {
        var place = 2
        while bytes[place] == 0xFF, let marker = bytes[place + 1] {
            switch marker {
            case 0xFF:
                // Any number of these may precede a marker.
                place += 1
            case 0x01, 0xD0...0xD7:
                // These have no segment.
                place += 2
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                guard let height = bytes.bigEndian(2, at: place + 5), let width = bytes.bigEndian(2, at: place + 7)
                else { return nil }
                return (width, height)
            case 0xD8, 0xD9, 0xDA, 0x00:
                // The image's data or its end, without a frame before it.
                return nil
            default:
                guard let length = bytes.bigEndian(2, at: place + 2), length >= 2 else { return nil }
                place += 2 + length
            }
        }
        return nil
    }

    /// RFC 9649, section 2: the first chunk of any of the three kinds has the size.
    private var webp: Size? {
        if bytes.has("VP8X", at: 12) {
            guard let width = bytes.littleEndian(3, at: 24), let height = bytes.littleEndian(3, at: 27) else {
                return nil
            }
            return (width + 1, height + 1)
        }
        if bytes.has("VP8L", at: 12) {
            guard bytes[20] == 0x2F, let bits = bytes.littleEndian(4, at: 21) else { return nil }
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        // A key frame (RFC 6386, section 9.1): its start code, then 14 bits for each size below two bits of scaling.
        guard bytes.has("VP8 ", at: 12), bytes.has([0x9D, 0x01, 0x2A], at: 23),
            let width = bytes.littleEndian(2, at: 26), let height = bytes.littleEndian(2, at: 28)
        else { return nil }
        return (width & 0x3FFF, height & 0x3FFF)
    }
}

/// The bytes of an image, with offsets from the first one; there are none after the end.
struct ImageBytes {
    private let bytes: Data

    init(_ bytes: Data) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    subscript(place: Int) -> UInt8? {
        place < bytes.count ? bytes[bytes.startIndex + place] : nil
    }

    func has(_ mark: some Sequence<UInt8>, at place: Int) -> Bool {
        place <= bytes.count && bytes.dropFirst(place).starts(with: mark)
    }

    func has(_ mark: StaticString, at place: Int) -> Bool { has("\(mark)".utf8, at: place) }

    /// A number of at most 8 bytes; `nil` if it is cut.
    func unsigned(_ count: Int, at place: Int) -> UInt64? {
        guard place <= bytes.count - count else { return nil }
        return bytes.dropFirst(place).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number of at most 8 bytes; `nil` if it is cut, or an `Int` can't represent it.
    func bigEndian(_ count: Int, at place: Int) -> Int? { unsigned(count, at: place).flatMap(Int.init(exactly:)) }

    /// The bits of a number of at most 4 bytes; `nil` if it is cut.
    func littleEndian(_ count: Int, at place: Int) -> Int? {
        guard place <= bytes.count - count else { return nil }
        return bytes.dropFirst(place).prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
