import Foundation
import TestSupport
import Testing

@testable import Hikyaku

private typealias Boxes = BoxedImage

/// Images in AVIF and HEIF (ISO/IEC 14496-12, ISO/IEC 23008-12).
@Suite struct BoxedImageTests {
    @Test(arguments: [
        (["avif"], "image/avif"), (["avis", "msf1", "mif1"], "image/avif"), (["mif1", "miaf", "avif"], "image/avif"),
        (["heic", "mif1"], "image/heic"), (["heix"], "image/heic"), (["mif1", "heic"], "image/heic"),
        (["msf1", "hevc"], "image/heic"), (["mif1", "miaf"], "image/heif"), (["mif2", "jpeg"], "image/heif"),
    ])
    func brandsSayTheFormat(brands: [String], mediaType: String) throws {
        var image = Boxes("")
        image.fileType = Boxes.box("ftyp", Data((brands[0] + "\0\0\0\0" + brands.dropFirst().joined()).utf8))
        #expect(try ResponseImage(image.bytes).format.mediaType == mediaType)
    }

    @Test(arguments: [["isom", "mp41"], ["qt  "], ["HEIC"], [""]])
    func otherBrandsAreNoImage(brands: [String]) throws {
        let bytes = Boxes.box("ftyp", Data((brands[0] + "\0\0\0\0" + brands.dropFirst().joined()).utf8))
        let error = #expect(throws: DecodingDiagnosis.self) { try ResponseImage(bytes + Boxes("heic").meta) }
        #expect(error?.expected == "an image in PNG, JPEG, GIF, WebP, AVIF or HEIF")
    }

    /// The tiles have the first property, and the grid, which is the primary item, the second.
    @Test(arguments: [UInt8(0), 1], [UInt8(0), 1])
    func aGridHasItsOwnSize(version: UInt8, flags: UInt8) throws {
        let (idBytes, indexBytes) = (version == 0 ? 2 : 4, flags == 0 ? 1 : 2)
        func entry(_ item: UInt64, _ indices: UInt64...) -> Data {
            indices.reduce(Boxes.number(item, idBytes) + Data([UInt8(indices.count)])) {
                $0 + Boxes.number($1, indexBytes)
            }
        }
        var image = Boxes("heic", "mif1")
        image.properties = [Boxes.extents(512, 512), Boxes.box("hvcC", Data(count: 9)), Boxes.extents(4_032, 3_024)]
        let tiles = (1...48).reduce(Data()) { $0 + entry(UInt64($1), 1, 2) }
        let content = Boxes.number(49, 4) + tiles + entry(49, 0, 3)
        image.associations = [Boxes.fullBox("ipma", version: version, flags: flags, content)]
        image.primary = Boxes.fullBox("pitm", version: version, Boxes.number(49, idBytes))
        let read = try ResponseImage(image.bytes)
        #expect((read.width, read.height) == (4_032, 3_024))
    }

    @Test func boxesMayBeAnywhereAndOfAnyForm() throws {
        let image = Boxes("avif")
        let meta = image.meta
        let toTheEnd = Boxes.number(0, 4) + meta.dropFirst(4)
        let long =
            Boxes.number(1, 4) + Data("meta".utf8) + Boxes.number(UInt64(meta.count + 8), 8) + meta.dropFirst(8)
        let pixels = Boxes.box("mdat", Data(count: 100))
        let forms = [
            pixels + meta, meta + pixels, meta + pixels.prefix(50), toTheEnd, long,
            Boxes.number(1, 4) + Data("uuid".utf8) + Boxes.number(16, 8) + meta,
        ]
        for (index, form) in forms.enumerated() {
            let read = try ResponseImage(image.fileType + form)
            #expect((read.width, read.height) == (300, 7), "form \(index)")
        }
        var divided = image
        divided.associations = [Boxes.fullBox("ipma", Boxes.number(1, 4) + Boxes.number(7, 2) + Data([1, 1]))]
        divided.associations.append(contentsOf: image.associations)
        #expect(try ResponseImage(divided.bytes).width == 300)
    }

    @Test func thePropertyWithTheLargestIndexIsRead() throws {
        var image = Boxes("avif")
        image.properties = Array(repeating: Boxes.box("free", Data()), count: 32_766) + [Boxes.extents(300, 7)]
        let entry = Boxes.number(1, 2) + Data([1]) + Boxes.number(0xFFFF, 2)
        image.associations = [Boxes.fullBox("ipma", flags: 1, Boxes.number(1, 4) + entry)]
        #expect(try ResponseImage(image.bytes).width == 300)
    }

