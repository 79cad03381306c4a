import Foundation

@testable import HikyakuJSON

/// Keeps the drifts that a decoder reports.
final class DriftNotes: @unchecked Sendable {
    // Unchecked: a decoder calls its closure on the thread that decodes, and each test has notes of its own.
    private(set) var drifts: [JSONDrift] = []

    func add(_ drift: JSONDrift) { drifts.append(drift) }

    /// Kind, pointer and type of each.
    var texts: [String] {
        drifts.map { "\($0.kind.rawValue) \($0.pointer) \($0.typeName)\($0.count == 1 ? "" : " x\($0.count)")" }
    }
}

extension HikyakuJSONDecoder {
    /// A decoder that takes notes.
    static func noting(_ notes: DriftNotes, leniency: Leniency = []) -> HikyakuJSONDecoder {
        var decoder = HikyakuJSONDecoder()
        decoder.leniency = leniency
        decoder.onDrift = { notes.add($0) }
        return decoder
    }
}

/// Every way to read a document into a type, with the notes of those that take some.
func everyReading<Value: Decodable & JSONReadable>(
    of type: Value.Type,
    _ document: String,
) throws -> [(value: Value, drifts: [String]?)] {
    let bytes = Data(document.utf8)
    let (decoded, read) = (DriftNotes(), DriftNotes())
    return [
        (try Throughout<Value>.decode(.noting(decoded), bytes), decoded.texts),
        (try HikyakuJSONDecoder.noting(read).read(type, from: bytes), read.texts),
        (try HikyakuJSONDecoder().decode(type, from: bytes), nil),
        (try JSONDecoder().decode(type, from: bytes), nil),
    ]
}

/// Decodes a value through its `init(from:)` of `Decodable`, where it could be read directly as well.
struct Throughout<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        value = try Value(from: decoder)
    }

    static func decode(_ decoder: HikyakuJSONDecoder, _ document: Data) throws -> Value {
        try decoder.decode(Throughout<Value>.self, from: document).value
    }
}
