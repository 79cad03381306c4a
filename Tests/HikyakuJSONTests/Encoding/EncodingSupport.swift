import Foundation
import HikyakuJSON

/// What a value is encoded to, as text.
func encoded<Value: Encodable>(
    _ value: Value,
    _ prepare: (inout HikyakuJSONEncoder) -> Void = { _ in },
) throws -> String {
    var encoder = HikyakuJSONEncoder()
    prepare(&encoder)
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// What Foundation encodes a value to, its keys sorted.
func foundation<Value: Encodable>(
    _ value: Value,
    _ prepare: (JSONEncoder) -> Void = { _ in },
) throws -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    prepare(encoder)
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// What a value is encoded to, its keys sorted.
func sorted<Value: Encodable>(_ value: Value) throws -> String {
    try encoded(value) { $0.outputFormatting = .sortedKeys }
}

/// A key of any text.
struct AnyKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ key: String) {
        stringValue = key
    }

    init(stringValue: String) {
        self.init(stringValue)
    }

    init(stringLiteral: String) {
        self.init(stringLiteral)
    }

    init?(intValue: Int) {
        nil
    }
}

/// A value that encodes itself by a closure.
struct Encoded: Encodable {
    let encode: (any Encoder) throws -> Void

    init(_ encode: @escaping (any Encoder) throws -> Void) {
        self.encode = encode
    }

    func encode(to encoder: any Encoder) throws {
        try encode(encoder)
    }
}