    private static let hostile: [(String, Data)] = {
        var all: [(String, Data)] = []
        func add(_ name: String, _ change: (inout Boxes) -> Void) {
            var image = Boxes("heic")
            change(&image)
            all.append((name, image.bytes))
        }
        func add(_ name: String, boxes: Data) { all.append((name, Boxes("heic").fileType + boxes)) }
        let meta = Boxes("heic").meta
        add("no boxes", boxes: Data())
        add("a size of 7", boxes: Boxes.number(7, 4) + meta.dropFirst(4))
        add("a size after the end", boxes: Boxes.number(UInt64(meta.count + 1), 4) + meta.dropFirst(4))
        add("the largest size", boxes: Boxes.number(0xFFFF_FFFF, 4) + meta.dropFirst(4))
        add("a long size that is cut", boxes: Boxes.number(1, 4) + Data("meta".utf8) + Data([0, 0]))
        for size: UInt64 in [0, 1, 15, 1 << 31, 1 << 32, 1 << 63, .max] {
            let long = Boxes.number(1, 4) + Data("meta".utf8) + Boxes.number(size, 8) + meta.dropFirst(8)
            add("a long size of \(size)", boxes: long)
        }
        add("many boxes before", boxes: (0..<64).reduce(Data()) { all, _ in all + Boxes.box("free", Data()) } + meta)
        add("nested boxes", boxes: (0..<1_000).reduce(Data()) { inner, _ in Boxes.fullBox("meta", inner) })
        add("an empty box", boxes: Boxes.box("meta", Data()))
        add("no primary item") { $0.primary = Data() }
        add("a cut primary item") { $0.primary = Boxes.fullBox("pitm", Data([1])) }
        add("another primary item") { $0.primary = Boxes.fullBox("pitm", Boxes.number(2, 2)) }
        add("no associations") { $0.associations = [] }
        add("more entries than bytes") {
            $0.associations = [Boxes.fullBox("ipma", Boxes.number(.max, 4) + Data([0, 2, 255]))]
        }
        add("more indices than bytes") {
            $0.associations = [Boxes.fullBox("ipma", Boxes.number(1, 4) + Boxes.number(1, 2) + Data([255, 1]))]
        }
        add("the index 0") { $0.associations = [Boxes.fullBox("ipma", Boxes.number(1, 4) + Data([0, 1, 1, 0x80]))] }
        add("an index without a property") {
            $0.associations = [Boxes.fullBox("ipma", Boxes.number(1, 4) + Data([0, 1, 1, 0x7F]))]
        }
        add("no size among the properties") { $0.properties[1] = Boxes.box("pixi", Data(count: 12)) }
        add("a cut size") { $0.properties = [$0.properties[0], Boxes.fullBox("ispe", Boxes.number(300, 4))] }
        add("an empty image") { $0.properties[1] = Boxes.extents(0, 7) }
        add("a size of 32 bits") { $0.properties[1] = Boxes.extents(1 << 31, 7) }
        add("a property over the end") {
            $0.properties[0].replaceSubrange(0..<4, with: Boxes.number(200, 4))
        }
        add("more items than are read") {
            let entries = Data((0..<BoxedImageHeader.itemsMax).flatMap { _ in [0, 2, 0] as [UInt8] })
            $0.associations = [Boxes.fullBox("ipma", Boxes.number(.max, 4) + entries + Data([0, 1, 1, 2]))]
        }
        return all
    }()

    @Test(arguments: hostile.map(\.0))
    func whatBreaksTheRulesIsNoImage(name: String) throws {
        let (_, bytes) = try #require(Self.hostile.first { $0.0 == name })
        let error = #expect(throws: DecodingDiagnosis.self) { try ResponseImage(bytes) }
        #expect(error?.kind == .malformed)
        #expect(error?.expected == "an image with its size in the header")
    }

    /// Sizes and counts are the numbers that could lead out of the bytes.
    @Test(arguments: [11, 12, 13] as [UInt64])
    func noNumbersStopTheProcess(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let original = Boxes("mif1", "heic").bytes
        let values: [UInt64] = [0, 1, 7, 8, 16, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, .max]
        var readCount = 0
        for _ in 0..<5_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<(bytes.count - 8), using: &random)
                let value = values.randomElement(using: &random)
                let count = [1, 2, 4, 8].randomElement(using: &random) ?? 4
                bytes.replaceSubrange(place..<(place + count), with: Boxes.number(value ?? 0, count))
            }
            guard let image = try? ResponseImage(bytes) else { continue }
            readCount += 1
            #expect(image.width > 0 && image.height > 0)
        }
        #expect(readCount > 500)
    }
}
