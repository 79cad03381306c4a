/// The boxes of an image in AVIF or HEIF (ISO/IEC 14496-12, ISO/IEC 23008-12).
///
/// All sizes and counts are the sender's. So each loop has a limit, and nothing is read outside of its box.
struct BoxedImageHeader {
    /// How many boxes are looked at in the file, and in a box that needs only a few.
    static let boxesMax = 64
    /// How many compatible brands are looked at.
    static let brandsMax = 64
    /// How many items are looked at for the properties of one; a grid has at most 65,536 tiles.
    static let itemsMax = 100_000

    let bytes: ImageBytes

    /// The format by the major brand, or by the first compatible one that says it; `nil` for a film and the like.
    var format: ResponseImage.Format? {
        guard var brands = box("ftyp", in: 0..<bytes.count).map({ BoxReader(bytes, $0) }),
            let major = brands.next(4), brands.skip(4)
        else { return nil }
        var known = [major]
        while known.count <= Self.brandsMax, let brand = brands.next(4) { known.append(brand) }
        let formats = known.compactMap(Self.format)
        return formats.first { $0 != .heif } ?? formats.first
    }

    /// The size of the primary item, by its property `ispe`; `nil` if that is missing or damaged.
    ///
    /// A grid has one of its own. A rotation (`irot`) and a crop (`clap`) change only how it is shown.
    var size: ImageHeader.Size? {
        guard let meta = fullBox("meta", in: 0..<bytes.count), let properties = box("iprp", in: meta.rest),
            let item = primaryItem(in: meta.rest), let container = box("ipco", in: properties),
            let indices = propertyIndices(of: item, in: properties), let last = indices.max()
        else { return nil }
        var boxes = BoxReader(bytes, container)
        for index in 1..<(last + 1) {
            guard let box = boxes.nextBox() else { return nil }
            guard indices.contains(index), box.kind == Self.code("ispe") else { continue }
            var extents = BoxReader(bytes, box.content)
            guard extents.skip(4), let width = extents.next(4), let height = extents.next(4),
                width <= Int32.max, height <= Int32.max
            else { return nil }
            return (Int(width), Int(height))
        }
        return nil
    }

    private func primaryItem(in meta: Range<Int>) -> UInt64? {
        guard var box = fullBox("pitm", in: meta) else { return nil }
        return box.next(box.version == 0 ? 2 : 4)
    }

    /// The indices of an item's properties, from 1; `nil` if it has none.
    private func propertyIndices(of item: UInt64, in properties: Range<Int>) -> Set<Int>? {
        var boxes = BoxReader(bytes, properties)
        var itemsLeft = Self.itemsMax
        for _ in 0..<Self.boxesMax {
            guard let box = boxes.nextBox() else { return nil }
            guard box.kind == Self.code("ipma"), var entries = FullBoxReader(bytes, box.content) else { continue }
            if let found = entries.propertyIndices(of: item, itemsLeft: &itemsLeft) { return found }
        }
        return nil
    }

    private func fullBox(_ kind: StaticString, in range: Range<Int>) -> FullBoxReader? {
        box(kind, in: range).flatMap { FullBoxReader(bytes, $0) }
    }

    /// The content of the first box of a kind.
    private func box(_ kind: StaticString, in range: Range<Int>) -> Range<Int>? {
        let kind = Self.code(kind)
        var boxes = BoxReader(bytes, range)
        for _ in 0..<Self.boxesMax {
            guard let box = boxes.nextBox() else { return nil }
            if box.kind == kind { return box.content }
        }
        return nil
    }

    private static func format(of brand: UInt64) -> ResponseImage.Format? {
        switch brand {
        case code("avif"), code("avis"): .avif
        case code("heic"), code("heix"), code("heim"), code("heis"): .heic
        case code("hevc"), code("hevx"), code("hevm"), code("hevs"): .heic
        case code("mif1"), code("mif2"), code("msf1"): .heif
        default: nil
        }
    }

    /// The four letters of a kind or brand as a number.
    private static func code(_ letters: StaticString) -> UInt64 {
        "\(letters)".utf8.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Reads numbers and boxes from a part of an image.
private struct BoxReader {
    private let bytes: ImageBytes
    private(set) var rest: Range<Int>

    init(_ bytes: ImageBytes, _ range: Range<Int>) {
        (self.bytes, rest) = (bytes, range)
    }

    /// The next number of at most 8 bytes; `nil` after the end.
    mutating func next(_ count: Int) -> UInt64? {
        guard count <= rest.count, let number = bytes.unsigned(count, at: rest.lowerBound) else { return nil }
        rest = (rest.lowerBound + count)..<rest.upperBound
        return number
    }

    mutating func skip(_ count: Int) -> Bool {
        guard count <= rest.count else { return false }
        rest = (rest.lowerBound + count)..<rest.upperBound
        return true
    }

    /// The next box (ISO/IEC 14496-12, section 4.2); `nil` at the end, and if it is cut or damaged.
    mutating func nextBox() -> (kind: UInt64, content: Range<Int>)? {
        let start = rest
        guard let short = next(4), let kind = next(4) else { return nil }
        var size = short
        if short == 0 { size = UInt64(start.count) }
        if short == 1 {
            guard let long = next(8) else { return nil }
            size = long
        }
        let headCount = start.count - rest.count
        guard let count = Int(exactly: size), count >= headCount, count <= start.count else { return nil }
        let end = start.lowerBound + count
        defer { rest = end..<start.upperBound }
        return (kind, rest.lowerBound..<end)
    }
}

/// Reads a box that begins with a version and flags.
private struct FullBoxReader {
    let version: UInt64
    private let flags: UInt64
    private var reader: BoxReader

    init?(_ bytes: ImageBytes, _ range: Range<Int>) {
        reader = BoxReader(bytes, range)
        guard let version = reader.next(1), let flags = reader.next(3) else { return nil }
        (self.version, self.flags) = (version, flags)
    }

    var rest: Range<Int> { reader.rest }

    mutating func next(_ count: Int) -> UInt64? { reader.next(count) }

    /// Reads an `ipma` box (ISO/IEC 23008-12, section 9.3).
    mutating func propertyIndices(of item: UInt64, itemsLeft: inout Int) -> Set<Int>? {
        let (itemBytes, indexBytes) = (version == 0 ? 2 : 4, flags & 1 == 0 ? 1 : 2)
        guard let count = next(4) else { return nil }
        for _ in 0..<min(count, UInt64(itemsLeft)) {
            itemsLeft -= 1
            guard let each = next(itemBytes), let indexCount = next(1).map({ Int($0) }) else { return nil }
            guard each == item else {
                guard reader.skip(indexCount * indexBytes) else { return nil }
                continue
            }
            var indices: Set<Int> = []
            for _ in 0..<indexCount {
                guard let index = next(indexBytes) else { return nil }
                // The highest bit says that the property is essential, and 0 that there is none.
                indices.insert(Int(index & (indexBytes == 1 ? 0x7F : 0x7FFF)))
            }
            return indices
        }
        return nil
    }
}
