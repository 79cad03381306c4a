import Foundation

/// Makes the boxes of an AVIF or HEIF.
struct BoxedImage {
    var fileType: Data
    /// The properties, from index 1.
    var properties: [Data] = [
        BoxedImage.box("colr", Data(count: 4)), BoxedImage.extents(300, 7), BoxedImage.box("irot", Data([1])),
    ]
    /// The boxes that say which item has which properties.
    var associations = [
        BoxedImage.fullBox("ipma", BoxedImage.number(1, 4) + BoxedImage.number(1, 2) + Data([2, 1, 0x82]))
    ]
    /// The box that says which item is the image.
    var primary = BoxedImage.fullBox("pitm", BoxedImage.number(1, 2))

    init(_ brand: String, _ compatible: String...) {
        fileType = Self.box("ftyp", Data((brand + "\0\0\0\0" + compatible.joined()).utf8))
    }

    var itemProperties: Data {
        Self.box("iprp", associations.reduce(Self.box("ipco", properties.reduce(Data(), +)), +))
    }

    var meta: Data { Self.fullBox("meta", Self.fullBox("hdlr", Data(count: 20)) + primary + itemProperties) }

    var bytes: Data { fileType + meta }

    static func box(_ kind: String, _ content: Data) -> Data {
        number(UInt64(8 + content.count), 4) + Data(kind.utf8) + content
    }

    static func fullBox(_ kind: String, version: UInt8 = 0, flags: UInt8 = 0, _ content: Data) -> Data {
        box(kind, Data([version, 0, 0, flags]) + content)
    }

    static func extents(_ width: UInt64, _ height: UInt64) -> Data {
        fullBox("ispe", number(width, 4) + number(height, 4))
    }

    /// A number with its highest byte first.
    static func number(_ value: UInt64, _ count: Int) -> Data {
        Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) })
    }
}
