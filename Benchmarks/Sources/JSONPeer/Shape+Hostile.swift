import Foundation
import HikyakuJSON

extension Shape {
    static func hostile(_ arguments: Arguments) throws -> Shape {
        let bytes = arguments.bytes
        switch arguments.name {
        case "keys":
            let document = HostileDocument.manyKeys(bytes: bytes)
            return Shape(document.bytes, [String: Int].self) { $0.count == document.count }
        case "keysForFew":
            return Shape(HostileDocument.manyKeys(bytes: bytes).bytes, Few.self) { $0.k1 == 1 && $0.absent == nil }
        case "oneKey":
            let document = HostileDocument.oneKey(bytes: bytes)
            return Shape(document.bytes, [String: Int].self) { $0 == ["key": document.count - 1] }
        case "oneKeyForFew":
            let document = HostileDocument.oneKey(bytes: bytes)
            return Shape(document.bytes, Few.self) { $0.key == document.count - 1 }
        case "nested":
            let document = HostileDocument.nested(bytes: bytes, depth: arguments.depth)
            return Shape(document.bytes, [Nest].self) { [depth = arguments.depth] nests in
                nests.count == document.count && nests.last?.depth == depth
            }
        case "failures":
            let document = HostileDocument.strings(bytes: bytes)
            return Shape(document.bytes, Tolerant<Int>.self) { $0.failures == document.count }
        case "objectFailures":
            let document = HostileDocument.objects(bytes: bytes)
            return Shape(document.bytes, Tolerant<Few.Strict>.self) { $0.failures == document.count }
        case "escapes":
            let document = HostileDocument.escapes(bytes: bytes)
            return Shape(document.bytes, [String].self) { $0.first?.utf8.count == document.count }
        case "lateFailure":
            let document = HostileDocument.lateFailure(bytes: bytes)
            return Shape(bytes: document.bytes.count) {
                let numbers = try? HikyakuJSONDecoder().decode([Int].self, from: document.bytes)
                return (0, numbers == nil)
            }
        case "digits":
            return Shape(HostileDocument.digits(bytes: bytes).bytes, [Double].self) { $0 == [0.1] }
        default:
            return try chosen(arguments)
        }
    }
}

/// A type that wants little of what an object has.
struct Few: Decodable {
    let absent: Int?
    let missing: Int?
    let key: Int?
    let k1: Int?
    let k0: Int?

    /// The same, not content with less.
    struct Strict: Decodable {
        let id: Int
        let absent: Int
    }
}

/// Arrays in arrays.
private struct Nest: Decodable {
    let inner: [Nest]

    init(from decoder: any Decoder) throws {
        inner = try decoder.singleValueContainer().decode([Nest].self)
    }

    var depth: Int { 1 + (inner.map(\.depth).max() ?? 0) }
}

/// Keeps what can be decoded, and counts the rest.
struct Tolerant<Element: Decodable>: Decodable {
    private(set) var elements: [Element] = []
    private(set) var failures = 0

    private struct Skipped: Decodable {
        init(from decoder: any Decoder) {}
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            if let element = try? container.decode(Element.self) {
                elements.append(element)
            } else {
                _ = try container.decode(Skipped.self)
                failures += 1
            }
        }
    }
}
